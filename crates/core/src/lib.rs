//! Heaps, and the readers of all formats.
//!
//! - [`heap`]: one row per object: facts from the file and columns derived from them once.
//! - [`formats`]: readers: bytes → heap, and values read on demand.

pub mod heap;

pub mod formats;
