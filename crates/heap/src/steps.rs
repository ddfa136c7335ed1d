//! Steps of every analysis, as tasks report them.

/// All, in their order: a progress page lists those that are still to come.
pub const STEPS: [&str; 4] = [INDEXING, SEARCHING, DOMINATORS, RETAINED];

/// The step instead of reading and of all of these, if an earlier open stored the analysis.
pub const STORED: &str = "Opening the stored analysis";

pub(super) const INDEXING: &str = "Indexing referrers";
pub(super) const SEARCHING: &str = "Searching from GC roots";
pub(super) const DOMINATORS: &str = "Computing dominators";
pub(super) const RETAINED: &str = "Computing retained sizes";
