//! Reports: outlines of names and figures, computed once for a whole dump. The top-level rows are those of a table of
//! the command line; below each are the objects, classes or frames behind it. Reports of JavaScript snapshots fail for
//! other dumps, those of growth without a comparison.

pub mod allocated;
pub mod baseline_classes;
pub mod class_parts;
pub mod classes;
pub mod closures;
pub mod collections;
pub mod detached;
pub mod elide;
pub mod finalizers;
pub mod gaps;
pub mod groups;
pub mod growth;
pub mod loaders;
pub mod native_contexts;
pub mod policies;
pub mod process;
pub mod related;
pub mod retained_by;
pub mod roots;
pub mod rows;
pub mod second_line;
pub mod sites;
pub mod strings;
pub mod threads;
pub mod waste;
