//! Linux and macOS, which open no consoles. Finder starts programs by the first process of the system (launchd).

use rustix::process::{Pid, getppid};

pub(super) fn close_own() -> bool {
    cfg!(target_os = "macos") && getppid() == Some(Pid::INIT)
}
