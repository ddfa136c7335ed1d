//! Systems whose JVMs have no attach socket that is a file, such as Windows.

use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;

/// Stands for a connection, which cannot be made here.
pub(crate) type LocalSocket = TcpStream;

fn unsupported() -> io::Error {
    let why = "attaching to a process works on Linux; here run 'jcmd PID GC.heap_dump FILE'";
    io::Error::new(io::ErrorKind::Unsupported, why)
}

pub(crate) fn connect(_path: &Path) -> io::Result<LocalSocket> {
    Err(unsupported())
}

pub(crate) fn effective_user() -> u32 {
    0
}

pub(crate) fn send_quit(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

pub(crate) fn send_user1(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

/// Unknown: then nothing is refused for its size.
pub(crate) fn free_space(_folder: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

pub(crate) fn interrupt(_child: &Child) {}

pub(crate) fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path))
}

pub(crate) fn give_to(_path: &Path, _user: u32) -> io::Result<()> {
    Err(unsupported())
}
