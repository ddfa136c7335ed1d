//! State of verdicts in the window: rules, verdicts being saved, and open dialogs.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::ui::DumpKey;
use crate::ui::shell::verdict::Editor;
use heaplens_session::{LeakRules, Slot, UserVerdict, leaks::KnownLeaks};

/// Rules in force, verdicts being saved, and the open dialogs.
#[derive(Default)]
pub(super) struct Verdicts {
    pub(super) rules: Arc<LeakRules>,
    /// Known leaks of libraries, read at start.
    pub(super) known_leaks: Arc<KnownLeaks>,
    /// Verdicts of this session that are stored nowhere, newest first.
    pub(super) unkept: Vec<UserVerdict>,
    pub(super) keeping: Slot<(Arc<LeakRules>, String)>,
    /// Verdicts waiting to be saved, in order.
    pub(super) waiting: VecDeque<UserVerdict>,
    /// Previous verdicts, for undo.
    pub(super) before: Vec<UserVerdict>,
    /// Open dialog and the dump whose objects it names.
    pub(super) editor: Option<(Option<DumpKey>, Editor)>,
    pub(super) is_listing: bool,
}

impl Verdicts {
    /// True while a verdict is being saved.
    pub(super) fn is_running(&self) -> bool {
        self.keeping.is_running() || !self.waiting.is_empty()
    }

    /// True while a dialog is open and takes the keys.
    pub(super) fn is_open(&self) -> bool {
        self.editor.is_some() || self.is_listing
    }

    /// Closes the dialog about objects of a dump that was reloaded.
    pub(super) fn forget(&mut self, dump: DumpKey) {
        self.editor = self.editor.take().filter(|(of, _)| *of != Some(dump));
    }
}
