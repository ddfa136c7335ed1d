//! Comparisons: the two dumps, their order and the tab that shows them.

use std::path::PathBuf;

use eframe::egui::Context;

use super::App;
use super::file_watch::WENT_AWAY;
use super::pending::PendingComparison;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use crate::view::chart::{Kind, Mode};
use crate::view::growth_table::GrowthTable;
use heaplens_core::heap::{ClassId, ObjectId};
use heaplens_session::dump::State;
use heaplens_session::open_dump::is_same;
use heaplens_session::{Comparing, DumpHandle, OpenDump, OpenSettings};

impl App {
    /// True if the tab of `place` is a comparison.
    pub(super) fn is_comparison(&self, place: Option<Location>) -> bool {
        place.and_then(|place| self.tab(place.dump)).is_some_and(|tab| tab.comparing().is_some())
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
        let seen = self.history.seen().find_map(|place| self.tab(place.dump).filter(can));
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
        let keys = paths.iter().filter_map(key).collect();
        self.expect_together(keys, None);
    }

    /// Schedules a comparison of tabs. `shown` as in [`PendingComparison`].
    pub(super) fn expect_together(&mut self, mut keys: Vec<DumpKey>, shown: Option<bool>) {
        keys.sort_unstable();
        keys.dedup();
        self.together =
            if keys.len() > 1 { PendingComparison { dumps: keys, shown } } else { PendingComparison::default() };
    }

    /// Starts the scheduled comparison once all its dumps are open or have failed.
    fn compare_together(&mut self) {
        let state = |&key: &DumpKey| self.tab(key).map(|tab| tab.dump.state().clone());
        if self.together.dumps.iter().any(|key| state(key) == Some(State::Opening)) {
            return;
        }
        let is_open = |key: &DumpKey| state(key) == Some(State::Ready);
        let mut open: Vec<DumpKey> = self.together.dumps.iter().copied().filter(is_open).collect();
        let time = |key: &DumpKey| self.tab(*key).and_then(Tab::open_dump).and_then(taken_at);
        if open.iter().all(|key| time(key).is_some()) {
            open.sort_by_key(time);
        }
        let PendingComparison { shown, .. } = std::mem::take(&mut self.together);
        if let [first, .., last] = open[..] {
            let unmoved = || self.history.now().is_none_or(|place| place.view == View::Overview);
            self.compare_in_tab(first, last, shown.unwrap_or_else(unmoved));
        }
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

    /// Polls all tabs, remembers files that are open, starts scheduled comparisons and suggests a comparison.
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
        if !self.together.is_empty() {
            self.compare_together();
        } else if let Some(now) = opened.filter(|&opened| self.dump_now() == Some(opened)).and_then(|key| self.tab(key))
            && let Some(other) = self.other_dump().and_then(|key| self.tab(key))
            && now.is_of_format(other)
        {
            let hint = format!("Press B to compare with {}", other.name());
            self.toasts.hint(ctx, hint);
        }
    }

    /// Compares two open dumps and shows the result.
    pub(super) fn compare(&mut self, one: DumpKey, other: DumpKey) {
        self.compare_in_tab(one, other, true);
    }

    fn compare_in_tab(&mut self, one: DumpKey, other: DumpKey, show: bool) {
        let dump = |key| self.tab(key).and_then(|tab| Some((tab.key, tab.open_dump()?)));
        let (Some(one), Some(other)) = (dump(one), dump(other)) else { return };
        let is_later = match (taken_at(one.1), taken_at(other.1)) {
            (Some(one), Some(other)) => one > other,
            // By opening order.
            _ => one.0 > other.0,
        };
        let (before, after) = if is_later { (other.0, one.0) } else { (one.0, other.0) };
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
    fn comparison_of(&self, before: DumpKey, after: DumpKey) -> Option<Tab> {
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

    fn insert(&mut self, at: usize, tab: Tab) -> DumpKey {
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
        let place = self.history.now().filter(|place| place.dump == key);
        let object = place.and_then(|place| after.compared()?.1.matches.before(place.object?));
        let class = object.map(|object| comparing.before().heap.class_id(object));
        let Some(dump) = comparing.dump().share() else { return };
        let mut swapped = Tab::new(self.next_key, dump, OpenSettings::clone(&comparing.before().opened));
        swapped.poll();
        let (Some(before), Some(now)) = (self.tabs[at].dump.share(), swapped.open_dump()) else { return };
        let comparing = comparing.swapped(before, after.clone(), now, &self.jobs);
        swapped.compare(comparing);
        let key_of_swapped = self.insert(at + 1, swapped);
        if let Some(place) = place {
            self.history.go(Location { dump: key_of_swapped, object, class, ..place });
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
