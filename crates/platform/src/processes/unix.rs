//! Linux and macOS.

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Child;

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, geteuid, kill_process};

pub(super) type LocalSocket = UnixStream;

pub(super) fn connect(path: &Path) -> io::Result<LocalSocket> {
    UnixStream::connect(path)
}

pub(super) fn effective_user() -> u32 {
    geteuid().as_raw()
}

pub(super) fn send_quit(pid: u32) -> io::Result<()> {
    send(pid, Signal::QUIT)
}

pub(super) fn send_user1(pid: u32) -> io::Result<()> {
    send(pid, Signal::USR1)
}

fn send(pid: u32, signal: Signal) -> io::Result<()> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(kill_process(pid, signal)?)
}

pub(super) fn free_space(folder: &Path) -> io::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(target_os = "linux")]
pub(super) fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    let folder = openat(CWD, root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = openat2(folder, path, flags, Mode::empty(), ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS)?;
    Ok(File::from(file))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path.strip_prefix("/").unwrap_or(path)))
}

pub(super) fn set_owner(path: &Path, user: u32) -> io::Result<()> {
    std::os::unix::fs::chown(path, Some(user), None)
}

pub(super) fn interrupt(child: &Child) {
    // Ignored: it may have ended on its own.
    let _gone = send(child.id(), Signal::INT);
}
