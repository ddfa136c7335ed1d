//! The command line as its users start it: printed answers, stored analyses, faults.

#[cfg(feature = "assistant")]
mod assistant;
mod cases;
mod check;
mod faults;
mod filters;
mod fixes;
mod giant;
mod golden;
mod incomplete;
mod invisible;
mod javascript;
mod kept_files;
mod leaks;
mod links;
mod memory_errors;
mod namesakes;
mod outputs;
mod outside;
mod ownership;
mod page;
mod planted;
mod private;
mod process;
mod queries;
mod questions;
mod reachability;
mod removals;
mod stored;
mod stripping;
mod taking;
mod text_width;
mod verdicts;
mod waste;
