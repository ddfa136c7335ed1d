//! Linux and macOS.

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Child;

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, geteuid, kill_process};

/// A connection to a socket that is a file.
pub type LocalSocket = UnixStream;

/// Connects to the socket at `path`.
pub fn connect(path: &Path) -> io::Result<LocalSocket> {
    UnixStream::connect(path)
}

/// The user of this program.
pub fn effective_user() -> u32 {
    geteuid().as_raw()
}

/// Sends SIGQUIT, on which a JVM opens its attach socket.
pub fn send_quit(pid: u32) -> io::Result<()> {
    send(pid, Signal::QUIT)
}

/// Sends SIGUSR1, on which Node starts its inspector.
pub fn send_user1(pid: u32) -> io::Result<()> {
    send(pid, Signal::USR1)
}

fn send(pid: u32, signal: Signal) -> io::Result<()> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(kill_process(pid, signal)?)
}

/// Bytes that this user can still write to the disk of `folder`.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Opens a file below the root folder of another process for reading. Links are followed inside that root only: they may
/// have been made by someone who wants a file of ours to be copied.
#[cfg(target_os = "linux")]
pub fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    let folder = openat(CWD, root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = openat2(folder, path, flags, Mode::empty(), ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS)?;
    Ok(File::from(file))
}

/// The same, where processes have no root folders of their own.
#[cfg(not(target_os = "linux"))]
pub fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    File::open(root.join(path.strip_prefix("/").unwrap_or(path)))
}

/// Makes `user` the owner of a file or folder, which only root may do.
pub fn give_to(path: &Path, user: u32) -> io::Result<()> {
    std::os::unix::fs::chown(path, Some(user), None)
}

/// Asks a child to end, so that it can remove what it made.
pub fn interrupt(child: &Child) {
    // Ignored: it may have ended on its own.
    let _gone = send(child.id(), Signal::INT);
}
