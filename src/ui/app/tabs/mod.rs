//! The open tabs: dumps and their comparisons, and the files of the dumps.

mod compare;
pub(crate) mod pending;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::pending::{PendingComparison, ProgramHint};
use eframe::egui::Context;

use super::event::{Event, Owner};
use crate::ui::DumpKey;
use crate::ui::layout::Layout;
use crate::ui::shell::toasts::Toasts;
use crate::ui::tab::Tab;
use heaplens_analysis::RuntimeClasses;
use heaplens_base::Count;
use heaplens_dump::facts::Facts;
use heaplens_session::cuts::SavedList;
use heaplens_session::dump::State;
use heaplens_session::watch::Watch;
use heaplens_session::{Comparing, Cuts, DumpHandle, Jobs, OpenDump, OpenOptions, OpenSettings, Slot};
use heaplens_tables::export::printable::one_line;

/// Message for a comparison that was closed because one of its files is gone.
pub(super) const FILE_IS_GONE: &str =
    "Comparison closed: the file of a dump has changed or is gone. Open it again to compare";
/// Message for a comparison that was closed because its results are unreliable.
const IS_DAMAGED: &str = "Comparison closed: the stored analysis is damaged. Compare again once the dump has been read";

/// Open tabs, in the order of the tab bar.
pub(super) struct Tabs {
    list: Vec<Tab>,
    next_key: DumpKey,
    /// Watches the files of open dumps.
    watch: Watch,
    /// Scheduled comparisons.
    pub(super) pending: Vec<PendingComparison>,
    /// Suggestion of a comparison, once its dumps are known to be of one program.
    pub(super) hint: Slot<ProgramHint>,
    /// Tabs of the previous session by their index there, to put its comparisons between them.
    pub(super) restored: Vec<(usize, DumpKey)>,
}

impl Tabs {
    /// No tabs.
    pub(super) fn new(jobs: &Jobs) -> Self {
        Self {
            list: Vec::new(),
            next_key: 1,
            watch: Watch::new(jobs),
            pending: Vec::new(),
            hint: Slot::default(),
            restored: Vec::new(),
        }
    }

    /// All tabs.
    pub(super) fn list(&self) -> &[Tab] {
        &self.list
    }

    /// All tabs, to change.
    pub(super) fn list_mut(&mut self) -> &mut [Tab] {
        &mut self.list
    }

    /// Tabs of single dumps.
    pub(super) fn single(&self) -> impl Iterator<Item = &Tab> {
        self.list.iter().filter(|tab| tab.comparing().is_none())
    }

    /// Tabs of a file that are neither comparisons nor cancelled.
    pub(super) fn of_file(&self, path: &Path) -> impl Iterator<Item = &Tab> {
        self.single().filter(move |tab| tab.dump.path() == path && *tab.dump.state() != State::Cancelled)
    }

    /// The tab with a key.
    pub(super) fn get(&self, key: DumpKey) -> Option<&Tab> {
        self.list.iter().find(|tab| tab.key == key)
    }

    /// The same, to change.
    pub(super) fn get_mut(&mut self, key: DumpKey) -> Option<&mut Tab> {
        self.list.iter_mut().find(|tab| tab.key == key)
    }

    /// Data of the dump in a tab, if it is completely open.
    pub(super) fn open_dump(&self, key: DumpKey) -> Option<&OpenDump> {
        self.get(key)?.open_dump()
    }

    /// Index of a tab.
    pub(super) fn index_of(&self, key: DumpKey) -> Option<usize> {
        self.list.iter().position(|tab| tab.key == key)
    }

    /// True if a dump was ever opened.
    pub(super) fn has_opened(&self) -> bool {
        self.next_key > 1
    }

    /// True while a dump is being opened.
    pub(super) fn is_opening(&self) -> bool {
        self.list.iter().any(Tab::is_opening)
    }

    /// Opens a dump in a new tab, even if it is open already.
    pub(super) fn open(&mut self, path: &Path, options: OpenOptions, layout: &Layout, jobs: &Jobs) -> DumpKey {
        let opened = opened_as(path, &options);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let dump = DumpHandle::open(&path, options, jobs);
        self.watch.begin(&path);
        let mut tab = Tab::new(self.next_key, dump, opened);
        tab.copy = 1 + self.of_file(&path).map(|tab| tab.copy).max().unwrap_or(0);
        self.insert(self.list.len(), tab, layout)
    }

    /// Inserts a new tab, which has the next key.
    pub(super) fn insert(&mut self, at: usize, mut tab: Tab, layout: &Layout) -> DumpKey {
        let key = tab.key;
        tab.views.lay_out(layout);
        self.next_key += 1;
        self.list.insert(at.min(self.list.len()), tab);
        self.tell_namesakes();
        key
    }

    /// Moves a tab to an index.
    pub(super) fn put_at(&mut self, key: DumpKey, index: usize) {
        if let Some(at) = self.index_of(key) {
            let tab = self.list.remove(at);
            self.list.insert(index.min(self.list.len()), tab);
        }
    }

