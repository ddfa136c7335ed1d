//! What is on its way to a client, and whether the client is still there.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{JsonRpcMessage, ServerJsonRpcMessage, ServerResult};
use tokio::sync::watch;

use crate::batches::Batches;
use heaplens_base::Bytes;

/// Unwritten bytes from which on no further call is begun and no progress is reported: the client does not read.
const MANY_UNREAD: usize = 8 << 20;
/// Unwritten bytes from which on the connection ends: a client that asks without reading would fill the memory.
const MOST_UNREAD: usize = 64 << 20;

/// Lines that wait to be written, and the end of the connection.
#[derive(Default)]
pub(crate) struct Connection {
    output: Mutex<Output>,
    /// Notified of lines to write, of written ones, and of the end.
    changed: Condvar,
    batches: Mutex<Batches>,
    /// True once the client closed its input or is gone.
    ended: watch::Sender<bool>,
}

#[derive(Default)]
struct Output {
    lines: VecDeque<Vec<u8>>,
    /// Bytes of the lines, and of the one being written.
    bytes: usize,
    /// True once no further line is accepted.
    is_closed: bool,
    /// True once the thread that writes has ended.
    is_finished: bool,
    /// Unwritten bytes for which the connection was ended.
    unread: Option<usize>,
}

impl Connection {
    fn output(&self) -> MutexGuard<'_, Output> {
        // A panic elsewhere cannot leave the queue half-written.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Batches that are not answered yet.
    pub(crate) fn batches(&self) -> MutexGuard<'_, Batches> {
        // A panic elsewhere cannot leave them half-written.
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a message; an answer to a request of a batch once all of them are there.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub(crate) fn send(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            // Reports of progress, of which a client that does not read has enough.
            JsonRpcMessage::Notification(_) if self.is_behind() => return Ok(()),
            JsonRpcMessage::Notification(_) | JsonRpcMessage::Request(_) => None,
        };
        let line = serde_json::to_vec(message)?;
        let mut batches = self.batches();
        if let JsonRpcMessage::Response(response) = message
            && let ServerResult::InitializeResult(agreed) = &response.result
        {
            batches.agree(&agreed.protocol_version);
        }
        let line = match id {
            Some(id) => batches.answer(id, line),
            None => Some(line),
        };
        drop(batches);
        line.into_iter().for_each(|line| self.post(line));
        Ok(())
    }

    /// Queues a line. Does not wait: a client that reads nothing must not keep its calls from being cancelled.
    pub(crate) fn post(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        let mut output = self.output();
        if output.is_closed {
            return;
        }
        output.bytes += line.len();
        output.lines.push_back(line);
        if output.bytes > MOST_UNREAD {
            output.unread = Some(output.bytes);
            output.is_closed = true;
            output.lines.clear();
        }
        let is_over = output.is_closed;
        drop(output);
        self.changed.notify_all();
        if is_over {
            self.end();
        }
    }

    /// True while the client does not read what it asked for.
    pub(crate) fn is_behind(&self) -> bool {
        self.output().bytes > MANY_UNREAD
    }

    /// Writes all lines until the connection is closed. Runs on a thread of its own: writing waits for the client.
    pub(crate) fn write_to(&self, mut client: impl Write) {
        while let Some(line) = self.next_line() {
            let written = client.write_all(&line).and_then(|()| client.flush());
            let mut output = self.output();
            output.bytes = output.bytes.saturating_sub(line.len());
            if written.is_err() {
                // The client is gone.
                output.is_closed = true;
                output.lines.clear();
                drop(output);
                self.end();
                break;
            }
        }
        self.output().is_finished = true;
        self.changed.notify_all();
    }

    /// The next line to write; waits for one, until the connection is closed.
    fn next_line(&self) -> Option<Vec<u8>> {
        let mut output = self.output();
        loop {
            if let Some(line) = output.lines.pop_front() {
                return Some(line);
            }
            if output.is_closed {
                return None;
            }
            output = self.changed.wait(output).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that the client closed its input or is gone: calls are of no use to it any more.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Waits for the end of the connection.
    pub(crate) async fn ended(&self) {
        let mut ended = self.ended.subscribe();
        // Fails only without a sender, which lives as long as this.
        let _ended = ended.wait_for(|has_ended| *has_ended).await;
    }

    /// Accepts no further line, and waits for those that are queued, as long as `patience`.
    pub(crate) fn close(&self, patience: Duration) {
        let began = Instant::now();
        let mut output = self.output();
        output.is_closed = true;
        self.changed.notify_all();
        while !output.is_finished
            && let Some(left) = patience.checked_sub(began.elapsed())
        {
            output = self.changed.wait_timeout(output, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Error of a client that does not read its answers.
    pub(crate) fn unread_error(&self) -> Option<io::Error> {
        let bytes = Bytes(self.output().unread? as u64);
        let why = format!("the client does not read its answers: {bytes} wait to be written");
        Some(io::Error::other(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_reads_nothing_ends_the_connection_before_memory_does() {
        let connection = Connection::default();
        let line = vec![b'x'; 1 << 20];
        (0..7).for_each(|_| connection.post(line.clone()));
        assert!(!connection.is_behind() && connection.unread_error().is_none());
        (0..2).for_each(|_| connection.post(line.clone()));
        assert!(connection.is_behind() && connection.unread_error().is_none());
        (0..100).for_each(|_| connection.post(line.clone()));
        assert!(connection.output().lines.is_empty() && *connection.ended.borrow());
        let why = connection.unread_error().expect("an error").to_string();
        assert!(why.contains("does not read its answers: 67.1 MB"), "{why}");
    }

    #[test]
    fn a_client_that_is_gone_ends_the_connection() {
        struct Disconnected;
        impl Write for Disconnected {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let connection = Connection::default();
        connection.post(b"{}".to_vec());
        connection.write_to(Disconnected);
        assert!(*connection.ended.borrow() && connection.unread_error().is_none());
        connection.close(Duration::from_secs(1));
    }
}
