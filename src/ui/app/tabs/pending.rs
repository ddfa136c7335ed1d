//! Comparisons that wait until their dumps are open.

use crate::ui::DumpKey;
use crate::ui::app::session::open_tabs::SavedComparison;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_session::Slot;

/// Dumps that are compared once all are open.
pub(in crate::ui::app) struct PendingComparison {
    pub(in crate::ui::app) dumps: Vec<DumpKey>,
    pub(in crate::ui::app) reason: ComparisonReason,
}

/// Why dumps are compared.
pub(in crate::ui::app) enum ComparisonReason {
    /// They were opened together: the last is compared with the first of its program, and none with one of another.
    OpenedTogether(ProgramSearch),
    /// The user asked for it: two dumps of one process.
    Requested,
    /// They were compared in the previous session: baseline, then target.
    Restored(SavedComparison),
}

/// Search for the program of dumps that were opened together.
#[derive(Default)]
pub(in crate::ui::app) struct ProgramSearch {
    /// Dumps in the order of comparison, once all are open.
    pub(in crate::ui::app) sorted: Vec<DumpKey>,
    /// Of each dump but the last, whether it is of the program of the last.
    pub(in crate::ui::app) found: Slot<Vec<ProgramMatch>>,
}

impl ComparisonReason {
    /// Dumps that were opened together, of programs that are still to be found out.
    pub(in crate::ui::app) fn opened_together() -> Self {
        Self::OpenedTogether(ProgramSearch::default())
    }
}

/// Two open dumps that may be compared.
pub(in crate::ui::app) struct ProgramHint {
    /// The dump that was opened last.
    pub(in crate::ui::app) of: DumpKey,
    /// The dump shown before.
    pub(in crate::ui::app) with: DumpKey,
    /// True if both are of one program; `None` if it is not known.
    pub(in crate::ui::app) is_same: Option<bool>,
}
