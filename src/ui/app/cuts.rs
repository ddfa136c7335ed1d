//! Removals of the user: changed, and kept with their dump.

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use heaplens_analysis::Cut;
use heaplens_session::{Cuts, Jobs, OpenDump};

impl App {
    /// Removes the reference that the focus determines; with `in_all` its field in all instances.
    pub(super) fn cut_chosen(&mut self, ctx: &Context, in_all: bool) {
        match (self.navigation.dump(), self.navigation.chosen_cut(&mut self.tabs, in_all)) {
            (Some(dump), Ok(Some(cut))) => self.toggle_cuts(dump, vec![cut]),
            (_, Err(why)) => self.toasts.hint(ctx, why.to_owned()),
            _ => {}
        }
    }

    /// Changes what is removed from a dump, and keeps it.
    pub(super) fn change_cuts(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        if let Some((identity, steps)) = of.and_then(|of| self.tabs.cut(of, &self.jobs, change)) {
            self.session.settings.cuts.set(&identity, steps);
        }
    }

    /// Removes references of a dump as one step, or puts them back if all of them are removed.
    pub(super) fn toggle_cuts(&mut self, of: DumpKey, cuts: Vec<Cut>) {
        self.change_cuts(Some(of), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
    }

    /// Keeps the removals of a dump.
    pub(super) fn keep_cuts(&mut self, of: DumpKey) {
        if let Some((identity, steps)) = self.tabs.kept_cuts(of) {
            self.session.settings.cuts.set(&identity, steps);
        }
    }

    /// Shows the heap after the removals, or the dump.
    pub(super) fn show_after(&mut self, of: Option<DumpKey>, is_wanted: bool) {
        if let Some(tab) = of.and_then(|of| self.tabs.get_mut(of)) {
            tab.show_after(is_wanted, &self.jobs);
        }
    }
}
