//! A connection to an inspector: calls with answers, and events between them.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use heaplens_base::Task;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use crate::TakeError;
use heaplens_base::library_call::guarded;

/// Time between two looks at the task.
const LOOK: Duration = Duration::from_millis(200);
/// Time to connect.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time without a message after which the process counts as stopped. A large heap is collected before its snapshot,
/// during which nothing arrives.
const SILENCE: Duration = Duration::from_mins(10);
/// Longest message in bytes; the pieces of a snapshot have 100 kB.
const LIMIT: usize = 256 << 20;

/// A connection to one target.
pub(super) struct Session<'a> {
    socket: WebSocket<TcpStream>,
    calls: u64,
    task: &'a Task,
}

impl<'a> Session<'a> {
    /// Connects to a target's address, `ws://host:port/id`.
    pub(super) fn open(address: &str, task: &'a Task) -> Result<Self, TakeError> {
        let failed = |why: String| TakeError::Refused(format!("cannot connect to the inspector at {address}: {why}"));
        let request = address.into_client_request().map_err(|error| failed(error.to_string()))?;
        let host_and_port = request.uri().authority().map_or("", |authority| authority.as_str());
        let stream = connect(host_and_port).map_err(|error| failed(error.to_string()))?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| failed(error.to_string()))?;
        let config = WebSocketConfig::default().max_message_size(Some(LIMIT)).max_frame_size(Some(LIMIT));
        let opened = tungstenite::client::client_with_config(request, stream, Some(config));
        let (socket, _) = opened.map_err(|error| failed(error.to_string()))?;
        socket.get_ref().set_read_timeout(Some(LOOK)).map_err(|error| failed(error.to_string()))?;
        Ok(Self { socket, calls: 0, task })
    }

    /// Calls a method and returns its result; events on the way go to `each`.
    pub(super) fn call(
        &mut self,
        method: &str,
        parameters: &Value,
        mut each: impl FnMut(&str, &Value) -> Result<(), TakeError>,
    ) -> Result<Value, TakeError> {
        self.calls += 1;
        let call = json!({ "id": self.calls, "method": method, "params": parameters });
        self.socket.send(Message::text(call.to_string())).map_err(|error| connection_lost(&error))?;
        loop {
            let mut message = self.receive()?;
            if message.get("id").and_then(Value::as_u64) == Some(self.calls) {
                if let Some(why) = message.pointer("/error/message").and_then(Value::as_str) {
                    return Err(TakeError::Refused(format!("the inspector refused {method}: {why}")));
                }
                return Ok(message.get_mut("result").map(Value::take).unwrap_or_default());
            }
            if let Some(event) = message.get("method").and_then(Value::as_str) {
                each(event, message.get("params").unwrap_or(&Value::Null))?;
            }
        }
    }

    fn receive(&mut self) -> Result<Value, TakeError> {
        let since = Instant::now();
        loop {
            self.task.checkpoint()?;
            let message = guarded(|| self.socket.read()).unwrap_or_else(|panic| Err(Error::Io(panic.into())));
            match message {
                Ok(Message::Text(text)) => {
                    let unreadable = |error| TakeError::Refused(format!("the inspector's answer is no JSON: {error}"));
                    return serde_json::from_str(&text).map_err(unreadable);
                }
                Ok(Message::Close(_)) => return Err(connection_lost(&Error::ConnectionClosed)),
                Ok(_) => {}
                Err(Error::Io(error))
                    if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
                {
                    if since.elapsed() > SILENCE {
                        return Err(TakeError::Refused("the process does not answer: it may be stopped".to_owned()));
                    }
                }
                Err(error) => return Err(connection_lost(&error)),
            }
        }
    }
}

fn connection_lost(error: &Error) -> TakeError {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) | Error::Io(_) => {
            TakeError::Ended("before its snapshot was complete".to_owned())
        }
        error => TakeError::Refused(format!("the inspector's connection broke: {error}")),
    }
}

fn connect(authority: &str) -> io::Result<TcpStream> {
    use std::net::ToSocketAddrs;
    let mut failed = io::ErrorKind::NotFound.into();
    for address in authority.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}