    /// Dumps of one file name in several folders have their folders in their names.
    fn tell_namesakes(&mut self) {
        let paths: Vec<PathBuf> = self.list.iter().map(|tab| tab.dump.path().to_owned()).collect();
        for tab in &mut self.list {
            let path = tab.dump.path();
            tab.has_namesake = paths.iter().any(|other| other.file_name() == path.file_name() && other != path);
        }
    }

    /// Opens the dump or comparison of a tab in a second tab beside it.
    pub(super) fn duplicate(&mut self, key: DumpKey, layout: &Layout, jobs: &Jobs) -> Option<DumpKey> {
        let at = self.index_of(key)?;
        let original = &self.list[at];
        let mut tab = Tab::new(self.next_key, original.dump.share()?, original.opened().clone());
        let (path, compared) = (tab.dump.path(), original.comparing().map(|comparing| comparing.dump().path()));
        let is_same =
            |t: &&Tab| t.dump.path() == path && t.comparing().map(|comparing| comparing.dump().path()) == compared;
        tab.copy = 1 + self.list.iter().filter(is_same).map(|t| t.copy).max().unwrap_or(0);
        tab.poll();
        let comparing = original.comparing().zip(tab.open_dump());
        if let Some(comparing) = comparing.and_then(|(comparing, after)| comparing.again(after, jobs)) {
            tab.compare(comparing);
        }
        Some(self.insert(at + 1, tab, layout))
    }

    /// Opens the dump of a tab again, in its tab and with its layout. `prepare` changes the new tab. Returns the tab
    /// before.
    pub(super) fn reopen(
        &mut self,
        key: DumpKey,
        options: OpenOptions,
        jobs: &Jobs,
        prepare: impl FnOnce(&mut Tab),
    ) -> Option<Tab> {
        let tab = self.list.iter_mut().find(|tab| tab.key == key)?;
        let (path, opened) = (tab.dump.path().to_owned(), opened_as(&tab.opened().file, &options));
        let mut anew = Tab::new(key, DumpHandle::open(&path, options, jobs), opened);
        anew.views.lay_out(&tab.views.layout());
        (anew.copy, anew.has_namesake) = (tab.copy, tab.has_namesake);
        prepare(&mut anew);
        let before = std::mem::replace(tab, anew);
        self.watch.begin(&path);
        Some(before)
    }

    /// Replaces the data of a tab by another version of the same dump (other names, no file). The layout stays. Returns
    /// the tab before; `None` if the dump is not open.
    pub(super) fn put_facts(&mut self, key: DumpKey, facts: Facts) -> Option<Tab> {
        let tab = self.get_mut(key)?;
        let mapping = facts.mapped.as_ref().map(|mapped| mapped.file.path.clone());
        let redacted = facts.is_redacted();
        let dump = tab.dump.with_facts(facts)?;
        let (opened, layout) = (OpenSettings { mapping, redacted, ..tab.opened().clone() }, tab.views.layout());
        let mut before = std::mem::replace(tab, Tab::new(key, dump, opened));
        tab.views.lay_out(&layout);
        (tab.copy, tab.has_namesake) = (before.copy, before.has_namesake);
        tab.banner = before.banner.take();
        Some(before)
    }

    /// Removes a tab and returns it with the index that it had. Its files are watched no longer, unless another tab has
    /// them.
    pub(super) fn remove(&mut self, key: DumpKey) -> Option<(usize, Tab)> {
        let at = self.index_of(key)?;
        let tab = self.list.remove(at);
        self.tell_namesakes();
        let closed = std::iter::once(&tab.dump).chain(tab.comparing().map(Comparing::dump));
        for path in closed.map(DumpHandle::path) {
            let of =
                |other: &Tab| other.dump.path() == path || other.comparing().is_some_and(|c| c.dump().path() == path);
            if !self.list.iter().any(of) {
                self.watch.end(path);
            }
        }
        Some((at, tab))
    }

    /// Cancels opening and comparing in a tab.
    pub(super) fn stop(&mut self, key: DumpKey) {
        if let Some(tab) = self.get_mut(key) {
            tab.dump.cancel();
            tab.comparing_mut().into_iter().for_each(Comparing::cancel);
        }
    }

    /// Options that reopen the dump of a tab in its present state. Memory limit, folders and lists are those of `now`.
    pub(super) fn options_of(&self, key: DumpKey, now: &OpenOptions) -> Option<OpenOptions> {
        let tab = self.get(key)?;
        let OpenSettings { rules, owner_rules, redacted: redact, .. } = *tab.opened();
        let opened = tab.dump.options();
        let mappings = match tab.dump.facts() {
            Some(facts) => facts.mapped.iter().map(|mapped| mapped.file.clone()).collect(),
            None => opened.mappings.clone(),
        };
        Some(OpenOptions { read: opened.read.clone(), rules, owner_rules, redact, mappings, ..now.clone() })
    }

