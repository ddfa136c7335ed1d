//! Kinds of desktops.

/// What draws windows and keeps the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Session {
    /// A Wayland compositor.
    Wayland,
    /// An X server.
    X11,
    /// The system itself: Windows, macOS.
    Own,
}
