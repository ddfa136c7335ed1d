//! Other processes and the disk: users, signals, local sockets, files below another root, free space.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command};

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// What to do on a system whose processes are not listed in `/proc`; `None` on Linux.
pub const NOT_LISTED: Option<&str> = if cfg!(target_os = "linux") {
    None
} else {
    Some(
        "Processes of this machine are listed on Linux only: name an inspector (http://127.0.0.1:9229), an Android app \
         (android://NAME) or a remote JVM (ssh://HOST), or run 'jcmd PID GC.heap_dump FILE' and open the file",
    )
};

/// A command line of the user, as the shell of the system runs it.
pub fn shell(command_line: &str) -> Command {
    let [shell, option] = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let mut command = Command::new(shell);
    command.args([option, command_line]);
    command
}

/// A connection to a socket that is a file; on Windows no such connection can be made.
pub type LocalSocket = system::LocalSocket;

/// Connects to the socket at `path`.
///
/// # Errors
/// If nobody listens.
pub fn connect(path: &Path) -> io::Result<LocalSocket> {
    system::connect(path)
}

/// Number of the user of this program; 0 on Windows, where users have none.
pub fn effective_user() -> u32 {
    system::effective_user()
}

/// Sends SIGQUIT, on which a JVM opens its attach socket.
///
/// # Errors
/// If there is no such process, it belongs to another user, or the system has no signals.
pub fn send_quit(pid: u32) -> io::Result<()> {
    system::send_quit(pid)
}

/// Sends SIGUSR1, on which Node starts its inspector.
///
/// # Errors
/// As [`send_quit`].
pub fn send_user1(pid: u32) -> io::Result<()> {
    system::send_user1(pid)
}

/// Bytes that this user can still write to the disk of `folder`.
///
/// # Errors
/// If there is no such folder.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    system::free_space(folder)
}

/// Opens a file below the root folder of another process for reading. On Linux links are followed inside that root only:
/// they may have been made by someone who wants a file of ours to be copied. Elsewhere processes have no roots of their
/// own.
///
/// # Errors
/// Those of the file.
pub fn open_inside(root: &Path, path: &Path) -> io::Result<File> {
    system::open_inside(root, path)
}

/// Makes `user` the owner of a file or folder, which only root may do.
///
/// # Errors
/// If it may not be done, or users have no numbers.
pub fn set_owner(path: &Path, user: u32) -> io::Result<()> {
    system::set_owner(path, user)
}

/// Asks a child to end, so that it can remove what it made; on Windows it ends with its console.
pub fn interrupt(child: &Child) {
    system::interrupt(child);
}
