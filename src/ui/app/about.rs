//! Actions on an object named by a menu or a link, independent of the selection.

use eframe::egui::Context;

use super::App;
use super::sets::is_question;
use crate::ui::tab::Tab;
use crate::ui::{Command, RowCommand, Verb};
use heaplens_heap::ObjectId;

impl App {
    /// Applies an action to `object`. Actions that need no other view are done in location; otherwise the object is
    /// selected first.
    pub(super) fn apply_about(&mut self, ctx: &Context, object: ObjectId, verb: Verb) {
        let location = self.history.now();
        match verb {
            Verb::Verdict => self.set_verdict_of_object(object, false),
            Verb::CutReference => self.cut_holder_of(ctx, object, false),
            Verb::CutField => self.cut_holder_of(ctx, object, true),
            Verb::ShowInTree => self.apply_here(ctx, RowCommand::Reveal(object)),
            Verb::Star => {
                if let Some(location) = location {
                    self.mark(location.dump, object, |mark| mark.star ^= true);
                }
            }
            Verb::CopyId => {
                let dump = location.and_then(|location| self.tab(location.dump)).and_then(Tab::open_dump);
                if let Some(id) = dump.map(|dump| dump.heap.id_text(object)) {
                    self.apply(ctx, Command::Copy(id.clone(), id));
                }
            }
            Verb::CopyLink => self.copy_link_of(object),
            // The selection is that of the frame drawn last; the object may be another one, such as a step of a path.
            verb if is_question(verb) && !self.is_selected(object) => self.ask_of_object(verb, object),
            verb => {
                if location.and_then(|location| location.object) != Some(object) {
                    self.apply_here(ctx, RowCommand::Select(object));
                }
                self.apply_verb(ctx, verb);
            }
        }
    }
}
