//! Other processes and the disk: users, signals, local sockets, files below another root, free space.

/// What to do on a system whose processes are not listed in `/proc`; `None` on Linux.
pub const NOT_LISTED: Option<&str> = if cfg!(target_os = "linux") {
    None
} else {
    Some(
        "Processes of this machine are listed on Linux only: name an inspector (http://127.0.0.1:9229), an Android app \
         (android://NAME) or a remote JVM (ssh://HOST), or run 'jcmd PID GC.heap_dump FILE' and open the file",
    )
};

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use self::other::{
    LocalSocket, connect, effective_user, free_space, give_to, interrupt, open_inside, send_quit, send_user1,
};
#[cfg(unix)]
pub use self::unix::{
    LocalSocket, connect, effective_user, free_space, give_to, interrupt, open_inside, send_quit, send_user1,
};
