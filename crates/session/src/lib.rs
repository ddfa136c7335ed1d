//! An opened dump over time: opening in the background, jobs, comparisons, and the state that is saved for the next
//! start. Nothing here draws, and nothing blocks its caller unless documented.
//!
//! Programs that wait for results need only [`heaplens_dump::open()`]; [`dump::open_and_wait`] adds stored
//! analyses, which make the next open fast, in the folder of [`storage_options`]. A program with a window opens a
//! [`DumpHandle`] and shows what it has so far:
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::{Arc, mpsc};
//!
//! use heaplens_session::dump::State;
//! use heaplens_session::{DumpHandle, Jobs, OpenOptions};
//!
//! let (wake, woken) = mpsc::channel();
//! let jobs = Jobs::new(Arc::new(move || wake.send(()).unwrap_or_default()));
//! let mut dump = DumpHandle::open(Path::new("app.hprof"), OpenOptions::default(), &jobs);
//! while *dump.state() == State::Opening {
//!     woken.recv()?;
//!     if dump.poll() && let Some(census) = dump.census() {
//!         println!("{} classes so far", census.rows.len());
//!     }
//! }
//! match (dump.state(), dump.analysis()) {
//!     (State::Failed(failure), _) => println!("cannot open: {failure}"),
//!     (_, Some(analysis)) => println!("{} reachable", analysis.shown.shallow),
//!     _ => println!("cancelled"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules, in reading order
//!
//! - **Work in the background.** [`jobs`]: threads with a task and a result; [`slot`]: a pending or finished answer;
//!   [`read_cache`]: values of rows on screen; [`memory`]: peak memory of the process.
//! - **One dump.** [`open_options`], with [`storage_options`]: how it is opened; [`open_settings`]: those that change
//!   its numbers. [`dump`]: a dump that is being opened, and then open; [`open_dump`]: its data, as jobs and views
//!   share them. [`output_file`]: files that are complete or do not exist; [`files`]: their names.
//! - **Several dumps.** [`comparing`]: a comparison in the background; [`comparison`]: its result, by name
//!   [`side_by_side`]; [`series`], [`chain`]: three dumps or more; [`compared_outline`]: charts of both heaps;
//!   [`javascript`]: leaks between snapshots.
//! - **Questions made of several analyses.** [`overview`], [`leaks`], [`mod@cuts`]: removals and the heap after them; [`koom`]: a report from a device;
//!   [`strip`]: a copy without values.
//! - **The user's lists.** [`runtime_classes`], [`collection_list`], [`verdicts`] on a [`verdict_target`], [`marks`]: stars and notes,
//!   queries of the user in [`saved_queries`].
//! - **The program and the desktop.** [`saved_session`], [`watch`]: changes of open files, [`instance`]: files and links
//!   for the window that is open, [`mod@link`]: a place in a dump as text.

// Work in the background.
pub mod jobs;
pub mod memory;
pub mod read_cache;
pub mod slot;

// One dump.
mod answer_folder;
pub mod dump;
pub mod files;
pub mod open_dump;
pub mod open_options;
pub mod open_settings;
pub mod output_file;
mod owner_rules;
mod recipe;
pub mod storage_options;

// Several dumps.
pub mod chain;
pub mod compared_outline;
pub mod comparing;
pub mod comparison;
pub mod javascript;
mod over_time;
pub mod series;
pub mod side_by_side;
pub mod subtree_totals;

// Questions that need more than one analysis.
pub mod cuts;
pub mod koom;
pub mod leaks;
pub mod overview;
pub mod policies;
pub mod strip;

// The user's lists.
pub mod collection_list;
mod lists;
pub mod marks;
pub mod recent_dumps;
pub mod runtime_classes;
pub mod saved_queries;
pub mod verdict_target;
pub mod verdicts;

// The program and the desktop.
pub mod folder_dumps;
pub mod instance;
pub mod link;
pub mod path_completion;
pub mod saved_session;
pub mod tour_dump;
pub mod watch;

pub use self::dump::DumpHandle;
pub use self::jobs::{DeferredDrop, JobError, Jobs};
pub use self::side_by_side::{SideRow, SideRowKind};
pub use self::{
    comparing::Comparing,
    cuts::{Cuts, HeapAfter, SavedCuts},
    koom::KoomFile,
    leaks::LeakRules,
    link::Link,
    marks::Marks,
    open_dump::OpenDump,
    open_options::OpenOptions,
    open_settings::OpenSettings,
    saved_queries::SavedQueries,
    saved_session::SavedSession,
    series::OwnerSeries,
    slot::Slot,
    verdict_target::VerdictTargets,
    verdicts::UserVerdict,
};
