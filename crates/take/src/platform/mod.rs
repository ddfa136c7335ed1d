//! What differs between systems: users, signals, free space, local sockets.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use self::other::{
    LocalSocket, connect, effective_user, free_space, give_to, interrupt, open_inside, send_quit, send_user1,
};
#[cfg(unix)]
pub(crate) use self::unix::{
    LocalSocket, connect, effective_user, free_space, give_to, interrupt, open_inside, send_quit, send_user1,
};
