//! Linux and macOS: sockets that are files.

use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

pub(super) use std::os::unix::net::{UnixListener as Listener, UnixStream as Connection};

pub(super) const EXTENSION: &str = "socket";

pub(super) fn listen(path: &Path) -> io::Result<(Listener, String)> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    Ok((at_short_path(path, |path| Listener::bind(path))?, String::new()))
}

pub(super) fn connect(path: &Path, _patience: Duration) -> io::Result<(Connection, String)> {
    Ok((at_short_path(path, |path| Connection::connect(path))?, String::new()))
}

/// Calls `with` with a path of a socket that fits into its address: 104 bytes on macOS (`sys/un.h`), 108 on Linux
/// (unix(7)). A longer one, in a long home folder, is reached through a link to its folder, for as long as the call takes.
fn at_short_path<R>(path: &Path, with: impl FnOnce(&Path) -> io::Result<R>) -> io::Result<R> {
    match (SocketAddr::from_pathname(path), path.parent(), path.file_name()) {
        (Err(_), Some(folder), Some(name)) => {
            let temporary = tempfile::tempdir()?;
            let link = temporary.path().join("folder");
            symlink(folder, &link)?;
            with(&link.join(name))
        }
        _ => with(path),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_socket_in_a_folder_with_a_long_path_is_reached() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().join("long ".repeat(40));
        std::fs::create_dir(&folder).expect("a folder");
        let path = folder.join("window.socket");
        assert!(SocketAddr::from_pathname(&path).is_err());
        assert!(connect(&path, Duration::ZERO).is_err(), "nobody listens");
        let (listener, _) = listen(&path).expect("it listens");
        assert!(path.exists(), "in its own folder");
        let (mut stream, _) = connect(&path, Duration::ZERO).expect("it is reached");
        stream.write_all(b"hello").expect("written");
        drop(stream);
        let mut received = String::new();
        listener.accept().expect("a client").0.read_to_string(&mut received).expect("text");
        assert_eq!(received, "hello");
    }
}
