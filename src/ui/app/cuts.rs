//! Cuts of the user: changed, and kept with their dump.

use eframe::egui::Context;

use super::App;
use crate::ui::DumpKey;
use heaplens_analysis::Cut;
use heaplens_session::{Cuts, Jobs, OpenDump};

impl App {
    /// Cuts the reference that the focus determines; with `in_all` its field in all instances.
    pub(super) fn cut_chosen(&mut self, ctx: &Context, in_all: bool) {
        match (self.navigation.dump(), self.navigation.chosen_cut(&mut self.tabs, in_all)) {
            (Some(dump), Ok(Some(cut))) => self.toggle_cuts(dump, vec![cut]),
            (_, Err(why)) => self.toasts.hint(ctx, why.to_owned()),
            _ => {}
        }
    }

    /// Changes what is cut in a dump, and keeps it.
    pub(super) fn change_cuts(&mut self, of: Option<DumpKey>, change: impl FnOnce(&mut Cuts, &OpenDump, &Jobs)) {
        if let Some((identity, steps)) = of.and_then(|of| self.tabs.cut(of, &self.jobs, change)) {
            self.session.settings.cuts.set(&identity, steps);
        }
    }

    /// Adds cuts to a dump as one step, or removes them if all of them exist.
    pub(super) fn toggle_cuts(&mut self, of: DumpKey, cuts: Vec<Cut>) {
        self.change_cuts(Some(of), |all, dump, jobs| all.toggle_all(cuts, dump, jobs));
    }

    /// Keeps the cuts of a dump.
    pub(super) fn keep_cuts(&mut self, of: DumpKey) {
        if let Some((identity, steps)) = self.tabs.kept_cuts(of) {
            self.session.settings.cuts.set(&identity, steps);
        }
    }
}
