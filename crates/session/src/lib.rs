//! An opened dump over time: the recipe of opening, jobs in the background,
//! results as they become available. Nothing here draws, and nothing blocks its caller
//! unless documented.

pub mod appearance;
pub mod chain;
pub mod comparison;
pub mod dump;
pub mod files;
pub mod instance;
mod javacore;
pub mod javascript;
pub mod jobs;
pub mod koom;
pub mod leaks;
mod lists;
pub mod mapping;
pub mod memory;
pub mod opener;
pub mod overview;
mod recipe;
pub mod runtime_classes;
pub mod saved_session;
pub mod series;
pub mod side_by_side;
pub mod slot;
pub mod storage_options;
pub mod strip;
pub mod verdicts;
pub mod watch;
