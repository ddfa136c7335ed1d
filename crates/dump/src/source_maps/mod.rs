//! Source maps of the scripts of a snapshot: found by the names of the scripts, checked against the snapshot, and applied
//! to names of classes, functions and variables. Stored analyses contain the names of the scripts.

mod applied;
mod candidates;
mod given;
mod locations;
mod maps;

pub use self::applied::{AppliedSources, NamedHeap};
pub use self::given::GivenMaps;
pub use self::maps::SourceMaps;
