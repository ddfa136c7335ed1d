//! macOS, where the window server draws windows and keeps the clipboard.

use objc2_core_graphics::CGSessionCopyCurrentDictionary;

use super::session::Session;

pub(super) fn session() -> Session {
    Session::Own
}

/// A program that is started over ssh, or by the system, has no session with a screen. AppKit would end it.
pub(super) fn find_display() -> Result<(), String> {
    match CGSessionCopyCurrentDictionary() {
        Some(_session) => Ok(()),
        None => Err("no display found: this program does not run in a session with a screen".to_owned()),
    }
}
