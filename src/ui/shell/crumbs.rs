//! The row above a view: the buttons *Back* and *Forward*, the breadcrumbs of the current location (the view, the class,
//! and the dominators down to the selected object; a click goes there), and the buttons of the side panes.

use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{Button, Rect, Role, Sense, Ui, pos2, vec2};

use super::removals::{self, RemovalsInfo};
use crate::ui::theme::{Icon, fonts, icons, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::fitting::fitted;
use crate::ui::widgets::{ObjectName, controls, object_menu};
use crate::ui::{Command, Pane, Verb, View, ViewContext};
use heaplens_heap::{ObjectId, split_class};
use heaplens_session::OpenDump;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::UsualCut;

const HEIGHT: f32 = 30.0;
/// Maximum number of dominators, nearest to the object.
const MAX_DOMINATORS: usize = 4;
const MAX_WIDTH: f32 = 190.0;
/// Maximum share of the row for removals.
const REMOVALS: f32 = 0.6;

/// A breadcrumb: short text, full text and target.
struct Crumb {
    text: String,
    full_text: String,
    leads: Option<Command>,
    object: Option<ObjectId>,
}

/// Locations that *Back* and *Forward* lead to, by name, nearest first.
pub struct Visited {
    /// Current location.
    pub now: String,
    /// Previous locations.
    pub before: Vec<String>,
    /// Next locations.
    pub after: Vec<String>,
}

/// What the row shows besides the location.
pub struct Around<'a> {
    /// Locations that were visited.
    pub visited: &'a Visited,
    /// Removals, with the dump they are made in.
    pub removals: Option<(&'a RemovalsInfo, &'a OpenDump)>,
}

/// Draws the row.
pub fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, around: &Around<'_>) {
    let visited = around.visited;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::HOVER);
    let mut ui =
        ui.new_child(egui::UiBuilder::new().max_rect(row).layout(egui::Layout::left_to_right(egui::Align::Center)));
    ui.spacing_mut().item_spacing.x = 0.0;
    ui.add_space(4.0);
    for (verb, icon, locations) in
        [(Verb::Back, Icon::Back, &visited.before), (Verb::Forward, Icon::Forward, &visited.after)]
    {
        let hint = format!("{}{}; right-click to list locations", verb.entry().name, keys_text(ui.ctx(), verb));
        let button = controls::icon_button(&mut ui, icon, &hint, !locations.is_empty());
        let command = if verb == Verb::Back { Command::Back } else { Command::Forward };
        button.context_menu(|ui| places_ui(ui, context, locations.iter().enumerate(), command));
        if button.clicked() {
            context.push(Command::from(verb));
        }
    }
    history_ui(&mut ui, context, visited);
    ui.add_space(6.0);
    let panes: &[_] = if context.location.view.is_about_objects() {
        &[(Verb::PathPane, Icon::PaneLeft, Pane::Path), (Verb::InspectorPane, Icon::PaneRight, Pane::Inspector)]
    } else {
        &[]
    };
    let right = row.right() - panes.len() as f32 * 28.0 - 8.0;
    let crumbs = Rect::from_min_max(pos2(ui.cursor().left(), row.top()), pos2(right, row.bottom()));
    let taken = around.removals.map_or(0.0, |(info, dump)| removals_ui(&mut ui, context, crumbs, (info, dump)));
    crumbs_ui(&mut ui, context, crumbs.with_max_x(right - taken));
    ui.advance_cursor_after_rect(crumbs);
    for &(verb, icon, pane) in panes {
        let name = format!("{}{}", verb.entry().name, keys_text(ui.ctx(), verb));
        if controls::icon_button(&mut ui, icon, &name, true).clicked() {
            context.push(Command::Toggle(pane));
        }
    }
}

/// Removals at the right end of the row; returns the width that they take.
fn removals_ui(ui: &mut Ui, context: &mut ViewContext<'_>, row: Rect, (info, dump): (&RemovalsInfo, &OpenDump)) -> f32 {
    let area = row.with_min_x(row.left() + row.width() * (1.0 - REMOVALS)).shrink2(vec2(0.0, 3.0));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut part = ui.new_child(egui::UiBuilder::new().max_rect(area).layout(layout));
    let button = removals::strip_ui(&mut part, info, context.commands);
    removals::list_ui(&button, context.cuts, context.location.dump, dump, context.commands);
    part.min_rect().width() + 12.0
}

/// Locations in a menu, each with its distance from the current one, from 0; `command` goes there.
fn places_ui<'a>(
    ui: &mut Ui,
    context: &mut ViewContext<'_>,
    locations: impl Iterator<Item = (usize, &'a String)>,
    command: fn(usize) -> Command,
) {
    for (at, name) in locations {
        if ui.button(name).clicked() {
            context.push(command(at + 1));
            ui.close();
        }
    }
}

