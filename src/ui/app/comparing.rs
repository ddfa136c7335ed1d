//! Comparisons: when they begin, their order, and which is shown.

use eframe::egui::Context;

use super::App;
use super::tabs::pending::{ComparisonReason, PendingComparison, ProgramHint};
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use crate::view::growth_table::GrowthTable;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_base::Cancelled;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::dump::State;
use heaplens_session::{Comparing, OpenDump};

impl App {
    /// True if the tab of `location` is a comparison.
    pub(super) fn is_comparison(&self, location: Option<Location>) -> bool {
        location.and_then(|location| self.tabs.get(location.dump)).is_some_and(|tab| tab.comparing().is_some())
    }

    /// Compares with the dump shown before; in a comparison, swaps before and after.
    pub(super) fn compare_or_swap(&mut self) {
        let Some(now) = self.navigation.dump() else { return };
        if self.is_comparison(self.navigation.now()) {
            self.swap(now);
        } else if let Some(other) = self.navigation.other_dump(&self.tabs) {
            self.compare(other, now);
        }
    }

    /// Starts the scheduled comparisons whose dumps are open or have failed; the current one follows owners through all
    /// open dumps.
    pub(super) fn compare_pending(&mut self, ctx: &Context) {
        if let Some(now) = self.navigation.dump() {
            self.tabs.follow_through_all(now, &self.jobs);
        }
        for _ in 0..self.tabs.pending.len() {
            let pending = self.tabs.pending.remove(0);
            let pending = self.start_pending(ctx, pending);
            self.tabs.pending.extend(pending);
        }
    }

    /// Starts a scheduled comparison; returns it while something is missing.
    fn start_pending(&mut self, ctx: &Context, mut pending: PendingComparison) -> Option<PendingComparison> {
        let state = |&key: &DumpKey| self.tabs.get(key).map(|tab| tab.dump.state().clone());
        if pending.dumps.iter().any(|key| state(key) == Some(State::Opening)) {
            return Some(pending);
        }
        let open: Vec<DumpKey> = pending.dumps.iter().copied().filter(|key| state(key) == Some(State::Ready)).collect();
        match &mut pending.reason {
            ComparisonReason::Requested => {
                if let [first, .., last] = self.tabs.by_time(open)[..] {
                    self.compare_in_tab(first, last, true);
                }
            }
            ComparisonReason::Restored(saved) => {
                if let [before, after] = open[..] {
                    self.restore_comparison(before, after, saved);
                }
                self.close_ends(&pending.dumps);
            }
            ComparisonReason::OpenedTogether(search) if search.sorted.is_empty() => {
                let sorted = self.tabs.by_time(open);
                let dump = |&key: &DumpKey| self.tabs.open_dump(key).cloned();
                let mut dumps: Vec<OpenDump> = sorted.iter().filter_map(dump).collect();
                let last = dumps.pop().filter(|_| dumps.len() + 1 == sorted.len() && sorted.len() > 1)?;
                search.sorted = sorted;
                search.matches.ask(&self.jobs, "compare programs", move |task| {
                    let program = |dump: &OpenDump| task.checkpoint().map(|()| dump.program_match(&last));
                    Ok(dumps.iter().map(program).collect::<Result<Vec<_>, Cancelled>>()?)
                });
                return Some(pending);
            }
            ComparisonReason::OpenedTogether(search) => {
                let Some(matches) = search.matches.take_new() else {
                    return search.matches.is_running().then_some(pending);
                };
                let &last = search.sorted.last()?;
                match matches.iter().zip(&search.sorted).find(|(program, _)| !program.is_different()) {
                    Some((_, &first)) => {
                        let unmoved = self.navigation.now().is_none_or(|location| location.view == View::Overview);
                        self.compare_in_tab(first, last, unmoved);
                    }
                    None => self.hint_different(ctx, &search.sorted, &matches),
                }
            }
        }
        None
    }

    /// Says that dumps which were opened together are not compared.
    fn hint_different(&mut self, ctx: &Context, dumps: &[DumpKey], matches: &[ProgramMatch]) {
        let names: Vec<String> = dumps.iter().filter_map(|&key| self.tabs.get(key)).map(Tab::name).collect();
        let ([.., one, other], Some(program)) = (&names[..], matches.last()) else { return };
        let of = program.names.as_ref().map(|[one, other]| format!(" ({one}, {other})")).unwrap_or_default();
        let hint = format!(
            "{one} and {other} are dumps of different programs{of}, so they are not compared. Press B to compare them"
        );
        self.toasts.hint(ctx, hint);
    }

