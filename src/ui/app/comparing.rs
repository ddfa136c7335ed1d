//! Comparisons: the two dumps, their order and the tab that shows them.

use std::path::PathBuf;

use eframe::egui::Context;

use super::App;
use super::file_watch::WENT_AWAY;
use super::pending::{ComparisonReason, PendingComparison, ProgramHint};
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use crate::view::chart::{Kind, Mode};
use crate::view::growth_table::GrowthTable;
use heaplens_analysis::diff::program::ProgramMatch;
use heaplens_base::Cancelled;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::dump::State;
use heaplens_session::open_dump::is_same;
use heaplens_session::{Comparing, DumpHandle, OpenDump, OpenSettings};

impl App {
    /// True if the tab of `location` is a comparison.
    pub(super) fn is_comparison(&self, location: Option<Location>) -> bool {
        location.and_then(|location| self.tab(location.dump)).is_some_and(|tab| tab.comparing().is_some())
    }

    /// First location in a new tab.
    pub(super) fn start_of(&self, key: DumpKey) -> Location {
        let view =
            if self.tab(key).is_some_and(|tab| tab.comparing().is_some()) { View::Growth } else { View::Overview };
        Location { dump: key, view, class: None, object: None }
    }

    /// Dump to compare the current one with: the other dump shown most recently.
    pub(super) fn other_dump(&self) -> Option<DumpKey> {
        let now = self.tab(self.history.now()?.dump)?;
        let can = |tab: &&Tab| tab.can_be_compared_with(now);
        let seen = self.history.seen().find_map(|location| self.tab(location.dump).filter(can));
        seen.or_else(|| self.tabs.iter().find(can)).map(|tab| tab.key)
    }

    /// Compares with the dump shown before; in a comparison, swaps before and after.
    pub(super) fn compare_or_swap(&mut self) {
        let Some(now) = self.dump_now() else { return };
        if self.is_comparison(self.history.now()) {
            self.swap(now);
        } else if let Some(other) = self.other_dump() {
            self.compare(other, now);
        }
    }

