//! Selection of a finding or leak: the requested one, or the one of a location in the history.

use std::sync::Arc;

use super::Leaks;
use crate::ui::ViewContext;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::android::shark::{Leak, LeakReport};
use heaplens_heap::ObjectId;
use heaplens_tables::leak_list::android_leaks::AndroidLeakGroup;
use heaplens_tables::leak_list::filter::{NUMBERS, finding_passes, leak_passes};
use heaplens_tables::leak_list::groups::GroupHead;
use heaplens_tables::leak_list::lines::LeakLine;
use heaplens_tables::leak_list::search::AT_ONCE;

impl Leaks {
    /// Selected finding.
    pub fn chosen(&self) -> Option<&LeakFinding> {
        if let LeakLine::Finding(at) = self.chosen? { self.findings.findings.get(at) } else { None }
    }

    /// Selected Android leak.
    pub fn chosen_leak(&self) -> Option<&Leak> {
        if let LeakLine::Leak(at) = self.chosen? { self.traces.leak(at) } else { None }
    }

    /// Report on Android leaks, once computed.
    pub fn report(&self) -> Option<&Arc<LeakReport>> {
        self.traces.report()
    }

    /// True while it is being computed.
    pub fn is_tracing(&self) -> bool {
        self.traces.is_running()
    }

    /// Starts the search in advance if it is quick.
    pub fn trace_early(&mut self, context: &ViewContext<'_>) {
        if context.dump.heap.len() <= AT_ONCE {
            self.traces.ask(context.dump, context.jobs, context.references);
        }
    }

    /// Shows the next or previous trace of the selected leak. `None` without a selected leak, else the leaking object
    /// of that trace, if there is one.
    pub fn step_trace(&mut self, forwards: bool) -> Option<Option<ObjectId>> {
        if let LeakLine::Leak(at) = self.chosen? { Some(self.traces.step(at, forwards)) } else { None }
    }

    /// Selects the leak of an object.
    pub fn look_for(&mut self, object: ObjectId) {
        if let Some(line) = self.about(object) {
            self.choose(line);
        }
    }

    /// Selects the finding with this fingerprint, once it is found.
    pub fn look_for_finding(&mut self, fingerprint: String) {
        match self.known_by(&fingerprint) {
            Some(line) => self.choose(line),
            None => {
                self.wanted = Some(fingerprint);
                // Also after it was cancelled: only the search for waste can still find it.
                if self.findings.is_there {
                    self.search.want_waste();
                }
            }
        }
    }

    /// Row of the leak trace, or of the finding, with a fingerprint. It differs between all of a dump.
    pub(super) fn known_by(&self, fingerprint: &str) -> Option<LeakLine> {
        let traced =
            self.report().and_then(|report| report.leaks.iter().position(|leak| leak.fingerprint == fingerprint));
        let finding = || self.findings.findings.iter().position(|finding| finding.fingerprint == fingerprint);
        traced.map(LeakLine::Leak).or_else(|| finding().map(LeakLine::Finding))
    }

    /// Row of an object: its leak, or the finding that names it.
    pub(super) fn about(&mut self, object: ObjectId) -> Option<LeakLine> {
        let leak = self.traces.look_for(object).map(LeakLine::Leak);
        leak.or_else(|| self.naming(object).map(LeakLine::Finding))
    }

    /// Index of the finding for an object.
    pub(super) fn naming(&self, object: ObjectId) -> Option<usize> {
        self.findings.findings.iter().position(|finding| finding.named_object == Some(object))
    }

    pub(super) fn object_of(&self, line: LeakLine) -> Option<ObjectId> {
        match line {
            LeakLine::Leak(at) => self.traces.leaking(at),
            LeakLine::Lost(at) => self.traces.unreachable(at).map(|object| object.object),
            LeakLine::Finding(at) => self.findings.findings.get(at).and_then(|finding| finding.named_object),
            LeakLine::Head(_) => None,
        }
    }

    pub(super) fn choose(&mut self, line: LeakLine) {
        (self.chosen, self.is_picked) = (Some(line), true);
        let filter = &self.filter.checked(&NUMBERS);
        let total = self.traces.report().map(|report| report.metadata.bytes).unwrap_or_default();
        let is_let_through = match line {
            LeakLine::Leak(at) => self.traces.leak(at).is_some_and(|leak| leak_passes(leak, total, filter)),
            _ => self.chosen().is_some_and(|finding| finding_passes(finding, filter)),
        };
        if !is_let_through {
            self.filter.set("");
        }
        self.show_chosen();
    }

    pub(super) fn head_of(&self, line: LeakLine) -> Option<GroupHead> {
        Some(match line {
            LeakLine::Head(head) => head,
            LeakLine::Leak(at) => GroupHead::Gone(AndroidLeakGroup::of(self.traces.leak(at)?)),
            LeakLine::Lost(_) => GroupHead::Gone(AndroidLeakGroup::Unreachable),
            LeakLine::Finding(at) => GroupHead::Group(self.findings.findings.get(at)?.section()),
        })
    }

    /// Scrolls the list to the selected row.
    pub(super) fn show_chosen(&mut self) {
        if let Some(head) = self.chosen.and_then(|line| self.head_of(line)) {
            self.folded.0.retain(|&folded| folded != head);
        }
        self.lay_out();
    }

    /// Going back restores the selected row.
    pub(super) fn follow(&mut self, object: Option<ObjectId>) {
        if self.followed == object {
            return;
        }
        self.followed = object;
        let is_chosen = self.chosen.and_then(|line| self.object_of(line)) == object;
        let Some(object) = object.filter(|&object| !is_chosen && !self.is_in_trace(object)) else { return };
        // An object on the path of the selected finding keeps it selected, unless the user went back to another
        // finding.
        if !std::mem::take(&mut self.came_back) && self.is_in_path(object) {
            return;
        }
        if let Some(line) = self.about(object) {
            self.choose(line);
        }
    }

    fn is_in_path(&self, object: ObjectId) -> bool {
        let path = self.chosen().and_then(|finding| finding.path.as_ref());
        path.is_some_and(|path| path.steps.iter().any(|step| step.object == object))
    }

    /// True if the trace shown contains an object.
    fn is_in_trace(&self, object: ObjectId) -> bool {
        let Some(LeakLine::Leak(at)) = self.chosen else { return false };
        self.traces.trace(at).is_some_and(|trace| trace.steps.iter().any(|step| step.subject.object == object))
    }

    /// The other panes show the selected finding, unless a step of its path was selected meanwhile.
    pub(super) fn settle(&mut self, context: &mut ViewContext<'_>) {
        let is_settled = std::mem::replace(&mut self.is_settled, true);
        let is_of_it = |object: ObjectId| self.is_in_path(object) || self.is_in_trace(object);
        if let Some(object) = self.chosen.and_then(|line| self.object_of(line))
            && !(is_settled && context.location.object.is_some_and(is_of_it))
        {
            // It arrives in the next frame, when waste that was wanted may be selected: that must stay so.
            self.followed = Some(object);
            context.select_initially(object);
        }
    }

    /// Default selection: the largest application leak, or else the first finding.
    pub(super) fn first(&self) -> Option<LeakLine> {
        let first = |group| self.traces.of_group(group).next().map(|(at, _)| LeakLine::Leak(at));
        let finding = || self.findings.findings.first().map(|_| LeakLine::Finding(0));
        first(AndroidLeakGroup::Application).or_else(finding).or_else(|| first(AndroidLeakGroup::Library))
    }
}
