//! What every part of heaplens uses.
//!
//! - [`task`]: a long-running operation: its step, progress and cancel flag.
//! - [`named`]: stable words of values, for options, JSON and saved questions.
//! - [`units`]: sizes and counts, and how each is formatted.
//! - [`storage`]: storage of large columns: memory, mapped files, the stored analysis.

pub mod named;
pub mod task;
pub mod units;

pub mod storage;
