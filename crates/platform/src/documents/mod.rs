//! Documents and links that the system asks an open program to show: on macOS by Apple events, when a document is opened
//! in Finder or dropped on the icon in the Dock. Other systems start the program again, with arguments.

#[cfg(all(feature = "desktop", target_os = "macos"))]
mod apple_events;
#[cfg(not(all(feature = "desktop", target_os = "macos")))]
mod arguments;
mod request;

use std::sync::mpsc::Sender;

#[cfg(all(feature = "desktop", target_os = "macos"))]
use self::apple_events as system;
#[cfg(not(all(feature = "desktop", target_os = "macos")))]
use self::arguments as system;

pub use self::request::DocumentRequest;

/// Sends the requests to come, those during the start included; none on other systems. To be called once, on the main
/// thread, before the event loop begins.
pub fn expect(requests: Sender<DocumentRequest>) {
    system::expect(requests);
}
