//! Which actions are available.

use super::App;
use crate::ui::tab::Tab;
use crate::ui::verb::Needs;
use crate::ui::{Location, Target, Verb, View};
use heaplens_heap::IdStyle;
use heaplens_session::Comparing;
use heaplens_session::dump::State;
use heaplens_session::leaks::has_traces;

impl App {
    /// True if an action is available on a target: on the selection if that meets its condition, on a row if its dump
    /// is the current one, on a tab or page if it is open.
    pub(super) fn is_available(&self, verb: Verb, on: &Target) -> bool {
        match *on {
            Target::Selection => self.is_available_at(self.navigation.location(), verb),
            Target::Row(dump, _) | Target::Finding(dump, ..) => {
                self.navigation.dump() == Some(dump) && self.tabs.get(dump).and_then(Tab::open_dump).is_some()
            }
            Target::Tab(key) => self.tabs.get(key).is_some(),
            Target::Page(kind) => self.navigation.pages.open().contains(&kind),
        }
    }

    /// True if an action is available at a location, which may be behind a page of its own.
    pub(super) fn is_available_at(&self, location: Option<Location>, verb: Verb) -> bool {
        let tab = location.and_then(|p| self.tabs.get(p.dump));
        let dump = tab.and_then(Tab::open_dump);
        let ready = dump.is_some();
        let has_object = location.is_some_and(|p| p.object.is_some());
        let has_class = has_object || location.is_some_and(|p| p.class.is_some());
        match verb.entry().needs {
            Needs::Nothing => true,
            Needs::Warnings => self.toasts.has_warnings(),
            Needs::Offered => self.session.offered().is_some(),
            Needs::Tab => tab.is_some() || self.navigation.pages.shown().is_some(),
            Needs::Tabs => self.tabs.list().len() + self.navigation.pages.open().len() > 1,
            Needs::Opening => tab
                .is_some_and(|t| *t.dump.state() == State::Opening || t.comparing().is_some_and(Comparing::is_running)),
            Needs::Comparable => {
                ready && (self.is_comparison(location) || self.navigation.other_dump(&self.tabs).is_some())
            }
            Needs::OtherDump => {
                ready && !self.is_comparison(location) && self.navigation.other_dump(&self.tabs).is_some()
            }
            Needs::Comparison => ready && tab.is_some_and(Tab::compares),
            Needs::OverTime => dump.is_some_and(|dump| dump.over_time.is_some()),
            Needs::Exporting => self.output.exporting.is_running(),
            Needs::Ready => ready,
            Needs::Object => ready && has_object,
            Needs::Class => ready && has_class,
            Needs::Removable => {
                let has_cut = |location: Location| tab.is_some_and(|tab| tab.views.cut_text(location.view).is_some());
                ready && (has_class || location.is_some_and(has_cut))
            }
            Needs::VerdictTarget => {
                let is_finding = location.is_some_and(|location| location.view == View::Leaks)
                    && tab.is_some_and(|tab| tab.views.leaks.chosen().is_some() || tab.views.leaks.has_trace());
                ready && (is_finding || has_class)
            }
            Needs::Android => dump.is_some_and(|dump| has_traces(&dump.heap)),
            Needs::Java => dump.is_some_and(|dump| dump.heap.snapshot().is_none()),
            Needs::Fields => dump.is_some_and(|dump| dump.heap.origin.format.names_fields()),
            Needs::JavaFields => {
                dump.is_some_and(|dump| dump.heap.snapshot().is_none() && dump.heap.origin.format.names_fields())
            }
            Needs::Finalizers => dump.is_some_and(|dump| dump.has_finalizers),
            Needs::Snapshot => dump.is_some_and(|dump| dump.heap.snapshot().is_some()),
            Needs::Detached => {
                dump.and_then(|dump| dump.heap.snapshot()).is_some_and(|snapshot| !snapshot.detached().is_empty())
            }
            Needs::Addresses => dump.is_some_and(|dump| dump.heap.origin.ids == IdStyle::Address),
            Needs::QueryView => ready && location.is_some_and(|location| location.view == View::Query),
            Needs::TwoObjects => ready && tab.is_some_and(|tab| tab.selection().pair().is_some()),
            Needs::Recorded => dump.is_some_and(|dump| dump.is_recording),
            Needs::Bitmaps => dump.is_some_and(|dump| dump.bitmaps > 0),
            Needs::ClosedTab => self.undo.has_closed_tab(),
            Needs::Mapped => {
                ready && tab.is_some_and(|tab| tab.dump.facts().is_some_and(|facts| facts.mapped.is_some()))
            }
            Needs::Heaps => dump.is_some_and(|dump| dump.heap.regions().is_some()),
            Needs::Cut => tab.is_some_and(|tab| !tab.cuts.active().is_empty()),
            Needs::CutList => tab.is_some_and(|tab| !tab.cuts.is_empty()),
            Needs::ToUndo => self.undo.has(false) || tab.is_some_and(|tab| tab.cuts.can_undo()),
            Needs::ToRedo => self.undo.has(true) || tab.is_some_and(|tab| tab.cuts.can_redo()),
            Needs::Past => self.navigation.history.can_go_back(),
            Needs::Future => self.navigation.history.can_go_forward(),
        }
    }
}
