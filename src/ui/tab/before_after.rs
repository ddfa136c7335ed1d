//! Before and after: a tab shows its dump, or the heap after the removals. Each has views of its own, so that both are as
//! they were left when the user switches between them.

use super::Tab;
use super::after::{AfterRemovals, HiddenViews};
use heaplens_base::Progress;
use heaplens_session::{Jobs, OpenDump};

impl Tab {
    /// The heap on screen: that of the dump, or the one after the removals.
    pub fn shown_dump(&self) -> Option<&OpenDump> {
        self.after.shown.as_ref().or(self.open_dump.as_ref())
    }

    /// True if the heap after the removals is on screen.
    pub fn is_after(&self) -> bool {
        self.after.shown.is_some()
    }

    /// True if the user wants to see the heap after the removals, also while it is derived.
    pub fn wants_after(&self) -> bool {
        self.after.is_wanted
    }

    /// True if the heap on screen is compared with another.
    pub fn compares(&self) -> bool {
        self.comparing().is_some() || self.is_after()
    }

    /// Progress of deriving the heap after the removals.
    pub fn after_progress(&self) -> Option<Progress> {
        self.after.heap.progress()
    }

    /// Why there is no heap after the removals.
    pub fn after_error(&self) -> Option<&str> {
        self.after.heap.error().filter(|_| self.after.is_wanted)
    }

    /// True while the heap after the removals is derived.
    pub(super) fn is_deriving_after(&self) -> bool {
        self.after.heap.is_running()
    }

    /// Shows the heap after the removals, as soon as it is derived, or the dump.
    pub fn show_after(&mut self, is_wanted: bool, jobs: &Jobs) {
        self.after.is_wanted = is_wanted && !self.cuts.active().is_empty();
        if !self.after.is_wanted {
            return self.show_before();
        }
        if self.after.heap.of(self.cuts.active()).is_some() {
            return self.show_derived();
        }
        self.after.hidden = self.after.hidden.take().filter(|_| self.is_after());
        if let Some(before) = &self.open_dump {
            let storage = self.dump.options().storage.clone();
            let known = self.cuts.effect().cloned();
            self.after.heap.ask(before, (self.cuts.active().to_vec(), known), storage, jobs);
        }
    }

    /// Called when the removals changed: the heap after is another one.
    pub(super) fn removals_changed(&mut self, jobs: &Jobs) {
        if self.after.is_wanted {
            self.show_after(true, jobs);
        } else {
            // The views are of a heap after other removals.
            self.after.hidden = None;
        }
    }

    /// Forgets the heap after the removals: what it was derived by has changed.
    pub(super) fn forget_after(&mut self) {
        self.show_before();
        self.after = AfterRemovals::default();
    }

    /// Shows a heap that was derived meanwhile, if it is still wanted, and what the removals changed.
    pub(super) fn poll_after(&mut self) {
        if self.after.heap.poll() && self.after.is_wanted {
            self.show_derived();
        }
        if let (Some(comparing), Some(shown)) = (&mut self.after.comparing, &mut self.after.shown)
            && comparing.poll()
        {
            shown.set_baseline(comparing.done().cloned());
        }
    }

    fn show_before(&mut self) {
        if self.after.shown.take().is_some() {
            self.after.comparing = None;
            self.swap_views();
        }
    }

    /// Shows the heap after the removals, if it is the one after all of them.
    fn show_derived(&mut self) {
        let Some(derived) = self.after.heap.of(self.cuts.active()).cloned() else { return };
        self.after.comparing = None;
        if self.after.shown.replace(derived).is_none() {
            return self.swap_views();
        }
        // After other removals: the views of the dump stay as they are.
        let mut fresh = HiddenViews::default();
        fresh.views.lay_out(&self.views.layout());
        fresh.views.begin_like(&self.views);
        self.swap_with(&mut fresh);
    }

    fn swap_views(&mut self) {
        let mut other = self.after.hidden.take().unwrap_or_else(|| {
            let mut fresh = Box::<HiddenViews>::default();
            fresh.views.lay_out(&self.views.layout());
            fresh.views.begin_like(&self.views);
            fresh
        });
        self.swap_with(&mut other);
        self.after.hidden = Some(other);
    }

    fn swap_with(&mut self, other: &mut HiddenViews) {
        std::mem::swap(&mut self.views, &mut other.views);
        std::mem::swap(&mut self.labels, &mut other.labels);
        std::mem::swap(&mut self.selection, &mut other.selection);
        std::mem::swap(&mut self.selected_rows, &mut other.selected_rows);
        std::mem::swap(&mut self.selected_in, &mut other.selected_in);
        std::mem::swap(&mut self.selections, &mut other.selections);
    }
}
