//! Opens a file as the desktop does, in the program that is meant for it.

use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(target_os = "macos")]
const OPENER: &str = "open";
#[cfg(target_os = "windows")]
const OPENER: &str = "explorer";
#[cfg(not(any(target_os = "macos", target_os = "windows")))]
const OPENER: &str = "xdg-open";

/// Asks the desktop to open a file, and does not wait for it; says whether there was anybody to ask.
pub fn open(file: &Path) -> bool {
    let quiet = Stdio::null;
    let started = Command::new(OPENER).arg(file).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    let Ok(mut opener) = started else { return false };
    // Somebody has to take note of its end, or it stays in the list of processes as long as we do.
    let waiting = std::thread::Builder::new().name("opener".to_owned()).spawn(move || {
        let _ended = opener.wait();
    });
    waiting.is_ok()
}
