//! What an inspector offers: pages, workers, programs.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use serde_json::Value;

use crate::TakeError;
use heaplens_base::library_call::guarded;

/// Time to answer: the inspector is on this machine.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Longest answer in bytes.
const LIMIT: u64 = 4 << 20;

/// A program or page with a heap of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InspectorTarget {
    /// Identifier in addresses.
    pub id: String,
    /// Title of the page or path of the script.
    pub title: String,
    /// Address of its protocol.
    pub address: String,
}

/// Targets of the inspector at `host:port`; `None` if there is no inspector.
pub(crate) fn list_targets(authority: &str) -> Option<Vec<InspectorTarget>> {
    let list: Value = serde_json::from_slice(&ask(authority, "/json/list").ok()?).ok()?;
    let word = |target: &Value, key: &str| target.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let targets = list.as_array()?.iter().map(|target| InspectorTarget {
        id: word(target, "id"),
        title: word(target, "title"),
        address: word(target, "webSocketDebuggerUrl"),
    });
    Some(targets.filter(|target| target.address.starts_with("ws://")).collect())
}

/// Body of the answer of an HTTP server to a question without a body.
fn ask(authority: &str, path: &str) -> io::Result<Vec<u8>> {
    let address = authority.to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // Chrome answers only names of this machine, so that no web page can ask by a name of its own.
    let question = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    // One packet: pieces of a question may meet a server that has answered the first.
    stream.write_all(question.as_bytes())?;
    let mut answer = Vec::new();
    let mut block = [0; 16 << 10];
    // Some keep the connection open: the length says where the answer ends.
    while (answer.len() as u64) < LIMIT {
        let read = stream.read(&mut block)?;
        answer.extend_from_slice(block.get(..read).unwrap_or_default());
        if let Some(body) = whole_body(&answer, read == 0)? {
            return Ok(body.to_vec());
        }
        if read == 0 {
            break;
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Body of an answer, once all of it is there.
fn whole_body(answer: &[u8], is_ended: bool) -> io::Result<Option<&[u8]>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(begin) = guarded(|| head.parse(answer))?.map_err(io::Error::other)? else {
        return Ok(None);
    };
    if head.code != Some(200) {
        return Err(io::ErrorKind::NotFound.into());
    }
    let length = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|header| str::from_utf8(header.value).ok()?.trim().parse::<usize>().ok());
    let body = answer.get(begin..).unwrap_or_default();
    Ok(match length {
        Some(length) => body.get(..length),
        None => is_ended.then_some(body),
    })
}

/// The target with the identifier `id`, or the only one.
///
/// # Errors
/// If there is none or the choice is open.
pub(crate) fn choose(authority: &str, id: Option<&str>) -> Result<InspectorTarget, TakeError> {
    let none = || TakeError::Refused(format!("no JavaScript inspector answers at {authority}"));
    let targets = list_targets(authority).ok_or_else(none)?;
    let mut wanted = targets.iter().filter(|target| id.is_none_or(|id| target.id == id));
    match (wanted.next(), wanted.next()) {
        (Some(target), None) => Ok(target.clone()),
        (None, _) => Err(TakeError::Refused(match id {
            Some(id) => format!("the inspector at {authority} has no target {id}; it has {}", names(&targets)),
            None => format!("the inspector at {authority} has no page or program with a heap"),
        })),
        _ => {
            let names = names(&targets);
            Err(TakeError::Refused(format!(
                "several targets at {authority}; add one as in http://{authority}/ID: {names}"
            )))
        }
    }
}

fn names(targets: &[InspectorTarget]) -> String {
    let names: Vec<String> = targets.iter().map(|target| format!("{} ({})", target.id, target.title)).collect();
    names.join(", ")
}
