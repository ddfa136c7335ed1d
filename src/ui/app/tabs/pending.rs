//! Comparisons that wait until their dumps are open.

use crate::ui::DumpKey;
use crate::ui::app::session::open_tabs::SavedComparison;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_session::Slot;

/// Dumps that are compared once all are open.
pub(crate) struct PendingComparison {
    pub(crate) dumps: Vec<DumpKey>,
    pub(crate) reason: ComparisonReason,
}

/// Why dumps are compared.
pub(crate) enum ComparisonReason {
    /// They were opened together: the last is compared with the first of its program, and none with one of another.
    OpenedTogether(ProgramSearch),
    /// The user asked for it: two dumps of one process.
    Requested,
    /// They were compared in the previous session: baseline, then target.
    Restored(SavedComparison),
}

/// Search for the program of dumps that were opened together.
#[derive(Default)]
pub(crate) struct ProgramSearch {
    /// Dumps in the order of comparison, once all are open.
    pub(crate) sorted: Vec<DumpKey>,
    /// Of each dump but the last, whether it is of the program of the last.
    pub(crate) matches: Slot<Vec<ProgramMatch>>,
}

impl ComparisonReason {
    /// Dumps that were opened together, of programs that are still to be found out.
    pub(crate) fn opened_together() -> Self {
        Self::OpenedTogether(ProgramSearch::default())
    }
}

/// Two open dumps that may be compared.
pub(crate) struct ProgramHint {
    /// The dump that was opened last.
    pub(crate) of: DumpKey,
    /// The dump shown before.
    pub(crate) with: DumpKey,
    /// True if both are of one program; `None` if it is not known.
    pub(crate) is_same: Option<bool>,
}
