//! Which of the open tabs are compared, and the tabs of comparisons.

use std::path::{Path, PathBuf};

use super::Tabs;
use super::pending::{ComparisonReason, PendingComparison, ProgramHint};
use crate::ui::layout::Layout;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, View};
use crate::view::chart::{Kind, Mode};
use heaplens_session::open_dump::is_same;
use heaplens_session::{Comparing, DumpHandle, Jobs, OpenDump, OpenSettings};

impl Tabs {
    /// Tabs of comparisons, with the comparison.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = (&Tab, &Comparing)> {
        self.list.iter().filter_map(|tab| Some((tab, tab.comparing()?)))
    }

    /// Schedules a comparison of the first with the last of several files, once all are open.
    pub(crate) fn expect_files_together(&mut self, paths: &[PathBuf]) {
        let key = |path: &PathBuf| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            self.of_file(&path).next().map(|tab| tab.key)
        };
        let mut keys: Vec<DumpKey> = paths.iter().filter_map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        self.expect_comparison(keys, ComparisonReason::opened_together());
    }

    /// Schedules a comparison of tabs, once all are open.
    pub(crate) fn expect_comparison(&mut self, dumps: Vec<DumpKey>, reason: ComparisonReason) {
        if dumps.len() > 1 {
            self.pending.push(PendingComparison { dumps, reason });
        }
    }

    /// Schedules the comparison of the dumps of two files that was asked for.
    pub(crate) fn expect_requested(&mut self, before: &Path, after: &Path) {
        let of = |path: &Path| self.of_file(path).next().map(|tab| tab.key);
        let keys = [of(before), of(after)].into_iter().flatten().collect();
        self.expect_comparison(keys, ComparisonReason::Requested);
    }

    /// Tabs of open dumps by the time in the dumps; in the order of opening if one has none.
    pub(crate) fn by_time(&self, mut keys: Vec<DumpKey>) -> Vec<DumpKey> {
        keys.sort_unstable();
        let time = |key: &DumpKey| self.open_dump(*key).and_then(taken_at);
        if keys.iter().all(|key| time(key).is_some()) {
            keys.sort_by_key(time);
        }
        keys
    }

    /// Makes a comparison follow owners through all open dumps, ordered by time.
    pub(crate) fn follow_through_all(&mut self, key: DumpKey, jobs: &Jobs) {
        let ends = self.get(key).and_then(|tab| Some((tab.comparing()?.before().clone(), tab.open_dump()?.clone())));
        let Some((before, after)) = ends else { return };
        let mut open: Vec<OpenDump> = self.single().filter_map(Tab::open_dump).cloned().collect();
        // A dump may have no tab of its own, or two.
        if !open.iter().any(|dump| is_same(dump, &before)) {
            open.insert(0, before.clone());
        }
        if !open.iter().any(|dump| is_same(dump, &after)) {
            open.push(after.clone());
        }
        // A file counts once: a second tab has its own data of the same dump.
        let ends = [&before, &after];
        let is_end = |dump: &OpenDump| ends.iter().any(|end| is_same(end, dump));
        open.retain(|dump| is_end(dump) || ends.iter().all(|end| end.identity != dump.identity));
        let mut seen: Vec<OpenDump> = Vec::with_capacity(open.len());
        for dump in open {
            let is_it = |one: &OpenDump| is_same(one, &dump) || one.identity == dump.identity && !is_end(&dump);
            if !seen.iter().any(is_it) {
                seen.push(dump);
            }
        }
        if seen.iter().all(|dump| taken_at(dump).is_some()) {
            seen.sort_by_key(taken_at);
        }
        if let Some(comparing) = self.get_mut(key).and_then(Tab::comparing_mut) {
            comparing.follow(seen, &after, jobs);
        }
    }

    /// Finds out whether two dumps are of one program, so that they may be compared.
    pub(crate) fn search_hint(&mut self, of: DumpKey, with: DumpKey, jobs: &Jobs) {
        let dump = |key| self.open_dump(key).cloned();
        let (Some(one), Some(other)) = (dump(with), dump(of)) else { return };
        self.hint.ask(jobs, "compare programs", move |_| {
            Ok(ProgramHint { of, with, is_same: one.program_match(&other).is_same })
        });
    }

    /// Tab that compares two dumps: an open one if it has their present data, else a new one. `old` is an open one that
    /// has other names, analysis options, or values that must be hidden by now.
    pub(crate) fn compare(
        &mut self,
        before: DumpKey,
        after: DumpKey,
        layout: &Layout,
        jobs: &Jobs,
    ) -> Option<ComparisonTab> {
        let at = self.list.iter().position(|tab| self.is_of_files(tab, before, after));
        match at.and_then(|at| self.list.get(at)) {
            Some(tab) if self.is_of_now(tab, before, after) => Some(ComparisonTab { key: tab.key, old: None }),
            old => {
                let old = old.map(|tab| tab.key);
                let tab = self.comparison_of(before, after, jobs)?;
                let key = self.insert_comparison(at.unwrap_or(self.list.len()), tab, layout);
                Some(ComparisonTab { key, old })
            }
        }
    }

    /// True if `tab` compares the files of two other tabs.
    fn is_of_files(&self, tab: &Tab, before: DumpKey, after: DumpKey) -> bool {
        let path = |key| self.get(key).map(|tab| tab.dump.path());
        let compared = tab.comparing().map(|comparing| comparing.dump().path());
        compared.is_some() && compared == path(before) && Some(tab.dump.path()) == path(after)
    }

    /// True if the files of two tabs are compared, in either order.
    pub(crate) fn are_compared(&self, one: DumpKey, other: DumpKey) -> bool {
        self.list.iter().any(|tab| self.is_of_files(tab, one, other) || self.is_of_files(tab, other, one))
    }

    /// True if the comparison uses the present data of both tabs.
    fn is_of_now(&self, comparison: &Tab, before: DumpKey, after: DumpKey) -> bool {
        let is_now = |dump: &DumpHandle, key| {
            let now = self.get(key).and_then(|tab| tab.dump.facts());
            dump.facts().zip(now).is_some_and(|(then, now)| then.is_same(now))
        };
        let compared = comparison.comparing().map(Comparing::dump);
        compared.is_some_and(|dump| is_now(dump, before)) && is_now(&comparison.dump, after)
    }

    /// New tab that compares two open dumps.
    pub(crate) fn comparison_of(&self, before: DumpKey, after: DumpKey, jobs: &Jobs) -> Option<Tab> {
        let (before, after) = (self.get(before)?, self.get(after)?);
        let mut tab = Tab::new(self.next_key, after.dump.share()?, after.opened().clone());
        tab.poll();
        let comparing = Comparing::new(before.dump.share()?, before.open_dump()?, tab.open_dump()?, jobs);
        tab.compare(comparing);
        Some(tab)
    }

    /// Inserts the tab of a comparison.
    pub(crate) fn insert_comparison(&mut self, at: usize, tab: Tab, layout: &Layout) -> DumpKey {
        let key = self.insert(at, tab, layout);
        if let Some(mode) = self.get_mut(key).and_then(|tab| tab.views.picture_mode(View::Dominators))
            && *mode == Mode::Table
        {
            // The chart shows growth best, the table names it best.
            *mode = Mode::Split(Kind::Treemap);
        }
        key
    }

    /// Tab of the baseline of a comparison, opened beside it if it has none, and the baseline.
    pub(crate) fn baseline_of(&mut self, key: DumpKey, layout: &Layout) -> Option<(DumpKey, OpenDump)> {
        let at = self.index_of(key)?;
        let comparing = self.list[at].comparing()?;
        let before = comparing.before().clone();
        let is_it = |tab: &&Tab| tab.open_dump().is_some_and(|open_dump| is_same(open_dump, &before));
        if let Some(key) = self.single().find(is_it).map(|tab| tab.key) {
            return Some((key, before));
        }
        let mut tab = Tab::new(self.next_key, comparing.dump().share()?, OpenSettings::clone(&before.opened));
        tab.poll();
        self.watch.go_on(tab.dump.path());
        Some((self.insert(at, tab, layout), before))
    }

    /// Opens a comparison with before and after swapped in a tab beside it.
    pub(crate) fn swap(&mut self, key: DumpKey, layout: &Layout, jobs: &Jobs) -> Option<DumpKey> {
        let at = self.index_of(key)?;
        let (comparing, after) = self.list[at].comparing().zip(self.list[at].open_dump())?;
        let dump = comparing.dump().share()?;
        let mut swapped = Tab::new(self.next_key, dump, OpenSettings::clone(&comparing.before().opened));
        swapped.poll();
        let before = self.list[at].dump.share()?;
        let comparing = comparing.swapped(before, after, swapped.open_dump()?, jobs);
        swapped.compare(comparing);
        Some(self.insert_comparison(at + 1, swapped, layout))
    }

    /// Restarts a comparison that was cancelled or failed.
    pub(crate) fn compare_again(&mut self, key: DumpKey, jobs: &Jobs) {
        if let Some(tab) = self.get_mut(key)
            && let Some(dump) = tab.open_dump().cloned()
            && let Some(comparing) = tab.comparing_mut()
        {
            comparing.ask(&dump, jobs);
        }
    }
}

/// Tab of a comparison.
pub(crate) struct ComparisonTab {
    pub(crate) key: DumpKey,
    /// Tab that it replaces.
    pub(crate) old: Option<DumpKey>,
}

fn taken_at(dump: &OpenDump) -> Option<u64> {
    dump.heap.origin.taken_at_millis
}
