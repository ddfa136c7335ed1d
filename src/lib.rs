//! heaplens: a heap dump analyzer with a window and a command line.
//!
//! Modules, in reading order; each may import only modules above it (checked by `tests/layering.rs`):
//!
//! - [`task`]: a long-running operation: its step, progress and cancel flag.
//! - [`units`]: sizes and counts, and how each is formatted.
//! - [`glossary`]: terms of the field with their definitions, from `docs/glossary.md`.
//! - [`storage`]: storage of large columns: memory, mapped files, the stored analysis.
//! - [`synth`]: generated graphs and dumps for tests and benchmarks, independent of the readers.
//! - [`graph`]: graph algorithms: adjacency rows, searches, dominators, sums.
//! - [`heap`]: one row per object: facts from the file and columns derived from them once.
//! - [`formats`]: readers: bytes → heap, and values read on demand.
//! - [`analysis`]: analyses, each with a plain struct as result.
//! - [`session`]: an open dump: background jobs, progress, cancellation.
//! - [`export`]: results as text, JSON, csv, Markdown or HTML.
//! - [`tables`]: selection and order of rows, written as csv, JSON or text.
//! - [`cli`]: arguments → session → tables → export; the only module that prints.
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
