//! The heap after removals in a tab, and the views of the heap that is not on screen.

use crate::ui::location::View;
use crate::ui::view_selection::ViewSelections;
use crate::ui::views::all::Views;
use heaplens_session::open_dump::labels::Labels;
use heaplens_session::open_dump::selection::Selection;
use heaplens_session::{Comparing, DumpHandle, HeapAfter, Jobs, OpenDump};

/// Views of a heap that is not on screen, as they were left.
#[derive(Default)]
pub(super) struct HiddenViews {
    pub(super) views: Views,
    pub(super) labels: Labels,
    pub(super) selection: Selection,
    pub(super) selected_rows: u64,
    pub(super) selected_in: Option<View>,
    pub(super) selections: ViewSelections,
}

/// The heap after the removals, and which of the two heaps is on screen.
#[derive(Default)]
pub(super) struct AfterRemovals {
    pub(super) heap: HeapAfter,
    /// True if the user wants to see the heap after, also while it is derived.
    pub(super) is_wanted: bool,
    /// The heap after, while it is on screen.
    pub(super) shown: Option<OpenDump>,
    /// What they changed: the heap after, compared with the dump.
    pub(super) comparing: Option<Comparing>,
    /// Views of the other heap, if there is one.
    pub(super) hidden: Option<Box<HiddenViews>>,
}

impl AfterRemovals {
    /// Compares the heap after the removals with the dump, while it is on screen.
    pub(super) fn compare(&mut self, dump: &DumpHandle, before: Option<&OpenDump>, jobs: &Jobs) {
        if let (Some(shown), Some(before), None) = (&self.shown, before, &self.comparing) {
            self.comparing = dump.share().map(|dump| Comparing::new(dump, before, shown, jobs));
        }
    }
}