    /// Schedules a comparison of the first with the last of several files, once all are open.
    pub(super) fn expect_files_together(&mut self, paths: &[PathBuf]) {
        let key = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            self.tabs_of(&path).next().map(|tab| tab.key)
        };
        let mut keys: Vec<DumpKey> = paths.iter().filter_map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        self.expect_comparison(keys, ComparisonReason::opened_together());
    }

    /// Schedules a comparison of tabs, once all are open.
    pub(super) fn expect_comparison(&mut self, dumps: Vec<DumpKey>, reason: ComparisonReason) {
        if dumps.len() > 1 {
            self.together.push(PendingComparison { dumps, reason });
        }
    }

    /// Starts the scheduled comparisons whose dumps are open or have failed.
    fn compare_together(&mut self, ctx: &Context) {
        for _ in 0..self.together.len() {
            let pending = self.together.remove(0);
            let pending = self.compare_pending(ctx, pending);
            self.together.extend(pending);
        }
    }

    /// Starts a scheduled comparison; returns it while something is missing.
    fn compare_pending(&mut self, ctx: &Context, mut pending: PendingComparison) -> Option<PendingComparison> {
        let state = |&key: &DumpKey| self.tab(key).map(|tab| tab.dump.state().clone());
        if pending.dumps.iter().any(|key| state(key) == Some(State::Opening)) {
            return Some(pending);
        }
        let open: Vec<DumpKey> = pending.dumps.iter().copied().filter(|key| state(key) == Some(State::Ready)).collect();
        match &mut pending.reason {
            ComparisonReason::Requested => {
                if let [first, .., last] = self.by_time(open)[..] {
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
                let sorted = self.by_time(open);
                let dump = |&key: &DumpKey| self.tab(key)?.open_dump().cloned();
                let mut dumps: Vec<OpenDump> = sorted.iter().filter_map(dump).collect();
                let last = dumps.pop().filter(|_| dumps.len() + 1 == sorted.len() && sorted.len() > 1)?;
                search.sorted = sorted;
                search.found.ask(&self.jobs, "compare programs", move |task| {
                    let program = |dump: &OpenDump| task.checkpoint().map(|()| dump.program_match(&last));
                    Ok(dumps.iter().map(program).collect::<Result<Vec<_>, Cancelled>>()?)
                });
                return Some(pending);
            }
            ComparisonReason::OpenedTogether(search) => {
                let Some(found) = search.found.take_new() else {
                    return search.found.is_running().then_some(pending);
                };
                let &last = search.sorted.last()?;
                match found.iter().zip(&search.sorted).find(|(program, _)| !program.is_different()) {
                    Some((_, &first)) => {
                        let unmoved = self.history.now().is_none_or(|location| location.view == View::Overview);
                        self.compare_in_tab(first, last, unmoved);
                    }
                    None => self.hint_different(ctx, &search.sorted, &found),
                }
            }
        }
        None
    }

    /// Says that dumps which were opened together are not compared.
    fn hint_different(&mut self, ctx: &Context, dumps: &[DumpKey], found: &[ProgramMatch]) {
        let names: Vec<String> = dumps.iter().filter_map(|&key| self.tab(key)).map(Tab::name).collect();
        let ([.., one, other], Some(program)) = (&names[..], found.last()) else { return };
        let of = program.names.as_ref().map(|[one, other]| format!(" ({one}, {other})")).unwrap_or_default();
        let hint = format!(
            "{one} and {other} are dumps of different programs{of}, so they are not compared. Press B to compare them"
        );
        self.toasts.hint(ctx, hint);
    }

    /// Tabs of open dumps by the time in the dumps; in the order of opening if one has none.
    fn by_time(&self, mut keys: Vec<DumpKey>) -> Vec<DumpKey> {
        keys.sort_unstable();
        let time = |key: &DumpKey| self.tab(*key).and_then(Tab::open_dump).and_then(taken_at);
        if keys.iter().all(|key| time(key).is_some()) {
            keys.sort_by_key(time);
        }
        keys
    }

    /// Makes the current comparison follow owners through all open dumps, ordered by time.
    fn follow_through_all(&mut self) {
        let Some(key) = self.dump_now() else { return };
        let ends = self.tab(key).and_then(|tab| Some((tab.comparing()?.before().clone(), tab.open_dump()?.clone())));
        let Some((before, after)) = ends else { return };
        let alone = self.tabs.iter().filter(|tab| tab.comparing().is_none());
        let mut open: Vec<OpenDump> = alone.filter_map(Tab::open_dump).cloned().collect();
        // A dump may have no tab of its own, or two.
        if !open.iter().any(|dump| is_same(dump, &before)) {
            open.insert(0, before);
        }
        if !open.iter().any(|dump| is_same(dump, &after)) {
            open.push(after.clone());
        }
        let mut seen: Vec<OpenDump> = Vec::with_capacity(open.len());
        for dump in open {
            if !seen.iter().any(|one| is_same(one, &dump)) {
                seen.push(dump);
            }
        }
        if seen.iter().all(|dump| taken_at(dump).is_some()) {
            seen.sort_by_key(taken_at);
        }
        let jobs = self.jobs.clone();
        if let Some(comparing) = self.tab_mut(key).and_then(Tab::comparing_mut) {
            comparing.follow(seen, &after, &jobs);
        }
    }

    /// Polls all tabs, remembers files that are open, starts scheduled comparisons and suggests one.
    pub(super) fn poll_tabs(&mut self, ctx: &Context) {
        let mut opened = None;
        for tab in &mut self.tabs {
            let was_open = tab.open_dump().is_some();
            tab.poll();
            if !was_open && tab.open_dump().is_some() && tab.comparing().is_none() {
                opened = Some(tab.key);
                // A file that cannot be opened is not offered again.
                self.saved.remember(tab.dump.path());
            }
        }
        self.follow_through_all();
        self.compare_together(ctx);
        let opened = opened.filter(|&opened| self.together.is_empty() && self.dump_now() == Some(opened));
        if let Some((of, with)) = opened.zip(self.other_dump()) {
            self.search_hint(of, with);
        }
        self.take_hint(ctx);
    }

    /// Finds out whether two dumps are of one program, so that they may be compared.
    fn search_hint(&mut self, of: DumpKey, with: DumpKey) {
        let dump = |key| self.tab(key).and_then(Tab::open_dump).cloned();
        let (Some(one), Some(other)) = (dump(with), dump(of)) else { return };
        self.hinting.ask(&self.jobs, "compare programs", move |_| {
            Ok(ProgramHint { of, with, is_same: one.program_match(&other).is_same })
        });
    }

    /// Suggests a comparison of two dumps of one program.
    fn take_hint(&mut self, ctx: &Context) {
        let Some(ProgramHint { of, with, is_same: Some(true) }) = self.hinting.take_new() else { return };
        let is_next = self.dump_now() == Some(of) && self.other_dump() == Some(with);
        if let Some(other) = self.tab(with).filter(|_| is_next) {
            let hint = format!("Press B to compare with {}", other.name());
            self.toasts.hint_about(ctx, hint, of);
        }
    }

    /// Compares two open dumps, the earlier with the later, and shows the result.
    pub(super) fn compare(&mut self, one: DumpKey, other: DumpKey) {
        if let [before, after] = self.by_time(vec![one, other])[..] {
            self.compare_in_tab(before, after, true);
        }
    }

    fn compare_in_tab(&mut self, before: DumpKey, after: DumpKey, show: bool) {
        let there = self.tabs.iter().position(|tab| self.is_of_files(tab, before, after));
        let (key, old) = match there.and_then(|at| self.tabs.get(at)) {
            Some(tab) if self.is_of_now(tab, before, after) => (Some(tab.key), None),
            old => {
                let old = old.map(|tab| tab.key);
                let tab = self.comparison_of(before, after);
                (tab.map(|tab| self.insert(there.unwrap_or(self.tabs.len()), tab)), old)
            }
        };
        let Some(key) = key else { return };
        if show {
            self.show_tab(key);
        }
        // It has other names, analysis options, or values that must be hidden by now.
        old.into_iter().for_each(|old| self.close(old));
    }

    /// True if `tab` compares the files of two other tabs.
    fn is_of_files(&self, tab: &Tab, before: DumpKey, after: DumpKey) -> bool {
        let path = |key| self.tab(key).map(|tab| tab.dump.path());
        let compared = tab.comparing().map(|comparing| comparing.dump().path());
        compared.is_some() && compared == path(before) && Some(tab.dump.path()) == path(after)
    }

    /// True if the comparison uses the present data of both tabs.
    fn is_of_now(&self, comparison: &Tab, before: DumpKey, after: DumpKey) -> bool {
        let is_now = |dump: &DumpHandle, key| {
            let now = self.tab(key).and_then(|tab| tab.dump.facts());
            dump.facts().zip(now).is_some_and(|(then, now)| then.is_same(now))
        };
        let compared = comparison.comparing().map(Comparing::dump);
        compared.is_some_and(|dump| is_now(dump, before)) && is_now(&comparison.dump, after)
    }

    /// Tab that compares two open dumps.
    pub(super) fn comparison_of(&self, before: DumpKey, after: DumpKey) -> Option<Tab> {
        let (before, after) = (self.tab(before)?, self.tab(after)?);
        self.comparison(before.dump.share()?, before.open_dump()?, after)
    }

    /// Tab that compares the dump of `after` with another.
    fn comparison(&self, dump: DumpHandle, before: &OpenDump, after: &Tab) -> Option<Tab> {
        let mut tab = Tab::new(self.next_key, after.dump.share()?, after.opened().clone());
        tab.poll();
        let comparing = Comparing::new(dump, before.clone(), tab.open_dump()?, &self.jobs);
        tab.compare(comparing);
        Some(tab)
    }

    pub(super) fn insert(&mut self, at: usize, tab: Tab) -> DumpKey {
        let key = self.insert_tab(at, tab);
        if let Some(mode) = self.tab_mut(key).and_then(|tab| tab.views.picture_mode(View::Dominators))
            && *mode == Mode::Table
        {
            // The chart shows growth best, the table names it best.
            *mode = Mode::Split(Kind::Treemap);
        }
        key
    }

    /// Shows a page of Growth.
    pub fn show_table(&mut self, of: GrowthTable) {
        if let Some(tab) = self.tab_now_mut() {
            tab.views.growth.show(of);
        }
    }

    /// Shows a view of the baseline in a tab of that dump, which is opened if necessary.
    pub(super) fn show_before(&mut self, view: View, object: Option<ObjectId>, class: Option<ClassId>) {
        let now = self.dump_now();
        let Some(at) = self.tabs.iter().position(|tab| Some(tab.key) == now) else { return };
        let Some(comparing) = self.tabs[at].comparing() else { return };
        let before = comparing.before().clone();
        let is_it = |tab: &&Tab| {
            tab.comparing().is_none() && tab.open_dump().is_some_and(|open_dump| is_same(open_dump, &before))
        };
        let key = match self.tabs.iter().find(is_it).map(|tab| tab.key) {
            Some(key) => key,
            None => {
                let Some(dump) = comparing.dump().share() else { return };
                let mut tab = Tab::new(self.next_key, dump, OpenSettings::clone(&before.opened));
                tab.poll();
                self.watch.go_on(tab.dump.path());
                self.insert_tab(at, tab)
            }
        };
        let class = class.or_else(|| object.map(|object| before.heap.class_id(object)));
        self.go(|_| Location { dump: key, view, class, object });
    }

    /// Swaps before and after; an object that exists in both stays selected.
    pub(super) fn swap(&mut self, key: DumpKey) {
        let Some(at) = self.tabs.iter().position(|tab| tab.key == key) else { return };
        let Some((comparing, after)) = self.tabs[at].comparing().zip(self.tabs[at].open_dump()) else { return };
        let location = self.history.now().filter(|location| location.dump == key);
        let object = location.and_then(|location| after.compared()?.1.matches.before(location.object?));
        let class = object.map(|object| comparing.before().heap.class_id(object));
        let Some(dump) = comparing.dump().share() else { return };
        let mut swapped = Tab::new(self.next_key, dump, OpenSettings::clone(&comparing.before().opened));
        swapped.poll();
        let (Some(before), Some(now)) = (self.tabs[at].dump.share(), swapped.open_dump()) else { return };
        let comparing = comparing.swapped(before, after.clone(), now, &self.jobs);
        swapped.compare(comparing);
        let key_of_swapped = self.insert(at + 1, swapped);
        if let Some(location) = location {
            self.history.go(Location { dump: key_of_swapped, object, class, ..location });
        }
        self.close(key);
    }

    /// Restarts a comparison that was cancelled or failed.
    pub(super) fn compare_again(&mut self, key: DumpKey) {
        let jobs = self.jobs.clone();
        if let Some(tab) = self.tab_mut(key)
            && let Some(dump) = tab.open_dump().cloned()
            && let Some(comparing) = tab.comparing_mut()
        {
            comparing.ask(&dump, &jobs);
        }
    }

    /// Closes comparisons with a dump whose stored analysis is damaged: their results are unreliable.
    pub(super) fn close_damaged_comparisons(&mut self, ctx: &Context) {
        let said = "Comparison closed: the stored analysis is damaged. Compare again once the dump has been read";
        self.close_comparisons(ctx, |tab, _before| tab.is_damaged(), said);
    }

    /// Closes comparisons with a dump whose file is gone: their values can no longer be read.
    pub(super) fn close_comparisons_of(&mut self, ctx: &Context, key: DumpKey) {
        let Some(path) = self.tab(key).map(|tab| tab.dump.path().to_owned()) else { return };
        self.close_comparisons(ctx, |tab, before| before.path() == path || tab.dump.path() == path, WENT_AWAY);
    }

    /// Closes the comparisons for which `is_over` returns true for the tab and its baseline, and shows `said`.
    pub(super) fn close_comparisons(&mut self, ctx: &Context, is_over: impl Fn(&Tab, &DumpHandle) -> bool, said: &str) {
        let over = |tab: &&Tab| tab.comparing().is_some_and(|comparing| is_over(tab, comparing.dump()));
        let over: Vec<DumpKey> = self.tabs.iter().filter(over).map(|tab| tab.key).collect();
        for key in over {
            self.close(key);
            self.toasts.hint(ctx, said.to_owned());
        }
    }
}

fn taken_at(dump: &OpenDump) -> Option<u64> {
    dump.heap.origin.taken_at_millis
}
