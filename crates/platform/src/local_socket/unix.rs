//! Linux and macOS: sockets that are files.

use std::io;
use std::path::Path;
use std::time::Duration;

pub(super) use std::os::unix::net::{UnixListener as Listener, UnixStream as Connection};

pub(super) const EXTENSION: &str = "socket";

pub(super) fn listen(path: &Path) -> io::Result<(Listener, String)> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    Ok((Listener::bind(path)?, String::new()))
}

pub(super) fn connect(path: &Path, _patience: Duration) -> io::Result<(Connection, String)> {
    Ok((Connection::connect(path)?, String::new()))
}
