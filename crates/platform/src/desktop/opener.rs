//! Opening a file with its program.

use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(target_os = "macos")]
const OPENER: &str = "open";
#[cfg(target_os = "windows")]
const OPENER: &str = "explorer";
#[cfg(not(any(target_os = "macos", target_os = "windows")))]
const OPENER: &str = "xdg-open";

/// Asks the desktop to open a file without waiting; true if the request could be sent.
pub fn open(file: &Path) -> bool {
    let quiet = Stdio::null;
    let started = Command::new(OPENER).arg(file).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    let Ok(mut opener) = started else { return false };
    // The child must be waited for, or it remains as a zombie.
    let waiting = std::thread::Builder::new().name("opener".to_owned()).spawn(move || {
        let _ended = opener.wait();
    });
    waiting.is_ok()
}
