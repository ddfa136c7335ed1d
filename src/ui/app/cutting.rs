//! Selection of the reference to cut: that of the selected row, of the path step, of the finding, the one that holds
//! the selected object, or all objects of the selected class.

use eframe::egui::Context;

use super::App;
use crate::ui::cuts::command_line;
use crate::ui::{DumpKey, Pane, View};
use heaplens_analysis::Cut;
use heaplens_heap::ObjectId;

impl App {
    /// Cuts the reference that the focus determines; with `in_all` its field in all instances.
    pub(super) fn cut_chosen(&mut self, ctx: &Context, in_all: bool) {
        let Some(location) = self.history.now() else { return };
        let focus = self.focus;
        let Some(tab) = self.tab_mut(location.dump) else { return };
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
        if self.history.now().and_then(|location| location.object) != Some(object) {
            self.select_object(object);
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

    /// Command lines for the clipboard: `command` for the rows, and one for the cuts if there are any.
    pub(super) fn with_cuts(&self, command: &str) -> String {
        let cuts = self.tab_now().and_then(|tab| command_line(&tab.cuts, tab.open_dump()?));
        cuts.map_or_else(|| command.to_owned(), |cuts| format!("{command}{cuts}\n"))
    }
}
