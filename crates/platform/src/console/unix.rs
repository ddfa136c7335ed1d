//! Linux and macOS, which open no consoles. Finder starts programs by the first process of the system (launchd).

use std::io::Stdout;

use rustix::process::{Pid, getppid};
use rustix::termios::tcgetwinsize;

pub(super) fn close_own() -> bool {
    cfg!(target_os = "macos") && getppid() == Some(Pid::INIT)
}

pub(super) fn columns(output: &Stdout) -> Option<usize> {
    tcgetwinsize(output).ok().map(|size| size.ws_col.into())
}
