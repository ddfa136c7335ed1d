//! Takes heap dumps from running processes, without tools of the platform where that is possible.
//!
//! - [`processes`]: the processes of this machine that a dump can be taken of ([`Machine`] is where they are looked for).
//! - [`Target`]: a process as a person names it: `1234`, `docker://shop`, `android://com.example`.
//! - [`take()`]: writes the dump of a target to a file. The file appears under its name only when it is whole.
//! - [`watch`]: class histograms of a process at intervals, and rules for when a dump is due.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by it, and says where"))]

mod adb;
mod complete_dump;
mod destination;
mod error;
mod inspector;
mod jvm;
mod machine;
mod options;
mod process;
mod record;
mod remote;
mod stream;
mod take;
mod target;
pub mod watch;

pub use adb::{AndroidProcess, android_processes};
pub use destination::{Destination, Space};
pub use error::TakeError;
pub use jvm::{ClassRow, JvmConnection};
pub use machine::Machine;
pub use options::{Gzip, ProcessRecording, TakeOptions};
pub use process::{Process, ProcessKind, processes};
pub use record::RecordFile;
pub use remote::{RemoteHost, RemotePlace};
pub use take::{Taken, effect_of, take};
pub use target::Target;
