//! Systems whose JVMs have no attach socket that is a file, such as Windows.

use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;

/// Stands for a connection, which cannot be made here.
pub type LocalSocket = TcpStream;

fn unsupported() -> io::Error {
    let why = "attaching to a process works on Linux; here run 'jcmd PID GC.heap_dump FILE'";
    io::Error::new(io::ErrorKind::Unsupported, why)
}

pub fn connect(_path: &Path) -> io::Result<LocalSocket> {
    Err(unsupported())
}

pub fn effective_user() -> u32 {
    0
}

pub fn send_quit(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

pub fn send_user1(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

/// Unknown: then nothing is refused for its size.
pub fn free_space(_folder: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

pub fn interrupt(_child: &Child) {}

pub fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path))
}

pub fn give_to(_path: &Path, _user: u32) -> io::Result<()> {
    Err(unsupported())
}
