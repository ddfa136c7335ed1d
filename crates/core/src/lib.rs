//! The engine of heaplens: opens heap dumps of HotSpot, Android, V8, ArkTS and OpenJ9 as one columnar heap with
//! dominators and retained sizes.
//!
//! [`open()`] is the front door, [`Dump`] what it returns:
//!
//! ```no_run
//! let dump = heaplens_core::open("app.hprof")?;
//! for object in dump.largest(10) {
//!     let class = dump.class_name(dump.class_of(object));
//!     println!("{class} {}: {}", dump.id(object), dump.retained_size(object));
//! }
//! # Ok::<(), heaplens_core::OpenError>(())
//! ```
//!
//! - [`heap`]: one row per object: facts from the file and columns derived from them once.
//! - [`mod@format`]: names and properties of the formats.
//! - [`formats`]: readers: bytes → heap, and values read on demand.
//! - [`dump`]: both together, opened.
//!
//! Long operations take a [`Task`](heaplens_base::Task), which shows their progress and cancels them; sizes are
//! [`Bytes`](heaplens_base::Bytes). Questions about a whole heap (leak suspects, waste, comparisons) are in
//! `heaplens_analysis`.

pub mod dump;
pub mod format;
pub mod formats;
pub mod heap;

pub use crate::dump::Dump;
pub use crate::dump::open::{OpenOptions, open, open_with};
pub use crate::formats::error::OpenError;
