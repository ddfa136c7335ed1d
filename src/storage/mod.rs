//! Where large columns live: in memory while they are worked on, in mapped
//! files once they are done. Files that end well become the *stored analysis*,
//! which the next open of the same dump maps instead of reading the dump again.
//!
//! Nothing here knows what a column means.

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
