//! Saved session: open dumps and their locations, stored as they change and reopened by the next window on request.

use std::path::Path;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use super::session::open_tabs::{OpenTabs, SavedComparison, SavedTab};
use super::tabs::pending::ComparisonReason;
use crate::ui::location::NamedLocation;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, Verb, View};
use heaplens_dump::mapping::MappingFile;
use heaplens_heap::{Rules, VmRoots};
use heaplens_session::dump::State;
use heaplens_session::{OpenOptions, OpenSettings};

/// Frames between two checks for changes without user action.
const NOW_AND_THEN: u64 = 20;

/// A dump with its options and a location in it.
fn saved(file: &Path, opened: &OpenSettings, location: NamedLocation) -> SavedTab {
    SavedTab {
        file: file.to_owned(),
        view: location.view.map(|view| view.key().to_owned()).unwrap_or_default(),
        object: location.object,
        class: location.class,
        keep_unreachable: opened.rules.keep_unreachable,
        ignore_vm_roots: opened.rules.vm_roots == VmRoots::Ignore,
        owner_rules: opened.owner_rules,
        redact: opened.redacted,
        mapping: opened.mapping.clone(),
    }
}

impl App {
    /// Present session.
    fn open_tabs(&self) -> OpenTabs {
        // A file that is no dump is not opened again; one on a disk that is missing may be.
        let is_no_dump = |tab: &Tab| matches!(tab.dump.state(), State::Failed(failure) if failure.is_no_dump);
        let is_kept = |tab: &&Tab| tab.comparing().is_none() && !is_no_dump(tab) && !tab.is_for_comparison;
        let alone = || self.tabs.list().iter().filter(is_kept);
        let shown = self.navigation.dump();
        let compared = self.tabs.list().iter().enumerate().filter_map(|(index, tab)| self.saved_comparison(index, tab));
        let pending = self.tabs.pending.iter().filter_map(|pending| match &pending.reason {
            ComparisonReason::Restored(comparison) => Some(comparison.clone()),
            _ => None,
        });
        let offered = self.session.offered();
        OpenTabs {
            tabs: alone().map(|tab| self.saved_tab(tab)).collect(),
            comparisons: compared.chain(pending).collect(),
            shown: alone().position(|tab| Some(tab.key) == shown),
            compared: false,
            offered: offered.map(|offered| offered.tabs.clone()).unwrap_or_default(),
            offered_comparisons: offered.map(|offered| offered.comparisons.clone()).unwrap_or_default(),
        }
    }

    pub(super) fn saved_comparison(&self, index: usize, tab: &Tab) -> Option<SavedComparison> {
        let comparing = tab.comparing()?;
        let before = saved(comparing.dump().path(), &comparing.before().opened, NamedLocation::default());
        Some(SavedComparison {
            before,
            after: self.saved_tab(tab),
            index,
            shown: Some(tab.key) == self.navigation.dump(),
        })
    }

    /// Location in a dump, to be restored when it is opened again.
    pub(super) fn named_location(&self, tab: &Tab) -> NamedLocation {
        let location = self.navigation.history.last_in(tab.key).unwrap_or_else(|| Location::start(tab.key));
        let heap = tab.open_dump().map(|dump| &dump.heap);
        // Until the dump is open, its target location counts.
        tab.awaited.clone().unwrap_or_else(|| NamedLocation {
            view: Some(location.view),
            object: location.object.zip(heap).map(|(object, heap)| heap.id_text(object)),
            class: location.class.zip(heap).map(|(class, heap)| heap.classes.get(class).name.to_string()),
        })
    }

    pub(super) fn saved_tab(&self, tab: &Tab) -> SavedTab {
        saved(tab.dump.path(), tab.opened(), self.named_location(tab))
    }

    /// Saves settings and session if they have changed. Changes without a user action (`acted`), such as pane sizes,
    /// are checked only every few frames.
    pub(super) fn keep_all(&mut self, ctx: &Context, acted: bool) {
        // Every frame: the last one may close the window.
        self.session.take_columns(ctx);
        if !acted && !ctx.cumulative_pass_nr().is_multiple_of(NOW_AND_THEN) {
            return;
        }
        if let Some(why) = self.keep_now() {
            self.toasts.warn(ctx, format!("Cannot save settings and notes: {why}"));
        }
    }

    /// Saves settings and session now. Returns an error once.
    fn keep_now(&mut self) -> Option<String> {
        let open = self.tabs.has_opened().then(|| self.open_tabs());
        self.session.store(open)
    }

    /// Saves everything when the window closes. The previous session is dropped if other dumps were opened.
    pub(super) fn keep_at_end(&mut self) {
        if self.tabs.has_opened() {
            self.session.take_offered();
        }
        // The window is closing, so errors cannot be shown.
        let _unheard = self.keep_now();
    }

    /// Reopens the dumps of the previous session at their last locations.
    pub(super) fn open_offered(&mut self, ctx: &Context) {
        let Some(OpenTabs { tabs, comparisons, shown, compared, .. }) = self.session.take_offered() else { return };
        let keys: Vec<Option<DumpKey>> = tabs.iter().map(|tab| self.open_saved(ctx, tab)).collect();
        // Sessions of earlier versions say only that two of the dumps were compared.
        if compared && comparisons.is_empty() {
            self.tabs.expect_comparison(keys.iter().flatten().copied().collect(), ComparisonReason::opened_together());
        }
        let is_of_comparison = |index: &usize| comparisons.iter().any(|comparison| comparison.index == *index);
        let indices = (0..).filter(|index| !is_of_comparison(index)).zip(&keys);
        self.tabs.restored = indices.filter_map(|(index, key)| Some((index, (*key)?))).collect();
        let mut open: Vec<(SavedTab, DumpKey)> =
            tabs.into_iter().zip(&keys).filter_map(|(tab, key)| Some((tab, (*key)?))).collect();
        for comparison in comparisons {
            let ends = [&comparison.before, &comparison.after].map(|end| self.open_end(ctx, end, &mut open));
            if let [Some(before), Some(after)] = ends {
                self.tabs.expect_comparison(vec![before, after], ComparisonReason::Restored(comparison));
            }
        }
        if let Some(key) = shown.and_then(|shown| keys.get(shown).copied().flatten()) {
            self.navigation.show_tab(&self.tabs, key);
        }
    }

