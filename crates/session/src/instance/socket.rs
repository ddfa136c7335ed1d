//! Connection endpoint: a Unix socket, or a local port whose number and token are in a file that
//! only its owner can read.

use std::io::{self, Read, Write};
use std::{fs, path::Path, time::Duration};

#[cfg(not(unix))]
use std::net::{TcpListener as Inner, TcpStream as Way};
#[cfg(unix)]
use std::os::unix::net::{UnixListener as Inner, UnixStream as Way};

/// Extension of the socket, or of the file with the port.
pub(super) const ENDING: &str = if cfg!(unix) { "socket" } else { "port" };

/// An open endpoint.
pub(super) struct Socket {
    inner: Inner,
    /// Secret token of clients. A Unix socket needs none: only the owner of its folder can reach it.
    pub(super) token: String,
}

/// A connection, from either side.
pub struct Stream(Way);

impl Socket {
    /// Waits for the next client.
    pub(super) fn accept(&self) -> io::Result<Stream> {
        self.inner.accept().map(|(way, _)| Stream(way))
    }

    #[cfg(unix)]
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(Self { inner: Inner::bind(path)?, token: String::new() })
    }

    #[cfg(unix)]
    pub(super) fn knock(path: &Path, _patience: Duration) -> io::Result<(Stream, String)> {
        Ok((Stream(Way::connect(path)?), String::new()))
    }

    #[cfg(not(unix))]
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        use std::hash::{BuildHasher, RandomState};
        let inner = Inner::bind((std::net::Ipv4Addr::LOCALHOST, 0))?;
        // Hash maps of the standard library have random keys: two of them serve as a secret.
        let token: String = (0_u8..2).map(|n| format!("{:016x}", RandomState::new().hash_one(n))).collect();
        fs::write(path, format!("{} {token}", inner.local_addr()?.port()))?;
        Ok(Self { inner, token })
    }

    #[cfg(not(unix))]
    pub(super) fn knock(path: &Path, patience: Duration) -> io::Result<(Stream, String)> {
        let text = fs::read_to_string(path)?;
        let (port, token) = text.split_once(' ').ok_or_else(|| io::Error::other("no port"))?;
        let port: u16 = port.parse().map_err(io::Error::other)?;
        let at = std::net::SocketAddr::from((std::net::Ipv4Addr::LOCALHOST, port));
        Ok((Stream(Way::connect_timeout(&at, patience)?), token.to_owned()))
    }
}

impl Stream {
    /// Sets the timeout of one read or write; `None` waits for ever.
    pub(super) fn patience(&self, patience: Option<Duration>) -> io::Result<()> {
        self.0.set_read_timeout(patience)?;
        self.0.set_write_timeout(patience)
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

/// Creates a private folder, or checks that it is private.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
        if let Some(above) = folder.parent() {
            fs::create_dir_all(above)?;
        }
        match fs::DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let found = fs::symlink_metadata(folder)?;
        // A folder of another user is not trusted; changing its mode fails.
        if !found.is_dir() {
            return Err(io::Error::other("not a folder"));
        }
        if found.mode() & 0o077 != 0 {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    fs::create_dir_all(folder)
}
