//! The inspector of several objects, such as a group of the dominator tree: what they retain together, their owners and
//! classes, and where their paths lead.

use eframe::egui::{self, Id, Label, Rect, RichText, Ui, vec2};

use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::widgets::{ObjectName, controls, definition, line_ui, units};
use crate::ui::{Command, Pane, Target, Verb, ViewContext};
use heaplens_analysis::holders::{ClassOfSet, Holder};
use heaplens_base::invisible::visible_line;
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::ObjectId;
use heaplens_session::open_dump::selection::{ObjectSet, RowTotals, Selection};

/// Maximum number of owners and of classes listed.
const LISTED: usize = 50;
/// Height of a line, in points.
const LINE: f32 = 20.0;
/// Width of a number at the right of a line, in points.
const NUMBER: f32 = 78.0;

/// Number of selected objects, if there are several and none of them is selected by itself.
pub(super) fn count(context: &ViewContext<'_>) -> Option<u64> {
    if context.location.object.is_some() || !context.location.view.is_about_objects() {
        return None;
    }
    match context.selection.set() {
        ObjectSet::Objects(objects) => Some(objects.as_slice().len() as u64),
        &ObjectSet::Rows(RowTotals::Summed(objects, ..) | RowTotals::Objects(objects)) => Some(objects),
        _ => None,
    }
    .filter(|&objects| objects > 1)
}

/// Name of the selected objects: that of their row or cell.
pub(super) fn name(selection: &Selection, count: u64) -> String {
    selection.group().map_or_else(|| Count(count).of("selected object", "selected objects"), |group| group.name.clone())
}

/// Draws the pane.
pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, count: u64) {
    ui.spacing_mut().item_spacing.y = 4.0;
    let frame = egui::Frame::NONE.inner_margin(egui::Margin::symmetric(sizes::PAD as i8, 8));
    frame.show(ui, |ui| {
        header_ui(ui, context, count);
        egui::ScrollArea::vertical().id_salt("group").auto_shrink(false).show(ui, |ui| {
            facts_ui(ui, context, count);
            ui.horizontal_wrapped(|ui| {
                let about = "Show the paths from GC roots to these objects as one tree";
                if controls::labelled_button(ui, Icon::Search, "Show merged paths").on_hover_text(about).clicked() {
                    context.push(Command::Do(Verb::PathsStrong, Target::Selection));
                }
                let about = "Show what would be freed if all these objects were collected, by class";
                if controls::labelled_button(ui, Icon::Table, "Show retained set").on_hover_text(about).clicked() {
                    context.push(Command::Do(Verb::RetainedClasses, Target::Selection));
                }
            });
            owners_ui(ui, context);
            classes_ui(ui, context);
        });
    });
}

fn header_ui(ui: &mut Ui, context: &mut ViewContext<'_>, count: u64) {
    let t = tokens(ui);
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if controls::icon_button(ui, Icon::Cross, "Hide the inspector (F4)", true).clicked() {
                context.push(Command::Toggle(Pane::Inspector));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let words = if context.selection.group().is_some() { "group" } else { "selection" };
                ui.label(RichText::new(words).font(fonts::small()).color(t.muted));
            });
        });
    });
    let name = visible_line(&name(context.selection, count)).into_owned();
    let title = RichText::new(&name).font(fonts::heading()).color(t.text);
    let shown = ui.add(Label::new(title).wrap());
    shown.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("Inspector: {name}")));
}

fn facts_ui(ui: &mut Ui, context: &ViewContext<'_>, count: u64) {
    let selection: &Selection = context.selection;
    let total = context.dump.analysis.shown.shallow;
    let written = |bytes: Bytes| units::written(ui.ctx(), bytes);
    let together = match (selection.exact(), selection.held(), selection.set()) {
        (Some(exact), ..) => Some((exact.retained, String::new())),
        (None, Some(held), _) => Some((held.dominated, "at least ".to_owned())),
        (None, None, &ObjectSet::Rows(RowTotals::Summed(.., retained))) => Some((retained, "at least ".to_owned())),
        (None, None, _) => None,
    };
    let retained = together.map_or_else(String::new, |(bytes, before)| {
        format!("{before}{}  ·  {}", written(bytes), Share::of(bytes, total))
    });
    let shallow = selection.held().map_or_else(String::new, |held| written(held.shallow));
    let facts = [
        ("Objects", Count(count).to_string(), "Number of objects in the group"),
        ("Retained size", retained, "Freed if all these objects were collected"),
        ("Shallow size", shallow, "Sum of the sizes of the objects themselves"),
    ];
    for (name, value, about) in facts {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), egui::Sense::HOVER);
        definition::tooltip_at_pointer(response, name, about);
        let t = tokens(ui);
        line_ui(ui, rect, name, fonts::small(), t.muted);
        line_ui(ui, rect.with_min_x(rect.left() + 84.0), value, fonts::text(), t.text);
    }
}

