//! Answers that the window waits for: selected files, a renamed dump, dumps to compare.

use std::path::PathBuf;
use std::sync::Arc;

use super::open_tabs::SavedComparison;
use crate::ui::{Command, DumpKey};
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_dump::facts::Facts;
use heaplens_dump::mapping::MappingFile;
use heaplens_session::Slot;

/// Files from a dialog or from another process; none if the dialog was dismissed.
#[derive(Default)]
pub(super) struct FileSelection {
    pub(super) paths: Vec<PathBuf>,
    /// Links from another process.
    pub(super) links: Vec<String>,
    /// Command for a companion file, and the dump that was current when the dialog opened.
    pub(super) command: Option<(DumpKey, Command)>,
    /// Sent by another process; the window may be behind others.
    pub(super) from_outside: bool,
}

/// Dump after its names were replaced.
pub(super) struct MappedDump {
    pub(super) key: DumpKey,
    pub(super) mapping: Arc<MappingFile>,
    /// Dump before the mapping was applied.
    pub(super) of: Facts,
    pub(super) renamed: Facts,
}

/// Dumps that are compared once all are open.
pub(super) struct PendingComparison {
    pub(super) dumps: Vec<DumpKey>,
    pub(super) reason: ComparisonReason,
}

/// Why dumps are compared.
pub(super) enum ComparisonReason {
    /// They were opened together: the last is compared with the first of its program, and none with one of another.
    OpenedTogether(ProgramSearch),
    /// The user asked for it: two dumps of one process.
    Requested,
    /// They were compared in the previous session: baseline, then target.
    Restored(SavedComparison),
}

/// Search for the program of dumps that were opened together.
#[derive(Default)]
pub(super) struct ProgramSearch {
    /// Dumps in the order of comparison, once all are open.
    pub(super) sorted: Vec<DumpKey>,
    /// Of each dump but the last, whether it is of the program of the last.
    pub(super) found: Slot<Vec<ProgramMatch>>,
}

impl ComparisonReason {
    /// Dumps that were opened together, of programs that are still to be found out.
    pub(super) fn opened_together() -> Self {
        Self::OpenedTogether(ProgramSearch::default())
    }
}

/// Two open dumps that may be compared.
pub(super) struct ProgramHint {
    /// The dump that was opened last.
    pub(super) of: DumpKey,
    /// The dump shown before.
    pub(super) with: DumpKey,
    /// True if both are of one program; `None` if it is not known.
    pub(super) is_same: Option<bool>,
}
