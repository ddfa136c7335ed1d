//! Changes that can be undone, in the order of time.

use super::session::EarlierMark;
use super::session::open_tabs::{SavedComparison, SavedTab};
use crate::ui::{DumpKey, View, ViewState};
use heaplens_session::UserVerdict;
use heaplens_session::cuts::SavedList;

/// Changes remembered; the oldest are forgotten first.
const STEPS: usize = 200;

/// A change that can be undone.
pub(super) enum Step {
    /// The list of removals of a dump, which has its own history.
    Removals(DumpKey),
    /// A verdict; it is what to set in its place.
    Verdict(Box<UserVerdict>),
    /// A star or a note.
    Mark(Box<EarlierMark>),
    /// A closed tab.
    Tab(Box<ClosedTab>),
}

/// A closed tab.
pub(super) enum ClosedTab {
    Dump(ClosedDump),
    Comparison(SavedComparison),
}

/// A closed tab of a dump, with what sessions do not store.
pub(super) struct ClosedDump {
    pub(super) saved: SavedTab,
    pub(super) key: DumpKey,
    /// Index among all tabs.
    pub(super) index: usize,
    /// Its removals: another tab of the same dump may have others. `None` if it was not open.
    pub(super) cuts: Option<SavedList>,
    /// Filters, orders and scroll positions of its views.
    pub(super) views: Vec<(View, ViewState)>,
}

/// Changes in the order of time.
#[derive(Default)]
pub(super) struct UndoSteps {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// True while a note is being edited that has its step.
    is_in_note: bool,
}

impl UndoSteps {
    /// Remembers a change; what was undone cannot be redone any more.
    pub(super) fn push(&mut self, step: Step) {
        self.undone.clear();
        self.is_in_note = false;
        self.put(step, false);
    }

    /// Remembers a change of a note: all of one edit are one step.
    pub(super) fn push_note(&mut self, earlier: EarlierMark) {
        let continues = self.is_in_note
            && matches!(self.done.last(), Some(Step::Mark(before)) if before.is_of_same_object(&earlier));
        if !continues {
            self.push(Step::Mark(Box::new(earlier)));
        }
        self.is_in_note = true;
    }

    /// Ends the edit of a note: a later change of it is another step.
    pub(super) fn end_note(&mut self) {
        self.is_in_note = false;
    }

    /// Has the removals of a dump that was closed be those of the tab in which it is open again.
    pub(super) fn follow_dump(&mut self, closed: DumpKey, open: DumpKey) {
        for step in self.done.iter_mut().chain(&mut self.undone) {
            match step {
                Step::Removals(of) if *of == closed => *of = open,
                _ => {}
            }
        }
    }

    /// The changes to redo, or to undo.
    fn steps(&mut self, is_undone: bool) -> &mut Vec<Step> {
        if is_undone { &mut self.undone } else { &mut self.done }
    }

    /// Adds a change to those to redo, or to undo.
    pub(super) fn put(&mut self, step: Step, is_undone: bool) {
        let steps = self.steps(is_undone);
        if steps.len() == STEPS {
            steps.remove(0);
        }
        steps.push(step);
    }

    /// True if there is a change to undo, or to redo.
    pub(super) fn has(&self, is_redo: bool) -> bool {
        !if is_redo { &self.undone } else { &self.done }.is_empty()
    }

    /// True if a tab was closed.
    pub(super) fn has_closed_tab(&self) -> bool {
        self.done.iter().any(|step| matches!(step, Step::Tab(_)))
    }

    pub(super) fn take(&mut self, is_redo: bool) -> Option<Step> {
        self.is_in_note = false;
        self.steps(is_redo).pop()
    }

    pub(super) fn take_closed_tab(&mut self) -> Option<ClosedTab> {
        let at = self.done.iter().rposition(|step| matches!(step, Step::Tab(_)))?;
        match self.done.remove(at) {
            Step::Tab(tab) => Some(*tab),
            _ => None,
        }
    }

    /// Drops the last change of the removals of a dump, which is undone or redone in their list.
    pub(super) fn take_removals(&mut self, of: DumpKey, is_redo: bool) {
        let steps = self.steps(is_redo);
        if let Some(at) = steps.iter().rposition(|step| matches!(step, Step::Removals(dump) if *dump == of)) {
            steps.remove(at);
        }
    }
}
