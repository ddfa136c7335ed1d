//! Context menu of an object in a row, link or path step. All of them have the same entries, read from the table of
//! verbs.
//!
//! A menu may open over any widget, deep in views without access to commands. Selected commands are therefore stored in
//! the context until the window takes them at the end of the frame ([`take`]).

use std::borrow::Cow;
use std::sync::Arc;

use eframe::egui;
use egui::{Button, Context, Id, PointerButton, Response, ScrollArea, Ui};

use crate::ui::verb::TABLE;
use crate::ui::{Command, DumpKey, Reference, Target, Verb};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_session::VerdictTargets;

/// Actions in the menu; true for a separator above.
pub const VERBS: [(Verb, bool); 22] = [
    (Verb::ShowInTree, false),
    (Verb::ObjectsOfClass, false),
    (Verb::Incoming, false),
    (Verb::Outgoing, false),
    (Verb::RetainedClasses, true),
    (Verb::ImmediateDominators, false),
    (Verb::PathsAll, false),
    (Verb::RouteFrom, true),
    (Verb::RouteTo, false),
    (Verb::OpenInNewTab, true),
    (Verb::Star, false),
    (Verb::Note, false),
    (Verb::Verdict, false),
    (Verb::CutReference, true),
    (Verb::CutField, false),
    (Verb::CutSmallest, false),
    (Verb::CopyPath, true),
    (Verb::CopyRows, false),
    (Verb::CopyName, false),
    (Verb::CopyId, false),
    (Verb::CopyLink, false),
    (Verb::RetainedSet, true),
];

/// Actions in the menu of a class; true for a separator above.
const CLASS_VERBS: [(Verb, bool); 15] = [
    (Verb::ObjectsOfClass, false),
    (Verb::PathsStrong, true),
    (Verb::PathsAll, false),
    (Verb::RetainedClasses, true),
    (Verb::ImmediateDominators, false),
    (Verb::ReferrersByClass, false),
    (Verb::ReferencesByClass, false),
    (Verb::OpenInNewTab, true),
    (Verb::Verdict, false),
    (Verb::CutReference, false),
    (Verb::CopyName, true),
    (Verb::CopyLink, false),
    (Verb::CopyRows, false),
    (Verb::CopyAs, false),
    (Verb::CopyCommand, false),
];

/// Further actions that menus offer for the selection of a view.
const MORE: [Verb; 3] = [Verb::CopyAs, Verb::CopyCommand, Verb::CopyMarkdown];

/// Points between a menu and the upper and lower edges of the window: margins and lines of its frame, and gaps.
const EDGES: f32 = 28.0;

/// Entry of a menu.
pub struct Item {
    /// Action: provides shortcut, tooltip and default name.
    pub verb: Verb,
    name: Option<Cow<'static, str>>,
    line_above: bool,
    command: Option<Command>,
    is_of_view: bool,
}

impl Item {
    /// An entry that requests a command; disabled if there is none.
    pub fn new(verb: Verb, command: impl Into<Option<Command>>) -> Self {
        Self { verb, name: None, line_above: false, command: command.into(), is_of_view: false }
    }

    /// An entry that applies the action to an object of a dump; disabled if there is none.
    pub fn of_object(verb: Verb, dump: DumpKey, object: impl Into<Option<ObjectId>>) -> Self {
        Self::new(verb, object.into().map(|object| Command::on_object(verb, dump, object)))
    }

    /// An entry that applies the action to the selection of the view; disabled if the action is.
    pub fn of_selection(verb: Verb) -> Self {
        Self::new(verb, Command::from(verb))
    }

    /// An entry that the view handles itself.
    pub fn of_view(verb: Verb) -> Self {
        Self { is_of_view: true, ..Self::new(verb, None) }
    }

    /// Sets another name.
    #[must_use]
    pub fn called(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Adds a separator above.
    #[must_use]
    pub fn below_line(self) -> Self {
        Self { line_above: true, ..self }
    }
}

fn queue_id() -> Id {
    Id::unique("selected in a menu of an object")
}

/// What menus need to know of a frame.
#[derive(Debug, Clone, Default)]
struct Frame {
    /// Dump whose objects are drawn.
    dump: Option<DumpKey>,
    /// Enabled actions.
    usable: Arc<[Verb]>,
}

fn frame_id() -> Id {
    Id::unique("frame of the menus of objects")
}

/// Frame that is being drawn.
fn frame(ctx: &Context) -> Frame {
    ctx.data(|data| data.get_temp(frame_id())).unwrap_or_default()
}

/// Sets the dump that is drawn in this frame, and the actions that are enabled.
pub fn offer(ctx: &Context, dump: Option<DumpKey>, usable: impl Fn(Verb) -> bool) {
    let verbs = VERBS.iter().map(|&(verb, _)| verb).chain(MORE);
    let usable = verbs.filter(|&verb| usable(verb)).collect();
    ctx.data_mut(|data| data.insert_temp(frame_id(), Frame { dump, usable }));
}

/// Takes the commands selected since the last frame.
pub fn take(ctx: &Context) -> Vec<Command> {
    let selected: Option<Vec<Command>> = ctx.data_mut(|data| data.remove_temp(queue_id()));
    selected.unwrap_or_default()
}

fn queue(ctx: &Context, command: Command) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<Command>>(queue_id()).push(command));
}