/// Draws the owners of shared objects, or the dominators of others, as links.
fn owners_ui(ui: &mut Ui, context: &mut ViewContext<'_>) {
    let shared = context.selection.group().and_then(|group| group.owners.clone());
    let Some(held) = context.selection.held() else { return };
    let (caption, owners, more): (_, Vec<(ObjectId, Option<u64>)>, usize) = match shared {
        Some(owners) => {
            let more = owners.len().saturating_sub(LISTED);
            ("Owners: freed only if all of them are collected", owners.into_iter().map(|o| (o, None)).collect(), more)
        }
        None => {
            let named = held.holders.iter().take(LISTED);
            let owners = named.filter_map(|&Holder { object, objects }| Some((object?, Some(objects)))).collect();
            ("Owners: nearest dominators", owners, held.holders.len().saturating_sub(LISTED))
        }
    };
    let without = held.holders.iter().find(|holder| holder.object.is_none()).map_or(0, |holder| holder.objects);
    let is_shared = context.selection.group().is_some_and(|group| group.owners.is_some());
    ui.add_space(6.0);
    controls::caption(ui, caption);
    for (at, &(owner, objects)) in owners.iter().take(LISTED).enumerate() {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), egui::Sense::HOVER);
        let of = objects.filter(|_| owners.len() > 1).map(|objects| Count(objects).of("object", "objects"));
        let rect = number_ui(ui, rect, of);
        let salt = Id::unique(("owner of a group", at));
        let heap = &context.dump.heap;
        let link = ObjectName::with(context.labels, heap, owner, |name| name.link_ui(ui, rect, salt));
        context.follow(&link, owner);
    }
    let t = tokens(ui);
    let mut notes = Vec::new();
    if more > 0 {
        notes.push(format!("and {} more", Count(more as u64)));
    }
    if without > 0 && !is_shared {
        notes.push(format!("{} held by GC roots or several owners", Count(without).of("object", "objects")));
    }
    for note in notes {
        ui.add(Label::new(RichText::new(note).font(fonts::small()).color(t.muted)).truncate());
    }
}

/// Draws the classes of the objects; a click lists the objects of a class.
fn classes_ui(ui: &mut Ui, context: &mut ViewContext<'_>) {
    let Some(held) = context.selection.held() else { return };
    let rows: Vec<ClassOfSet> = held.classes.iter().take(LISTED).copied().collect();
    let more = held.classes.len() - rows.len();
    let t = tokens(ui);
    ui.add_space(6.0);
    controls::caption(ui, "Classes: objects and their retained size");
    for row in rows {
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), egui::Sense::HOVER);
        let rect = number_ui(ui, line, Some(units::written(ui.ctx(), row.retained)));
        let rect = number_ui(ui, rect, Some(Count(row.totals.objects).to_string()));
        let class = context.dump.heap.classes.get(row.class).name.to_string();
        let response = ui.interact(rect, Id::unique(("class of a group", row.class)), egui::Sense::CLICK);
        let name = ObjectName { class: &class, label: None, id: "" };
        name.paint(ui, t, rect);
        if response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        controls::focus_ring(ui, &response, rect);
        let objects = Count(row.totals.objects).of("object", "objects");
        response.widget_info(|| {
            let text = format!("Class {class}, {objects}, {}", row.retained);
            egui::WidgetInfo::labeled(egui::Role::Link, true, text)
        });
        let about = format!("{class}\n{objects} of the group\nClick to list all objects of the class");
        if response.on_hover_text(about).clicked() {
            context.push(Command::on_class(Verb::ObjectsOfClass, context.location.dump, row.class));
        }
    }
    if more > 0 {
        let text = format!("and {} more", Count(more as u64).of("class", "classes"));
        ui.label(RichText::new(text).font(fonts::small()).color(t.muted));
    }
}

/// Draws a number at the right of a line; returns the rest of the line.
fn number_ui(ui: &Ui, rect: Rect, text: Option<String>) -> Rect {
    let Some(text) = text else { return rect };
    let t = tokens(ui);
    let galley = ui.painter().layout_no_wrap(text, fonts::small(), t.muted);
    let at = egui::pos2(rect.right() - galley.size().x, rect.center().y - galley.size().y / 2.0);
    let left = (rect.right() - NUMBER.max(galley.size().x + 8.0)).max(rect.left());
    ui.painter().galley(at, galley, t.muted);
    rect.with_max_x(left)
}
