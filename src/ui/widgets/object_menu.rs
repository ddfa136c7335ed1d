//! The menu of whatever names an object: a row, a link, a step. Every such
//! thing has the same one, read from the table of verbs.
//!
//! A menu opens over any widget, deep inside views that know nothing of
//! commands. So what was chosen waits with the context until the frame ends,
//! where the window takes it ([`take`]).

use std::sync::Arc;

use eframe::egui;
use egui::{Button, Context, Id, PointerButton, Response, Ui};

use crate::heap::ids::ObjectId;
use crate::ui::command::Command;
use crate::ui::reference::Reference;
use crate::ui::verb::{TABLE, Verb, written};

/// What of the table stands in the menu, with a line above some.
pub const VERBS: [(Verb, bool); 16] = [
    (Verb::ShowInTree, false),
    (Verb::ObjectsOfClass, false),
    (Verb::Incoming, false),
    (Verb::Outgoing, false),
    (Verb::RouteFrom, true),
    (Verb::RouteTo, false),
    (Verb::OpenBeside, true),
    (Verb::Star, false),
    (Verb::Note, false),
    (Verb::Verdict, false),
    (Verb::CutReference, true),
    (Verb::CutField, false),
    (Verb::CopyPath, true),
    (Verb::CopyRows, false),
    (Verb::CopyId, false),
    (Verb::RetainedSet, true),
];

fn chosen_id() -> Id {
    Id::unique("chosen in a menu of an object")
}

fn usable_id() -> Id {
    Id::unique("usable in a menu of an object")
}

/// Says which verbs can be used in this frame.
pub fn offer(ctx: &Context, usable: impl Fn(Verb) -> bool) {
    let usable: Arc<[Verb]> = VERBS.iter().map(|&(verb, _)| verb).filter(|&verb| usable(verb)).collect();
    ctx.data_mut(|data| data.insert_temp(usable_id(), usable));
}

/// What was chosen since the last frame.
pub fn take(ctx: &Context) -> Vec<Command> {
    let chosen: Option<Vec<Command>> = ctx.data_mut(|data| data.remove_temp(chosen_id()));
    chosen.unwrap_or_default()
}

fn choose(ctx: &Context, command: Command) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<Command>>(chosen_id()).push(command));
}

/// The menu of a selected row: verbs apply to what is selected. A middle click opens it in a new tab.
pub fn of_row(response: &Response) {
    response.context_menu(|ui| verbs_ui(ui, |verb| Some(Command::Do(verb))));
    if response.clicked_by(PointerButton::Middle) {
        choose(&response.ctx, Command::Do(Verb::OpenBeside));
    }
}

/// The menu of a link to `object`.
pub fn of(response: &Response, object: ObjectId) {
    of_reference(response, object, None);
}

/// The same where the link stands for a reference: that is the one to cut.
pub fn of_reference(response: &Response, object: ObjectId, reference: Option<&Reference>) {
    response.context_menu(|ui| about_ui(ui, object, reference));
    if response.clicked_by(PointerButton::Middle) {
        choose(&response.ctx, Command::About(object, Verb::OpenBeside));
    }
}

/// What can be done with an object, and the reference to it that is meant, to stand in a menu.
pub fn about_ui(ui: &mut Ui, object: ObjectId, reference: Option<&Reference>) {
    verbs_ui(ui, |verb| match (verb, reference) {
        (Verb::CutReference, Some(reference)) => Some(Command::Cut(reference.one.clone())),
        (Verb::CutField, Some(reference)) => reference.all.clone().map(Command::Cut),
        // What applies to several rows is not about the one.
        (Verb::CopyRows | Verb::RetainedSet, _) => Some(Command::Do(verb)),
        (verb, _) => Some(Command::About(object, verb)),
    });
}

fn verbs_ui(ui: &mut Ui, command: impl Fn(Verb) -> Option<Command>) {
    let usable: Option<Arc<[Verb]>> = ui.data(|data| data.get_temp(usable_id()));
    let usable = usable.unwrap_or_default();
    for (verb, line_above) in VERBS {
        let Some(entry) = TABLE.iter().find(|entry| entry.verb == verb) else { continue };
        if line_above {
            ui.separator();
        }
        let keys = entry.keys.first().map(|keys| written(ui.ctx(), keys)).unwrap_or_default();
        let button = Button::new(entry.name).shortcut_text(keys);
        let command = command(verb).filter(|_| usable.contains(&verb));
        let shown = ui.add_enabled(command.is_some(), button).on_hover_text(entry.about);
        if let Some(command) = command.filter(|_| shown.clicked()) {
            choose(ui.ctx(), command);
            ui.close();
        }
    }
}
