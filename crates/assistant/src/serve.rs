//! Carries messages: a line of JSON each, over standard input and output or over a stream.

use std::io::{self, Read, Write};
use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use crate::assistant::Assistant;
use crate::server::Server;

/// Maximum number of calls that run at the same time; further ones wait.
const AT_ONCE: usize = 8;
/// Bytes carried at a time.
const BUFFER: usize = 64 << 10;

/// Serves the client at standard input and output until it closes the input.
///
/// # Errors
/// If the runtime cannot be started, or the client does not begin as the protocol asks.
pub fn serve_stdio(assistant: Arc<Assistant>) -> io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(serve(assistant, (tokio::io::stdin(), tokio::io::stdout())));
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    served
}

/// Serves the client at the other end of a connection until it closes it. The halves block: each has a thread.
///
/// # Errors
/// As of [`serve_stdio`].
pub fn serve_stream(
    assistant: Arc<Assistant>,
    from_client: impl Read + Send + 'static,
    to_client: impl Write + Send + 'static,
) -> io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(BUFFER);
        let (answers, calls) = tokio::io::split(theirs);
        carry(from_client, calls)?;
        carry_back(answers, to_client)?;
        serve(assistant, tokio::io::split(ours)).await
    });
    runtime.shutdown_background();
    served
}

/// Copies what a thread reads to `into`.
fn carry(mut from: impl Read + Send + 'static, mut into: impl AsyncWrite + Send + Unpin + 'static) -> io::Result<()> {
    let (sender, mut received) = tokio::sync::mpsc::channel::<Vec<u8>>(4);
    let read = move || {
        let mut bytes = vec![0; BUFFER];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            // The server has ended.
            if sender.blocking_send(bytes[..length].to_vec()).is_err() {
                break;
            }
        }
    };
    std::thread::Builder::new().name("calls".to_owned()).spawn(read)?;
    tokio::spawn(async move {
        while let Some(bytes) = received.recv().await {
            if into.write_all(&bytes).await.is_err() {
                break;
            }
        }
        // The server sees the end of its input.
        let _ended = into.shutdown().await;
    });
    Ok(())
}

/// Copies `from` to what a thread writes.
fn carry_back(
    mut from: impl AsyncRead + Send + Unpin + 'static,
    mut into: impl Write + Send + 'static,
) -> io::Result<()> {
    let (sender, mut received) = tokio::sync::mpsc::channel::<Vec<u8>>(4);
    let write = move || {
        while let Some(bytes) = received.blocking_recv() {
            if into.write_all(&bytes).and_then(|()| into.flush()).is_err() {
                break;
            }
        }
    };
    std::thread::Builder::new().name("answers".to_owned()).spawn(write)?;
    tokio::spawn(async move {
        let mut bytes = vec![0; BUFFER];
        while let Ok(length @ 1..) = from.read(&mut bytes).await {
            if sender.send(bytes[..length].to_vec()).await.is_err() {
                break;
            }
        }
    });
    Ok(())
}

/// One thread for messages; calls run on others.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().max_blocking_threads(AT_ONCE + 2).thread_name("assistant").build()
}

async fn serve<R, W>(assistant: Arc<Assistant>, way: (R, W)) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    match Server(assistant).serve(way).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that leaves before its first message has not failed.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}
