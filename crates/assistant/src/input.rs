//! Lines of a client: messages, batches of them, and what is none, which is answered with an error.

use std::io::{self, BufRead, BufReader, Read};

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ErrorCode, GetExtensions, RequestId};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::Sender;

use crate::batches::Batches;
use crate::connection::Connection;

/// Bytes read at a time.
const BUFFER: usize = 64 << 10;
/// Longest line in bytes.
const LONGEST: usize = 16 << 20;
/// Maximum number of messages of a batch.
const BATCH: usize = 1_000;
/// Mark before the first line of some programs.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Length in bytes of the line that a request came in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineLength(pub(crate) usize);

/// Reads messages until the client closes the stream. Runs on a thread of its own: reading waits for the client.
pub(crate) fn read_messages(client: impl Read, to: &Sender<ClientJsonRpcMessage>, connection: &Connection) {
    let mut lines = Lines { from: BufReader::with_capacity(BUFFER, client), line: Vec::new() };
    // The server may have ended.
    while let Ok(read) = lines.next() {
        let messages = match read {
            LineRead::End => break,
            LineRead::Line => parse(&lines.line, connection),
            LineRead::TooLong => {
                let why = format!("a line is longer than {LONGEST} bytes; it was skipped");
                connection.post(error(ErrorCode::PARSE_ERROR, &why, &Value::Null));
                Vec::new()
            }
        };
        for mut message in messages {
            note_cancelled(&message, connection);
            if let ClientJsonRpcMessage::Request(request) = &mut message {
                request.request.extensions_mut().insert(LineLength(lines.line.len()));
            }
            if to.blocking_send(message).is_err() {
                return;
            }
        }
    }
}

/// A request of a batch that is cancelled is not answered.
fn note_cancelled(message: &ClientJsonRpcMessage, connection: &Connection) {
    if let ClientJsonRpcMessage::Notification(message) = message
        && let ClientNotification::CancelledNotification(cancelled) = &message.notification
        && let Some(id) = &cancelled.params.request_id
        && let Some(line) = connection.batches().cancel(id)
    {
        connection.post(line);
    }
}

struct Lines<R> {
    from: BufReader<R>,
    line: Vec<u8>,
}

enum LineRead {
    Line,
    TooLong,
    End,
}

impl<R: Read> Lines<R> {
    /// Reads the next line, of which no more than [`LONGEST`] bytes are kept.
    fn next(&mut self) -> io::Result<LineRead> {
        // A long line should not take its memory for ever.
        if self.line.capacity() > BUFFER {
            self.line = Vec::new();
        }
        self.line.clear();
        (&mut self.from).take(LONGEST as u64 + 1).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(LineRead::End);
        }
        let has_end = self.line.last() == Some(&b'\n');
        if has_end || self.line.len() <= LONGEST {
            return Ok(LineRead::Line);
        }
        self.from.skip_until(b'\n')?;
        Ok(LineRead::TooLong)
    }
}

/// Messages of a line. What is none is answered.
fn parse(line: &[u8], connection: &Connection) -> Vec<ClientJsonRpcMessage> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Vec::new();
    }
    let value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(why) => {
            connection.post(error(ErrorCode::PARSE_ERROR, &format!("a line is no JSON: {why}"), &Value::Null));
            return Vec::new();
        }
    };
    let Value::Array(values) = value else {
        return match message(value) {
            Ok(message) => message.into_iter().collect(),
            Err(answer) => {
                connection.post(answer);
                Vec::new()
            }
        };
    };
    let mut batches = connection.batches();
    let refusal = match values.len() {
        _ if !batches.are_allowed() => "this version of the protocol has no batches: send each message as a line",
        0 => "a batch is empty",
        messages if messages > BATCH => "a batch has at most 1,000 messages",
        _ => return batch(values, &mut batches, connection),
    };
    connection.post(error(ErrorCode::INVALID_REQUEST, refusal, &Value::Null));
    Vec::new()
}