/// Queues a command about the dump that is drawn.
fn queue_in_dump(ctx: &Context, command: impl FnOnce(DumpKey) -> Command) {
    if let Some(dump) = frame(ctx).dump {
        queue(ctx, command(dump));
    }
}

/// Context menu of a class. A middle click lists its objects in a new tab.
pub fn of_class(response: &Response, class: ClassId) {
    response.context_menu(|ui| {
        let dump = frame(ui.ctx()).dump;
        let command = |verb| match verb {
            // Rows are copied as they are selected.
            Verb::CopyRows | Verb::CopyAs | Verb::CopyCommand => Some(Command::from(verb)),
            verb => Some(Command::on_class(verb, dump?, class)),
        };
        let item = |(verb, line_above)| Item { line_above, ..Item::new(verb, command(verb)) };
        let name = |item: Item| match item.verb {
            Verb::CutReference => item.called("Remove all references to its objects (what if)"),
            Verb::CopyName => item.called("Copy class name"),
            _ => item,
        };
        scrolling_ui(ui, |ui| items_ui(ui, CLASS_VERBS.map(item).map(name)));
    });
    if response.clicked_by(PointerButton::Middle) {
        queue_in_dump(&response.ctx, |dump| Command::on_class(Verb::OpenInNewTab, dump, class));
    }
}

/// Context menu of a link to `object`.
pub fn of(response: &Response, object: ObjectId) {
    of_reference(response, object, None);
}

/// The same for a link that represents a reference, which is the one to cut.
pub fn of_reference(response: &Response, object: ObjectId, reference: Option<&Reference>) {
    response.context_menu(|ui| scrolling_ui(ui, |ui| about_ui(ui, object, reference)));
    if response.clicked_by(PointerButton::Middle) {
        queue_in_dump(&response.ctx, |dump| Command::on_object(Verb::OpenInNewTab, dump, object));
    }
}

/// Context menu of a path step: the same, with a verdict on the reference to the step. A right click selects the step,
/// as in tables.
pub fn of_step(
    response: &Response,
    object: ObjectId,
    reference: Option<&Reference>,
    about: impl FnOnce() -> VerdictTargets,
) {
    if response.secondary_clicked() {
        queue_in_dump(&response.ctx, |dump| Command::select(dump, object));
    }
    response.context_menu(|ui| {
        let mut items = object_items(ui.ctx(), object, reference);
        let mut about = Some(about);
        for item in &mut items {
            match item.verb {
                Verb::CutReference if reference.is_some() => item.name = Some("Remove this reference (what if)".into()),
                Verb::Verdict => item.command = about.take().map(|about| Command::SetVerdict(Box::new(about()))),
                _ => {}
            }
        }
        scrolling_ui(ui, |ui| items_ui(ui, items));
    });
    if response.clicked_by(PointerButton::Middle) {
        queue_in_dump(&response.ctx, |dump| Command::on_object(Verb::OpenInNewTab, dump, object));
    }
}

/// Draws a menu that scrolls if it is higher than the window.
pub fn scrolling_ui<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let max_height = (ui.ctx().content_rect().height() - EDGES).max(3.0 * ui.spacing().interact_size.y);
    // The area remembers its height, which would otherwise limit the height for more items.
    ScrollArea::vertical().max_height(max_height).min_scrolled_height(max_height).show(ui, add).inner
}

/// Draws the entries for an object, and for a reference to it if given.
pub fn about_ui(ui: &mut Ui, object: ObjectId, reference: Option<&Reference>) {
    let items = object_items(ui.ctx(), object, reference);
    items_ui(ui, items);
}

fn object_items(ctx: &Context, object: ObjectId, reference: Option<&Reference>) -> Vec<Item> {
    let dump = frame(ctx).dump;
    let command = |verb| {
        Some(match (verb, reference) {
            (Verb::CutReference, Some(reference)) => Command::Cut(dump?, vec![reference.one.clone()]),
            (Verb::CutField, Some(reference)) => Command::Cut(dump?, vec![reference.all.clone()?]),
            // Actions on several rows apply to the selection, not to the object.
            (Verb::CopyRows | Verb::RetainedSet, _) => Command::from(verb),
            (verb, _) => Command::on_object(verb, dump?, object),
        })
    };
    let item = |(verb, line_above)| Item { line_above, ..Item::new(verb, command(verb)) };
    VERBS.into_iter().map(item).collect()
}

/// Draws menu entries. Returns the action of a clicked entry that the view handles itself.
pub fn items_ui(ui: &mut Ui, items: impl IntoIterator<Item = Item>) -> Option<Verb> {
    let usable = frame(ui.ctx()).usable;
    let mut selected = None;
    for Item { verb, name, line_above, command, is_of_view } in items {
        let Some(entry) = TABLE.iter().find(|entry| entry.verb == verb) else { continue };
        if line_above {
            ui.separator();
        }
        // Only actions on the selection can be disabled: other commands name their object.
        let command = command
            .filter(|command| !matches!(command, Command::Do(verb, Target::Selection) if !usable.contains(verb)));
        let keys = entry.key_label(ui.ctx()).unwrap_or_default();
        let button = Button::new(name.unwrap_or(Cow::Borrowed(entry.name))).shortcut_text(keys);
        let shown = ui.add_enabled(command.is_some() || is_of_view, button).on_hover_text(entry.about);
        if shown.clicked() {
            selected = selected.or(is_of_view.then_some(verb));
            command.into_iter().for_each(|command| queue(ui.ctx(), command));
            ui.close();
        }
    }
    selected
}
