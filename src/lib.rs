//! heaplens: opens a heap dump and shows what holds the memory.
//!
//! The rooms, in reading order; each may import only rooms above it
//! (`tests/layering.rs` holds them to it):
//!
//! - [`task`]: one piece of long work: its step, progress, and cancel flag.
//! - [`units`]: sizes and counts, and the single way each is printed.
//! - [`glossary`]: the terms of the field with their definitions, from `docs/glossary.md`.
//! - [`storage`]: where large columns live: memory, mapped files, the stored analysis.
//! - [`synth`]: graphs and dumps made up for tests and benches; the second witness.
//! - [`graph`]: pure shapes: rows of edges, searches, dominators, sums.
//! - [`heap`]: one row per object; facts, and what is derived from them once.
//! - [`formats`]: bytes → heap, and values read back on demand.
//! - [`analysis`]: a question each, answered with a plain struct.
//! - [`session`]: an opened dump over time: jobs, progress, cancel.
//! - [`export`]: an answer as text, json or csv.
//! - [`tables`]: which rows, in which order, written as csv, json or text.
//! - [`cli`]: arguments → session → tables → export; the only room that prints.
//! - `ui`: the window, with the feature `gui`.

pub mod task;
pub mod units;

pub mod glossary;

pub mod storage;

pub mod synth;

pub mod graph;

pub mod heap;

pub mod formats;

pub mod analysis;

pub mod session;

pub mod export;

pub mod tables;

pub mod cli;

#[cfg(feature = "gui")]
pub mod ui;
