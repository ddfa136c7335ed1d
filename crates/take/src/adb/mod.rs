//! Apps on Android devices, by the server of `adb` on this machine.

mod dump;
mod list;
mod server;

pub(crate) use self::dump::take_android;
pub use self::list::{AndroidProcess, android_processes};