    /// Tab of a dump that is compared: one of those that are `open`, else a new one, which is closed when the
    /// comparison has it.
    pub(super) fn open_end(
        &mut self,
        ctx: &Context,
        end: &SavedTab,
        open: &mut Vec<(SavedTab, DumpKey)>,
    ) -> Option<DumpKey> {
        if let Some((_, key)) = open.iter().find(|(tab, _)| tab.is_same_dump(end)) {
            return Some(*key);
        }
        let key = self.open_saved(ctx, end)?;
        let tab = self.tabs.get_mut(key)?;
        // Its location is that in the comparison.
        (tab.is_for_comparison, tab.awaited) = (true, None);
        open.push((end.clone(), key));
        Some(key)
    }

    /// Compares two dumps as in the previous session, in a tab at the same index.
    pub(super) fn restore_comparison(&mut self, before: DumpKey, after: DumpKey, saved: &SavedComparison) {
        let Some(mut tab) = self.tabs.comparison_of(before, after, &self.jobs) else { return };
        let SavedTab { view, object, class, .. } = &saved.after;
        tab.awaited = Some(NamedLocation { view: View::with_key(view), object: object.clone(), class: class.clone() });
        let at = |key: DumpKey| self.tabs.index_of(key);
        let (earlier, later): (Vec<_>, Vec<_>) = self
            .tabs
            .restored
            .iter()
            .filter_map(|&(index, key)| Some((index, at(key)?)))
            .partition(|&(index, _)| index < saved.index);
        let behind = earlier.iter().map(|&(_, at)| at + 1).max();
        let index = behind.or_else(|| later.iter().map(|&(_, at)| at).min()).unwrap_or(self.tabs.list().len());
        let layout = self.layout();
        let key = self.tabs.insert_comparison(index, tab, &layout);
        self.tabs.restored.push((saved.index, key));
        if saved.shown {
            self.navigation.show_tab(&self.tabs, key);
        }
    }

    /// Closes the tabs of `dumps` that were open only to be compared, unless another comparison waits for them.
    pub(super) fn close_ends(&mut self, dumps: &[DumpKey]) {
        for &key in dumps {
            let is_awaited = self.tabs.pending.iter().any(|pending| pending.dumps.contains(&key));
            let Some(tab) = self.tabs.get_mut(key).filter(|tab| tab.is_for_comparison && !is_awaited) else { continue };
            // A failure stays on screen.
            tab.is_for_comparison = false;
            if tab.open_dump().is_some() {
                self.close(key);
            }
        }
    }

    pub(super) fn open_saved(&mut self, ctx: &Context, saved: &SavedTab) -> Option<DumpKey> {
        let mapping = saved.mapping.as_ref().map(|path| MappingFile::read(path).map(Arc::new)).transpose();
        let mapping = mapping.unwrap_or_else(|why| {
            self.toasts.warn(ctx, why);
            None
        });
        let vm_roots = if saved.ignore_vm_roots { VmRoots::Ignore } else { self.options.rules.vm_roots };
        let rules = Rules { keep_unreachable: saved.keep_unreachable, vm_roots, ..self.options.rules };
        let mappings = mapping.map_or_else(|| self.options.mappings.clone(), |mapping| vec![mapping]);
        let redact = saved.redact || self.options.redact;
        // Always in a new tab: a tab that has the file open may differ in redaction or options.
        let key = self.open_in_tab(
            &saved.file,
            OpenOptions { rules, owner_rules: saved.owner_rules, redact, mappings, ..self.options.clone() },
        );
        let view = View::with_key(&saved.view);
        let tab = self.tabs.get_mut(key)?;
        tab.awaited = Some(NamedLocation { view, object: saved.object.clone(), class: saved.class.clone() });
        Some(key)
    }

    /// Restores the locations of dumps that have finished opening.
    pub(super) fn arrive_at_awaited(&mut self) {
        let now = self.navigation.now().map(|location| location.dump);
        let mut locations = Vec::new();
        for tab in self.tabs.list_mut() {
            if tab.awaited.is_some()
                && let Some(heap) = tab.open_dump().map(|open_dump| open_dump.heap.clone())
                && let Some(NamedLocation { view, object, class }) = tab.awaited.take()
            {
                let object = object.and_then(|id| heap.find(&id));
                let class = class.and_then(|name| heap.classes.named(&name));
                let class = object.map(|object| heap.class_id(object)).or(class);
                let start = Location::start(tab.key).with(class, object);
                locations.push(Location { view: view.unwrap_or(View::Overview), ..start });
            }
        }
        for location in locations {
            self.navigation.history.go(location);
            // Falls back to the overview if the dump does not support the view.
            if !self.is_available_at(Some(location), Verb::Show(location.view)) {
                self.navigation.history.correct(Location { view: View::Overview, ..location });
            }
        }
        if let Some(tab) = now.filter(|now| self.navigation.now().is_some_and(|location| location.dump != *now)) {
            self.navigation.show_tab(&self.tabs, tab);
        }
    }
}