    /// Changes the cuts of a dump and computes their effect. Returns them as they are kept; `None` for a comparison, and
    /// until the kept cuts are restored, since those of the tab are not all.
    pub(super) fn cut(
        &mut self,
        key: DumpKey,
        jobs: &Jobs,
        change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs),
    ) -> Option<KeptCuts> {
        self.get_mut(key)?.cut(jobs, change);
        self.kept_cuts(key)
    }

    /// Identity of a dump, and its cuts as they are kept; `None` as in [`Tabs::cut`].
    pub(super) fn kept_cuts(&self, key: DumpKey) -> Option<KeptCuts> {
        let tab = self.get(key).filter(|tab| tab.comparing().is_none() && !tab.restoring.is_running())?;
        let dump = tab.open_dump()?;
        Some((dump.identity.clone(), tab.cuts.saved(&dump.heap)))
    }

    /// Searches for the kept cuts of a dump.
    pub(super) fn restore_cuts(&mut self, key: DumpKey, list: SavedList, jobs: &Jobs) {
        if let Some(tab) = self.get_mut(key)
            && let Some(dump) = tab.open_dump().cloned()
            && !list.steps.is_empty()
        {
            tab.restoring.ask(jobs, "kept removals", move |task| {
                Ok(dump.restored_cuts(list, heaplens_sql::resolve_cut, task)?)
            });
        }
    }

    /// Applies another list of runtime classes to all dumps.
    pub(super) fn set_runtime_classes(&mut self, list: &Arc<RuntimeClasses>) {
        self.list.iter_mut().for_each(|tab| tab.set_runtime_classes(list));
    }
}

impl Owner for Tabs {
    fn poll(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) -> Vec<Event> {
        let mut events = Vec::new();
        for tab in &mut self.list {
            let was_open = tab.open_dump().is_some();
            tab.poll();
            let is_single = tab.comparing().is_none();
            if is_single && !was_open && tab.open_dump().is_some() {
                events.push(Event::Opened(tab.key));
            }
            if is_single && tab.open_dump().is_some() {
                events.extend(std::mem::take(&mut tab.awaits_cuts).then_some(Event::CutsAwaited(tab.key)));
                events.extend(take_restored_cuts(tab, ctx, jobs, toasts).then_some(Event::CutsRestored(tab.key)));
            }
            let fix = tab.cuts.take_fix().filter(|_| is_single);
            events.extend(fix.map(|fix| Event::FixNamed(tab.key, Box::new(fix))));
            events.extend(tab.take_name().map(Event::Named));
            events.extend(fault_of(tab));
        }
        events.extend(self.watch.changes().into_iter().map(|(path, change)| Event::FileChanged(path, change)));
        events
    }
}

/// Identity of a dump, and its cuts, step by step, as ids.
pub(super) type KeptCuts = (Arc<str>, SavedList);

/// Takes over the kept cuts of a dump that were found. True if there are others, which must be kept too. Without others
/// the kept texts stay as they are: other names may find them.
fn take_restored_cuts(tab: &mut Tab, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) -> bool {
    let (ended, Some(dump)) = (tab.restoring.take_ended(), tab.open_dump().cloned()) else { return false };
    match ended {
        Some(Ok(mut restored)) => {
            let (has_others, missing) = (!tab.cuts.is_empty(), std::mem::take(&mut restored.missing));
            tab.cuts.restore(restored, &dump, jobs);
            if let Some(first) = missing.first() {
                let (cuts, name) = (Count(missing.len() as u64).of("removal", "removals"), tab.name());
                toasts.hint(ctx, format!("{cuts} of {name} cannot be restored: {}", one_line(first)));
            }
            return has_others;
        }
        Some(Err(why)) => toasts.warn(ctx, format!("Cannot restore the removals of {}: {why}", tab.name())),
        None => {}
    }
    false
}

/// What is wrong with the files of a tab.
fn fault_of(tab: &Tab) -> Option<Event> {
    let lost_bytes = |dump: &DumpHandle| dump.facts().and_then(Facts::read_failure);
    let before = tab.comparing().map(Comparing::dump);
    if before.is_some() && tab.is_damaged() {
        Some(Event::ComparisonOver(tab.key, IS_DAMAGED))
    } else if tab.dump.is_damaged() {
        Some(Event::Damaged(tab.key))
    } else if before.and_then(lost_bytes).is_some() {
        Some(Event::ComparisonOver(tab.key, FILE_IS_GONE))
    } else {
        tab.open_dump().and_then(|_| lost_bytes(&tab.dump)).map(|why| Event::Lost(tab.key, why))
    }
}

/// How a dump is opened by these options.
fn opened_as(file: &Path, options: &OpenOptions) -> OpenSettings {
    OpenSettings {
        file: file.to_owned(),
        sizes: options.read.sizes,
        rules: options.rules,
        owner_rules: options.owner_rules,
        mapping: options.mappings.first().map(|mapping| mapping.path.clone()),
        redacted: options.redact,
        cuts: Vec::new(),
    }
}
