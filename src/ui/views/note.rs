//! Star and note of the selected object, in the header of the inspector.

use crate::ui::view_request::ViewRequest;
use eframe::egui::{self, Context, Id, Key, Modifiers, Role, TextEdit, Ui};

use crate::ui::theme::Icon;
use crate::ui::widgets::controls;
use crate::ui::{Command, Verb, ViewContext};
use heaplens_heap::ObjectId;

/// Button that toggles the star.
pub fn star_ui(ui: &mut Ui, context: &mut ViewContext<'_>, id: &str) {
    let starred = context.marks.of(&context.dump.identity, id).is_some_and(|mark| mark.star);
    let (icon, name) = if starred { (Icon::Starred, "Remove star (M)") } else { (Icon::Star, "Add star (M)") };
    if controls::icon_button(ui, icon, name, true).clicked() {
        context.push(Command::from(Verb::Star));
    }
}

fn editor_id() -> Id {
    Id::unique("note of the object")
}

/// Ends editing the note by Ctrl+Enter, which is a shortcut of some views. To be called before shortcuts are taken. True
/// if the note was being edited.
pub fn take_keys(ctx: &Context) -> bool {
    let is_edited = ctx.memory(|memory| memory.has_focus(editor_id()));
    if is_edited && ctx.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::Enter)) {
        ctx.memory_mut(|memory| memory.surrender_focus(editor_id()));
    }
    is_edited
}

/// The note while it is shown or edited.
#[derive(Default)]
pub struct NoteEditor {
    of: Option<ObjectId>,
    open: bool,
    text: String,
}

impl NoteEditor {
    /// Draws the note of `object` if there is one or it is being edited.
    pub fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId, id: &str) {
        let note = context.marks.of(&context.dump.identity, id).map(|mark| mark.note.clone()).unwrap_or_default();
        if self.of != Some(object) {
            *self = Self { of: Some(object), open: !note.is_empty(), text: note };
        } else if note != self.text && !ui.memory(|memory| memory.has_focus(editor_id())) {
            // It was undone or redone.
            (self.open, self.text) = (!note.is_empty(), note);
        }
        let wanted = context.requests.has(ViewRequest::EditNote);
        self.open |= wanted;
        if !self.open {
            return;
        }
        ui.add_space(4.0);
        let edit = TextEdit::multiline(&mut self.text)
            .id(editor_id())
            .hint_text("Note, saved for this dump")
            .desired_rows(2)
            .desired_width(f32::INFINITY);
        let shown = ui.add(edit);
        shown.widget_info(|| egui::WidgetInfo::labeled(Role::MultilineTextInput, true, "Note"));
        if wanted {
            shown.request_focus();
        }
        if shown.changed() {
            context.push(Command::WriteNote(context.location.dump, object, self.text.clone()));
        }
        if shown.has_focus() && ui.input(|i| i.key_pressed(Key::Escape)) {
            shown.surrender_focus();
        }
        if shown.lost_focus() && self.text.is_empty() {
            self.open = false;
        }
    }
}
