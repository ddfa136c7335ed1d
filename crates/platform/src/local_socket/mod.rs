//! Connections between processes of one user: a Unix socket, or a local port whose number and token are in a file that
//! only its owner can read.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// Extension of the socket, or of the file with the port.
pub const EXTENSION: &str = system::EXTENSION;

/// An open endpoint.
pub struct Socket {
    inner: system::Listener,
    token: String,
}

/// A connection, from either side.
pub struct Stream(system::Connection);

impl Socket {
    /// Opens an endpoint at `path`, in the place of one that was left there.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn open(path: &Path) -> io::Result<Self> {
        system::listen(path).map(|(inner, token)| Self { inner, token })
    }

    /// Secret that clients must say first. A Unix socket needs none: only the owner of its folder can reach it.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Waits for the next client.
    ///
    /// # Errors
    /// Those of the system.
    pub fn accept(&self) -> io::Result<Stream> {
        self.inner.accept().map(|(connection, _)| Stream(connection))
    }

    /// Connects to the endpoint at `path`; also returns the token to say. Where that can take long, it takes `timeout`
    /// at most.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn connect(path: &Path, timeout: Duration) -> io::Result<(Stream, String)> {
        system::connect(path, timeout).map(|(connection, token)| (Stream(connection), token))
    }
}

impl Stream {
    /// Sets the timeout of one read or write; `None` waits for ever.
    ///
    /// # Errors
    /// If the timeout is zero.
    pub fn set_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.0.set_read_timeout(timeout)?;
        self.0.set_write_timeout(timeout)
    }

    /// The same connection, for another thread.
    ///
    /// # Errors
    /// If the system has no handles left.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Ends what this side says; the other side may still answer.
    pub fn finish(&self) {
        // It may be closed already.
        let _closed = self.0.shutdown(std::net::Shutdown::Write);
    }

    /// Ends the connection for both sides.
    pub fn close(&self) {
        // It may be closed already.
        let _closed = self.0.shutdown(std::net::Shutdown::Both);
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Write for Stream {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.0.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
