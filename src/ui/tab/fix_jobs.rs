//! Fixes that a tab reads and writes in the background.

use std::path::PathBuf;

use heaplens_session::Slot;
use heaplens_session::cuts::{Fix, ResolvedFix};

/// Where a fix is from.
pub enum FixSource {
    /// A file.
    File(PathBuf),
    /// The removals of another dump.
    Known(Fix),
}

/// A fix that was saved.
pub struct SavedFix {
    /// Its name.
    pub name: String,
    /// Number of its removals.
    pub removals: usize,
    /// The file.
    pub path: PathBuf,
}

/// Fixes that are read and written in the background.
#[derive(Default)]
pub(super) struct FixJobs {
    pub(super) saving: Slot<SavedFix>,
    pub(super) applying: Slot<ResolvedFix>,
}

impl FixJobs {
    /// True while a fix is read or written.
    pub(super) fn is_running(&self) -> bool {
        self.saving.is_running() || self.applying.is_running()
    }
}