/// Messages of a batch, whose answers are collected.
fn batch(values: Vec<Value>, batches: &mut Batches, connection: &Connection) -> Vec<ClientJsonRpcMessage> {
    let (mut messages, mut pending, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for value in values {
        match message(value) {
            Ok(message) => messages.extend(message),
            Err(answer) => answers.push(answer),
        }
    }
    for message in &messages {
        if let ClientJsonRpcMessage::Request(request) = message {
            pending.push(request.id.clone());
        }
    }
    if let Some(line) = batches.begin(pending, answers) {
        connection.post(line);
    }
    messages
}

/// The message of a value; `None` for a notification that the protocol does not have.
///
/// # Errors
/// The answer to what is no message.
fn message(value: Value) -> Result<Option<ClientJsonRpcMessage>, Vec<u8>> {
    // Only an id of a known kind can be answered.
    let id = value.get("id").filter(|id| RequestId::deserialize(*id).is_ok()).cloned().unwrap_or_default();
    let is_notification = value.get("id").is_none() && value.get("method").is_some_and(Value::is_string);
    match serde_json::from_value(value) {
        Ok(message) => Ok(Some(message)),
        Err(_) if is_notification => Ok(None),
        Err(_) => Err(error(ErrorCode::INVALID_REQUEST, "a line is no request, notification or answer", &id)),
    }
}

/// Answer to a line that is no message.
fn error(code: ErrorCode, why: &str, id: &Value) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": why}}).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages that a text is read as, and what is answered.
    fn read(text: &[u8]) -> (usize, Vec<Value>) {
        let connection = Connection::default();
        let (sender, mut received) = tokio::sync::mpsc::channel(100);
        read_messages(text, &sender, &connection);
        let messages = std::iter::from_fn(|| received.try_recv().ok()).count();
        connection.close(std::time::Duration::ZERO);
        let mut written = Vec::new();
        connection.write_to(&mut written);
        let answers = written.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        (messages, answers.map(|line| serde_json::from_slice(line).expect("JSON")).collect())
    }

    const PING: &[u8] = br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

    #[test]
    fn what_is_no_json_is_answered_and_reading_goes_on() {
        let deep = b"[".repeat(100_000);
        let wrong: [&[u8]; 8] = [
            b"{{{",
            b"\0",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"",
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud800"}}"#,
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\udc00":"a"}}"#,
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xff\xfe\"}}",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}",
            &deep,
        ];
        for line in wrong {
            let (messages, answers) = read(&[line, b"\n", PING, b"\n"].concat());
            let shown = String::from_utf8_lossy(&line[..line.len().min(80)]);
            assert_eq!((messages, answers.len()), (1, 1), "{shown}: {answers:?}");
            assert_eq!((&answers[0]["error"]["code"], &answers[0]["jsonrpc"]), (&json!(-32700), &json!("2.0")));
            assert!(answers[0].as_object().is_some_and(|answer| answer.get("id") == Some(&Value::Null)), "{answers:?}");
        }
    }

    #[test]
    fn what_is_no_message_is_answered_with_its_id() {
        for (line, id) in [
            ("null", json!(null)),
            ("7", json!(null)),
            ("\"text\"", json!(null)),
            (r#"{"jsonrpc":"2.0"}"#, json!(null)),
            (r#"{"jsonrpc":"2.0","id":5}"#, json!(5)),
            (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a")),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, json!(null)),
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, json!(5)),
            ("[]", json!(null)),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null)),
        ] {
            let (messages, answers) = read(line.as_bytes());
            assert_eq!((messages, answers.len()), (0, 1), "{line}: {answers:?}");
            assert_eq!((&answers[0]["error"]["code"], &answers[0]["id"]), (&json!(-32600), &id), "{line}");
        }
        let nothing = b"\xef\xbb\xbf\r\n\n  \n{\"jsonrpc\":\"1.0\",\"method\":\"of another protocol\"}\n";
        assert_eq!(read(nothing), (0, Vec::new()));
        assert_eq!(read(PING), (1, Vec::new()), "the last line needs no end");
    }

    #[test]
    fn a_line_without_an_end_is_skipped() {
        let long = vec![b' '; LONGEST + 5];
        let (messages, answers) = read(&[&long[..], b"\n", PING, b"\n"].concat());
        assert_eq!((messages, answers.len(), &answers[0]["error"]["code"]), (1, 1, &json!(-32700)));
        let longest = [PING, &long[..LONGEST - PING.len()], b"\n"].concat();
        assert_eq!(read(&longest), (1, Vec::new()));
        let (messages, answers) = read(&long);
        assert_eq!((messages, answers.len()), (0, 1));
    }
}
