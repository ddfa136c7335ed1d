//! Which finding is looked at: the one somebody comes for, or that of the place they come back to.

use super::{Leaks, accumulates_in};
use crate::heap::ids::ObjectId;

impl Leaks {
    /// Shows the finding of what accumulates in an object, as soon as it is found.
    pub fn look_for(&mut self, object: ObjectId) {
        self.wanted = Some(object).filter(|_| !self.found.is_there);
        if let Some(at) = self.accumulating_in(object) {
            self.choose(at);
        }
    }

    pub(super) fn accumulating_in(&self, object: ObjectId) -> Option<usize> {
        self.found.findings.iter().position(|finding| accumulates_in(finding) == Some(object))
    }

    fn choose(&mut self, at: usize) {
        self.chosen = Some(at);
        let is_let_through = self.chosen().is_some_and(|finding| finding.passes(self.filter.pattern()));
        if !is_let_through {
            self.filter.set("");
        }
        self.show_chosen();
    }

    /// The chosen finding is to be seen in the list.
    pub(super) fn show_chosen(&mut self) {
        if let Some(group) = self.chosen().map(|finding| finding.group) {
            self.folded.retain(|&folded| folded != group);
        }
        self.lay_out();
    }

    /// Who comes back to a place sees the finding that was looked at there.
    pub(super) fn follow(&mut self, object: Option<ObjectId>) {
        if self.followed == object {
            return;
        }
        self.followed = object;
        let is_chosen = self.chosen().and_then(accumulates_in) == object;
        if let Some(at) = object.filter(|_| !is_chosen).and_then(|object| self.accumulating_in(object)) {
            self.choose(at);
        }
    }
}
