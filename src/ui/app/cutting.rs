//! Selection of the reference to cut: that of the selected row, of the path step, of the finding, the one that holds
//! the selected object, or all objects of the selected class; and the cuts kept with their dump.

use eframe::egui::Context;

use super::App;
use crate::ui::{DumpKey, Pane, View};
use heaplens_analysis::Cut;
use heaplens_heap::ObjectId;
use heaplens_session::{Cuts, Jobs, OpenDump};

impl App {
    /// Cuts the reference that the focus determines; with `in_all` its field in all instances.
    pub(super) fn cut_chosen(&mut self, ctx: &Context, in_all: bool) {
        let Some(location) = self.navigation.now() else { return };
        let focus = self.navigation.focus;
        let Some(tab) = self.tabs.get_mut(location.dump) else { return };
        let Some(heap) = tab.open_dump().map(|dump| dump.heap.clone()) else { return };
        let beside = location.view.is_about_objects();
        if let Some(reference) = tab.views.inspector.reference(&heap).filter(|_| beside && focus == Pane::Inspector) {
            let cut = reference.cut(in_all);
            return self.cut_or_say(ctx, location.dump, cut);
        }
        if location.view == View::Leaks && focus == Pane::Main && !in_all && tab.views.leaks.cut_chosen() {
            return;
        }
        match (location.object.filter(|_| beside), location.class) {
            (Some(object), _) if focus == Pane::Path => {
                let reference = tab.views.paths.reference(&heap, object, true);
                let cut = reference.and_then(|reference| reference.cut(in_all));
                self.cut_or_say(ctx, location.dump, cut);
            }
            (Some(object), _) => tab.views.paths.cut_when_known(object, in_all),
            (None, Some(class)) if location.view == View::Histogram => {
                self.toggle_cuts(location.dump, vec![Cut::Class(class)]);
            }
            _ => {}
        }
    }

    /// Cuts the reference that holds `object`: selects the object and searches its path.
    pub(super) fn cut_holder_of(&mut self, object: ObjectId, in_all: bool) {
        if self.navigation.now().and_then(|location| location.object) != Some(object) {
            self.navigation.select_object(&mut self.tabs, object);
        }
        if let Some(tab) = self.tab_now_mut() {
            tab.views.paths.cut_when_known(object, in_all);
        }
    }

    fn cut_or_say(&mut self, ctx: &Context, dump: DumpKey, cut: Result<Cut, &'static str>) {
        match cut {
            Ok(cut) => self.toggle_cuts(dump, vec![cut]),
            Err(why) => self.toasts.hint(ctx, why.to_owned()),
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
