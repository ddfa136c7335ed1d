//! Tables of one dump, one module per question: how it is computed, its columns (`COLUMNS`), its totals in JSON. Keys
//! and types of all columns are in `docs/tables.md`.

// Classes, objects and where they come from.
pub(crate) mod bitmaps;
pub mod class_owners;
pub(crate) mod classes;
pub(crate) mod groups;
pub mod loaders;
pub mod native_owners;
pub mod object_filter;
pub mod objects;
pub(crate) mod roots;
pub mod secrets;
pub(crate) mod sites;
pub mod threads;

// Dominators and retained sizes.
pub mod combined_retained;
pub mod drops;
pub mod folded;
pub mod group_name;
pub mod level;
pub mod related;
pub mod retained_set;

// References and paths.
pub mod aggregated;
pub mod merged;
pub mod ownership;
pub mod path_steps;
pub mod references;
pub mod route;

// Values and waste.
pub(crate) mod collections;
pub(crate) mod finalizers;
pub(crate) mod gaps;
pub(crate) mod policies;
pub mod process;
pub(crate) mod strings;
pub mod text_hits;
pub mod variables;
pub(crate) mod waste;

// JavaScript snapshots.
pub mod javascript;
pub mod javascript_leaks;

pub use aggregated::AggregatedPaths;
pub use bitmaps::Bitmaps;
pub use classes::Classes;
pub use folded::FoldedLevel;
pub use javascript_leaks::SnapshotLeakTable;
pub use level::Level;
pub use merged::MergedPaths;
pub use objects::Objects;
pub use ownership::{OwnedObjects, OwnershipRoots};
pub use retained_set::RetainedClasses;
pub use sites::Sites;
pub use strings::Strings;
