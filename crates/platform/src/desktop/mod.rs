//! The desktop: its display and clipboard, its entries, opening a file with its program.

mod opener;
#[cfg(any(not(unix), all(target_os = "macos", not(feature = "desktop"))))]
mod own;
#[cfg(all(target_os = "macos", feature = "desktop"))]
mod quartz;
mod session;
#[cfg(all(unix, not(target_os = "macos")))]
mod xdg;

pub use self::opener::open;
#[cfg(any(not(unix), all(target_os = "macos", not(feature = "desktop"))))]
use self::own as system;
#[cfg(all(target_os = "macos", feature = "desktop"))]
use self::quartz as system;
pub use self::session::Session;
#[cfg(all(unix, not(target_os = "macos")))]
use self::xdg as system;

/// The session of this process, found as winit finds it: Wayland if `WAYLAND_DISPLAY` is set, else X11.
pub fn session() -> Session {
    system::session()
}

/// Checks that there is a display.
///
/// # Errors
/// An error message for the user if there is none.
pub fn find_display() -> Result<(), String> {
    system::find_display()
}

/// True if file types and a program's entry in menus are files in a folder of the user, as freedesktop.org describes.
pub const HAS_ENTRIES: bool = cfg!(all(unix, not(target_os = "macos")));