/// The locations visited, in a menu: the next ones, the current one, the previous ones.
fn history_ui(ui: &mut Ui, context: &mut ViewContext<'_>, visited: &Visited) {
    let t = tokens(ui);
    let button = Button::new("").frame(false).min_size(vec2(22.0, 28.0));
    let (button, _) = MenuButton::from_button(button).ui(ui, |ui| {
        controls::caption(ui, "Visited");
        places_ui(ui, context, visited.after.iter().enumerate().rev(), Command::Forward);
        ui.add_enabled(false, Button::new(&visited.now).selected(true));
        places_ui(ui, context, visited.before.iter().enumerate(), Command::Back);
    });
    button.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, "Locations visited"));
    let color = if button.hovered() { t.text } else { t.muted };
    icons::paint(ui.painter(), Icon::Open, button.rect, 9.0, color);
    button.on_hover_text("Locations visited");
}

fn crumbs_ui(ui: &mut Ui, context: &mut ViewContext<'_>, strip: Rect) {
    let t = tokens(ui);
    let trail = trail(context);
    let mut x = strip.left();
    let last = trail.len().saturating_sub(1);
    for (at, crumb) in trail.into_iter().enumerate() {
        let space = strip.right() - x;
        if space < 24.0 {
            break;
        }
        let color = if at == last { t.text } else { t.muted };
        let text = (&*crumb.text, UsualCut::Middle);
        let (galley, _) = fitted(ui, "crumbs", text, (fonts::small(), color), space.min(MAX_WIDTH));
        let rect = Rect::from_min_size(pos2(x, strip.top()), vec2(galley.size().x, HEIGHT));
        let leads = crumb.leads.is_some();
        let (sense, role) = if leads { (Sense::click(), Role::Link) } else { (Sense::HOVER, Role::Label) };
        let response = ui.interact(rect, egui::Id::unique(("crumb", context.location.dump, at)), sense);
        response.widget_info(|| egui::WidgetInfo::labeled(role, true, format!("Breadcrumb: {}", crumb.full_text)));
        let y = rect.center().y - galley.size().y / 2.0;
        let hot = leads && (response.hovered() || response.has_focus());
        if hot {
            ui.painter().hline(rect.x_range(), y + galley.size().y, (1.0, t.accent));
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        ui.painter().galley_with_override_text_color(pos2(x, y), galley, if hot { t.text } else { color });
        if let Some(object) = crumb.object {
            object_menu::of(&response, object);
        }
        if let Some(command) = crumb.leads.filter(|_| response.clicked()) {
            context.push(command);
        }
        response.on_hover_text(crumb.full_text);
        x = rect.right() + 4.0;
        if at != last {
            let arrow = Rect::from_min_size(pos2(x, strip.top()), vec2(10.0, HEIGHT));
            icons::paint(ui.painter(), Icon::Closed, arrow, 8.0, t.faint);
            x += 14.0;
        }
    }
}

fn trail(context: &mut ViewContext<'_>) -> Vec<Crumb> {
    let location = context.location;
    let heap = &context.dump.heap;
    let plain = |text: &str, leads| Crumb { text: text.to_owned(), full_text: text.to_owned(), leads, object: None };
    let mut trail = Vec::new();
    trail.push(match location.view {
        View::Objects if location.class.is_some() => {
            plain(View::Histogram.name(), Some(Command::from(Verb::Show(View::Histogram))))
        }
        view => plain(view.name(), None),
    });
    if let Some(class) = location.class.filter(|_| matches!(location.view, View::Objects | View::Histogram)) {
        let name = &heap.classes.get(class).name;
        let leads = Some(Command::on_class(Verb::ObjectsOfClass, location.dump, class));
        trail.push(Crumb { text: split_class(name).1.to_owned(), full_text: name.to_string(), leads, object: None });
    }
    let group = location.group.and(context.selection.group()).map(|group| plain(&group.name, None));
    let parent = location.group.and_then(|group| group.part.parent());
    let Some(object) = location.object.or(parent).filter(|_| location.view.is_about_objects()) else {
        trail.extend(group);
        return trail;
    };
    let analysis = &context.dump.analysis;
    let mut path = vec![object];
    while let Some(above) = analysis.immediate_dominator(path[path.len() - 1]) {
        if path.len() > MAX_DOMINATORS {
            trail.push(plain("…", None));
            break;
        }
        path.push(above);
    }
    path.truncate(MAX_DOMINATORS + 1);
    for object in path.into_iter().rev() {
        let full_text = ObjectName::with(context.labels, heap, object, |name| name.plain());
        // What it is in the source says more than its label.
        let lead = context.labels.lead(analysis, object, true).map(|lead| lead.text());
        let text = ObjectName::with(context.labels, heap, object, |name| {
            let class = split_class(name.class).1.to_owned();
            match (name.label, lead) {
                (Some(label), _) if name.class == "java.lang.Class" => split_class(label).1.to_owned(),
                (_, Some(lead)) => lead,
                (Some(label), None) => format!("{class} {label}"),
                (None, None) => class,
            }
        });
        let leads = Some(Command::select(location.dump, object));
        trail.push(Crumb { text: one_line(&text), full_text, leads, object: Some(object) });
    }
    trail.extend(group);
    trail
}

fn one_line(text: &str) -> String {
    shortened(text, 80)
}
