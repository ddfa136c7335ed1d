//! Storage of large columns: in memory while they are computed, in mapped files once they are finished. A completed
//! file becomes the *stored analysis*, which the next open of the same dump maps instead of reading the dump again.
//!
//! This module does not know the meaning of any column.

pub mod buffer;
mod checks;
mod checksum;
pub mod column;
pub mod folder;
pub mod freed;
mod guard;
pub mod mapping;
pub mod numbers;
mod pending;
mod pool;
pub mod reserve;
pub mod shelf;
pub mod shortage;
pub mod space;
pub mod stored;
mod writer;
