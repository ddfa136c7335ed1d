//! Other processes and the disk: users, signals, local sockets, files below another root, free space.

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
