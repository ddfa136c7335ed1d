//! The engine of heaplens: opens heap dumps of HotSpot, Android, V8, ArkTS and OpenJ9 as one columnar heap with
//! dominators and retained sizes.
//!
//! [`open()`] is the front door, [`Dump`] what it returns:
//!
//! ```no_run
//! let dump = heaplens_dump::open("app.hprof")?;
//! for object in dump.largest(10) {
//!     let class = dump.class_name(dump.class_of(object));
//!     println!("{class} {}: {}", dump.id(object), dump.retained_size(object));
//! }
//! # Ok::<(), heaplens_dump::OpenError>(())
//! ```
//!
//! [`heaplens_heap`] is what it consists of: one row per object, facts from the file and columns derived from them once.
//! [`heaplens_formats`] are the readers: bytes → heap, and values read on demand. This crate is both together, opened.
//!
//! Long operations take a [`Task`](heaplens_base::Task), which shows their progress and cancels them; sizes are
//! [`Bytes`](heaplens_base::Bytes). Questions about a whole heap (leak suspects, waste, comparisons) are in
//! `heaplens_analysis`.

mod dump;
pub mod facts;
pub mod mapping;
pub mod open;
pub mod record;
pub mod source_maps;

pub use self::dump::Dump;
pub use self::open::{OpenOptions, open, open_with};
pub use heaplens_formats::error::OpenError;
