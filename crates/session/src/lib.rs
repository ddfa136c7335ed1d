//! An opened dump over time: the recipe of opening, jobs in the background,
//! results as they become available. Nothing here draws, and nothing blocks its caller
//! unless documented.

pub mod appearance;
pub mod chain;
pub mod compared_outline;
pub mod comparing;
pub mod comparison;
pub mod cuts;
pub mod dump;
pub mod files;
pub mod instance;
pub mod javascript;
pub mod jobs;
pub mod koom;
pub mod leaks;
mod lists;
pub mod marks;
pub mod memory;
pub mod open_dump;
pub mod open_options;
pub mod open_settings;
pub mod opener;
mod over_time;
pub mod overview;
mod recipe;
pub mod runtime_classes;
pub mod saved_session;
pub mod series;
pub mod side_by_side;
pub mod slot;
pub mod storage_options;
pub mod strip;
pub mod verdict_target;
pub mod verdicts;
pub mod watch;

pub use comparing::Comparing;
pub use comparison::Comparison;
pub use cuts::Cuts;
pub use dump::{DumpHandle, LoadedDump};
pub use jobs::{DeferredDrop, JobError, Jobs};
pub use koom::KoomFile;
pub use leaks::LeakRules;
pub use marks::Marks;
pub use open_dump::OpenDump;
pub use open_options::OpenOptions;
pub use open_settings::OpenSettings;
pub use saved_session::SavedSession;
pub use series::OwnerSeries;
pub use side_by_side::{SideRow, SideRowKind};
pub use slot::Slot;
pub use verdict_target::VerdictTargets;
pub use verdicts::UserVerdict;
