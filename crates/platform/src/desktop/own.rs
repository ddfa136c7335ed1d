//! Windows, which always has a display, and builds without a window for macOS.

use super::session::Session;

pub(super) fn session() -> Session {
    Session::Own
}

#[expect(clippy::unnecessary_wraps, reason = "other systems may have none")]
pub(super) fn find_display() -> Result<(), String> {
    Ok(())
}
