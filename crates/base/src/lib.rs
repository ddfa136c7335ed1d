//! What every crate of heaplens uses, independent of graphs and heaps.
//!
//! - [`task`]: a long-running operation: its step, its progress, its cancel flag. There is no process-wide progress.
//! - [`shared`]: a result that several tasks need and that is computed once.
//! - [`invisible`]: characters that are not seen, and text in which they are.
//! - [`library_call`]: calls into other crates that may panic on damaged data.
//! - [`threads`]: how threads are started, and in which pool a long operation runs.
//! - [`units`]: sizes, counts, shares and differences, and the one way each is formatted. Sizes are bytes, in `u64`.
//! - [`mod@named`]: stable words of values, for options, JSON and saved questions.
//! - [`storage`]: large columns: in memory up to a limit, then in mapped files; the stored analysis of a dump; what
//!   happens when memory or a file fails.

mod addresses;
pub mod invisible;
pub mod library_call;
pub mod named;
pub mod shared;
pub mod task;
pub mod threads;
pub mod times;
pub mod units;

pub mod storage;

pub use named::{Name, Named};
pub use shared::Shared;
pub use task::{CHECKPOINT_EVERY, Cancelled, Progress, Task, Unit};
pub use units::{ByteDelta, Bytes, Count, CountDelta, Share};
