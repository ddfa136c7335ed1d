//! Storage of large columns: in memory while they are computed, in mapped files once they are finished. A completed
//! file becomes the *stored analysis*, which the next open of the same dump maps instead of reading the dump again.
//!
//! This module does not know the meaning of any column.

pub mod buffer;
pub mod build_key;
pub mod checked_file;
mod checks;
mod checksum;
pub mod column;
pub mod column_file;
pub mod disk_space;
pub mod file_state;
pub mod folder;
pub mod kept_copy;
pub mod mapping;
pub mod memory_budget;
pub mod numbers;
pub mod out_of_memory;
mod pool;
pub mod raw_values;
pub mod reserve;
mod spilling_column;
pub mod stored;
pub mod trim;
mod writer;

pub use self::buffer::{Buffer, as_atomics};
pub use self::column::{Column, ForwardColumn};
pub use self::column_file::ColumnFile;
pub use self::folder::Folder;
pub use self::kept_copy::KeptCopy;
pub use self::memory_budget::MemoryBudget;
pub use self::numbers::{Numbers, Slices};
pub use self::out_of_memory::OutOfMemory;
pub use self::stored::StoredAnalysis;
pub use heaplens_platform::processor::{count_ones, prefetch};
