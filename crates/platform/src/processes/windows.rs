//! Windows, whose JVMs have no attach socket that is a file.
#![expect(unsafe_code, reason = "a call of the system")]

use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::os::windows::ffi::OsStrExt;
use std::path::Path;
use std::process::Child;
use std::ptr;

use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;

/// Stands for a connection, which cannot be made here.
pub(super) type LocalSocket = TcpStream;

fn unsupported() -> io::Error {
    let why = "attaching to a process works on Linux; here run 'jcmd PID GC.heap_dump FILE'";
    io::Error::new(io::ErrorKind::Unsupported, why)
}

pub(super) fn connect(_path: &Path) -> io::Result<LocalSocket> {
    Err(unsupported())
}

pub(super) fn effective_user() -> u32 {
    0
}

pub(super) fn send_quit(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

pub(super) fn send_user1(_pid: u32) -> io::Result<()> {
    Err(unsupported())
}

pub(super) fn free_space(folder: &Path) -> io::Result<u64> {
    let name: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    // SAFETY: the name ends with a zero, and the number outlives the call; the other results may be null.
    let succeeded = unsafe { GetDiskFreeSpaceExW(name.as_ptr(), &raw mut free, ptr::null_mut(), ptr::null_mut()) };
    if succeeded == 0 { Err(io::Error::last_os_error()) } else { Ok(free) }
}

pub(super) fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path))
}

pub(super) fn set_owner(_path: &Path, _user: u32) -> io::Result<()> {
    Err(unsupported())
}

pub(super) fn interrupt(_child: &Child) {}