    /// Finds out whether a dump that was opened is of the program of the dump shown before, unless it is compared anyway.
    pub(super) fn search_hint(&mut self, opened: DumpKey) {
        if self.tabs.pending.is_empty()
            && self.navigation.dump() == Some(opened)
            && let Some(other) = self.navigation.other_dump(&self.tabs)
        {
            self.tabs.search_hint(opened, other, &self.jobs);
        }
    }

    /// Suggests a comparison of two dumps of one program.
    pub(super) fn take_hint(&mut self, ctx: &Context) {
        let Some(ProgramHint { of, with, is_same: Some(true) }) = self.tabs.hint.take_new() else { return };
        let is_next = self.navigation.dump() == Some(of) && self.navigation.other_dump(&self.tabs) == Some(with);
        let is_next = is_next && !self.tabs.are_compared(of, with);
        if let Some(other) = self.tabs.get(with).filter(|_| is_next) {
            let hint = format!("Press B to compare with {}", other.name());
            self.toasts.hint_about(ctx, hint, of);
        }
    }

    /// Compares two open dumps, the earlier with the later, and shows the result.
    pub(super) fn compare(&mut self, one: DumpKey, other: DumpKey) {
        if let [before, after] = self.tabs.by_time(vec![one, other])[..] {
            self.compare_in_tab(before, after, true);
        }
    }

    fn compare_in_tab(&mut self, before: DumpKey, after: DumpKey, show: bool) {
        let layout = self.layout();
        let Some(comparison) = self.tabs.compare(before, after, &layout, &self.jobs) else { return };
        if show {
            self.navigation.show_tab(&self.tabs, comparison.key);
        }
        comparison.old.into_iter().for_each(|old| self.close(old));
    }

    /// Shows a page of Growth.
    pub fn show_table(&mut self, of: GrowthTable) {
        if let Some(tab) = self.tab_now_mut() {
            tab.views.growth.show(of);
        }
    }

    /// Shows a view of the baseline in a tab of that dump, which is opened if necessary.
    pub(super) fn show_before(&mut self, view: View, object: Option<ObjectId>, class: Option<ClassId>) {
        let (Some(now), layout) = (self.navigation.dump(), self.layout()) else { return };
        let Some((dump, before)) = self.tabs.baseline_of(now, &layout) else { return };
        let class = class.or_else(|| object.map(|object| before.heap.class_id(object)));
        self.navigation.go(&mut self.tabs, |_| Location { view, ..Location::start(dump).with(class, object) });
    }

    /// Swaps before and after; an object that exists in both stays selected.
    pub(super) fn swap(&mut self, key: DumpKey) {
        let location = self.navigation.now().filter(|location| location.dump == key);
        let selected = location.and_then(|location| {
            let after = self.tabs.open_dump(key)?;
            let object = after.compared()?.1.matches.before(location.object?)?;
            Some((object, self.tabs.get(key)?.comparing()?.before().heap.class_id(object)))
        });
        let layout = self.layout();
        let Some(dump) = self.tabs.swap(key, &layout, &self.jobs) else { return };
        if let Some(location) = location {
            let (object, class) = selected.unzip();
            self.navigation.history.go(Location { dump, ..location.with(class, object) });
        }
        self.close(key);
    }

    /// Closes a comparison, and says why.
    pub(super) fn close_comparison(&mut self, ctx: &Context, key: DumpKey, why: &str) {
        if self.tabs.get(key).is_some() {
            self.close(key);
            self.toasts.hint(ctx, why.to_owned());
        }
    }

    /// Closes the comparisons for which `is_over` returns true for the tab and its comparison, and says why.
    pub(super) fn close_comparisons(&mut self, ctx: &Context, is_over: impl Fn(&Tab, &Comparing) -> bool, why: &str) {
        let over = self.tabs.comparisons().filter(|(tab, comparing)| is_over(tab, comparing));
        let over: Vec<DumpKey> = over.map(|(tab, _)| tab.key).collect();
        over.into_iter().for_each(|key| self.close_comparison(ctx, key, why));
    }
}
