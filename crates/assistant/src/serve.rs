//! Serves one client over a pair of streams.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use heaplens_base::threads;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use crate::assistant::Assistant;
use crate::calls::{Calls, MOST_THREADS};
use crate::connection::Connection;
use crate::input::read_messages;
use crate::pipe::Pipe;
use crate::server::Server;

/// Maximum number of messages that were read and not handled yet.
const MESSAGES: usize = 64;
/// Time that cancelled calls and unwritten answers have once the client closed its input.
const PATIENCE: Duration = Duration::from_secs(1);

/// Serves the client at standard input and output until it closes the input.
///
/// # Errors
/// If a thread cannot be started, the client does not begin as the protocol asks, or it does not read its answers.
pub fn serve_stdio(assistant: Arc<Assistant>) -> io::Result<()> {
    serve_stream(assistant, io::stdin(), io::stdout())
}

/// Serves the client at the other end of a connection until it closes it. Each half has a thread, which does nothing but
/// read or write: neither ever waits for a call.
///
/// # Errors
/// As of [`serve_stdio`].
pub fn serve_stream(
    assistant: Arc<Assistant>,
    from_client: impl Read + Send + 'static,
    to_client: impl Write + Send + 'static,
) -> io::Result<()> {
    let runtime = runtime()?;
    let connection = Arc::new(Connection::default());
    let (sender, received) = mpsc::channel(MESSAGES);
    let reader = Arc::clone(&connection);
    // The thread that reads may wait for ever.
    threads::start("calls", move || read_messages(from_client, &sender, &reader))?;
    let writer = Arc::clone(&connection);
    threads::start("answers", move || writer.write_to(to_client))?;
    let calls = Arc::new(Calls::new(Arc::clone(&connection)));
    let served = runtime.block_on(async {
        let pipe = Pipe::new(received, Arc::clone(&connection));
        let served = serve(Server::new(assistant, Arc::clone(&calls)), pipe).await;
        connection.end();
        // Cancelled calls remove their temporary files.
        calls.wait_until_idle(PATIENCE).await;
        served
    });
    connection.close(PATIENCE);
    runtime.shutdown_background();
    connection.unread_error().map_or(served, Err)
}

/// One thread for messages; calls run on others.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_time().max_blocking_threads(MOST_THREADS).thread_name("assistant").build()
}

async fn serve(server: Server, pipe: Pipe) -> io::Result<()> {
    match server.serve(pipe).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that leaves before its first message has not failed.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;
    use crate::AssistantOptions;

    const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

    /// A client that writes for ever.
    struct Talker {
        spoken: usize,
    }

    impl Read for Talker {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let line = match self.spoken {
                0 => format!("{HELLO}\n"),
                n => format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"tools/list\"}}\n"),
            };
            self.spoken += 1;
            bytes[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }

    /// A client that reads nothing as long as the channel is open.
    struct Deaf(Receiver<()>);

    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _open = self.0.recv();
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_that_only_talks_is_left() {
        let options = AssistantOptions {
            allowed_paths: Vec::new(),
            open: heaplens_session::OpenOptions::default(),
            rules: heaplens_session::LeakRules::default(),
            matchers: heaplens_analysis::android::shark::Matchers::default(),
            pictures: None,
        };
        let assistant = Arc::new(Assistant::new(options).expect("a server"));
        let (_open, closed) = channel();
        let served = serve_stream(assistant, Talker { spoken: 0 }, Deaf(closed));
        let why = served.expect_err("it is left").to_string();
        assert!(why.contains("does not read its answers"), "{why}");
    }
}
