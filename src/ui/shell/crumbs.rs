//! Breadcrumbs of the current location: the view, the class, and the dominators down to the selected object. A click on
//! a breadcrumb goes there.

use eframe::egui;
use egui::{Rect, Role, Sense, Ui, pos2, vec2};

use crate::ui::theme::{Icon, fonts, icons, sizes, tokens};
use crate::ui::widgets::table::elided;
use crate::ui::widgets::{ObjectName, object_menu};
use crate::ui::{Command, RowCommand, View, ViewContext};
use heaplens_core::heap::{ObjectId, split_class};

const HEIGHT: f32 = 26.0;
/// Maximum number of dominators, nearest to the object.
const MAX_DOMINATORS: usize = 4;
const MAX_WIDTH: f32 = 190.0;

/// A breadcrumb: short text, full text and target.
struct Crumb {
    text: String,
    whole: String,
    leads: Option<Command>,
    object: Option<ObjectId>,
}

/// Draws the breadcrumbs.
pub fn ui(ui: &mut Ui, context: &mut ViewContext<'_>) {
    let view = context.place.view;
    if !view.is_about_objects() && view != View::Histogram {
        // They would only repeat the name of the view.
        return;
    }
    let t = tokens(ui);
    let trail = trail(context);
    let (strip, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::HOVER);
    let mut x = strip.left() + sizes::PAD;
    let last = trail.len().saturating_sub(1);
    for (at, crumb) in trail.into_iter().enumerate() {
        let space = strip.right() - sizes::PAD - x;
        if space < 24.0 {
            break;
        }
        let color = if at == last { t.text } else { t.muted };
        let galley = elided(ui, crumb.text, fonts::small(), color, space.min(MAX_WIDTH));
        let rect = Rect::from_min_size(pos2(x, strip.top()), vec2(galley.size().x, HEIGHT));
        let leads = crumb.leads.is_some();
        let (sense, role) = if leads { (Sense::click(), Role::Link) } else { (Sense::HOVER, Role::Label) };
        let response = ui.interact(rect, egui::Id::unique(("crumb", context.place.dump, at)), sense);
        response.widget_info(|| egui::WidgetInfo::labeled(role, true, format!("Breadcrumb: {}", crumb.whole)));
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
        response.on_hover_text(crumb.whole);
        x = rect.right() + 4.0;
        if at != last {
            let arrow = Rect::from_min_size(pos2(x, strip.top()), vec2(10.0, HEIGHT));
            icons::paint(ui.painter(), Icon::Closed, arrow, 8.0, t.faint);
            x += 14.0;
        }
    }
}

fn trail(context: &mut ViewContext<'_>) -> Vec<Crumb> {
    let place = context.place;
    let heap = &context.dump.heap;
    let plain = |text: &str, leads| Crumb { text: text.to_owned(), whole: text.to_owned(), leads, object: None };
    let mut trail = Vec::new();
    trail.push(match place.view {
        View::Objects if place.class.is_some() => plain(View::Histogram.name(), Some(Command::Show(View::Histogram))),
        view => plain(view.name(), None),
    });
    if let Some(class) = place.class.filter(|_| matches!(place.view, View::Objects | View::Histogram)) {
        let name = &heap.classes.get(class).name;
        let leads = Some(Command::InDump(place.dump, RowCommand::ObjectsOf(class)));
        trail.push(Crumb { text: split_class(name).1.to_owned(), whole: name.to_string(), leads, object: None });
    }
    let Some(object) = place.object.filter(|_| place.view.is_about_objects()) else { return trail };
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
        let whole = ObjectName::with(context.labels, heap, object, |name| name.plain());
        let text = ObjectName::with(context.labels, heap, object, |name| {
            let class = split_class(name.class).1.to_owned();
            match name.label {
                Some(label) if name.class == "java.lang.Class" => split_class(label).1.to_owned(),
                Some(label) => format!("{class} {label}"),
                None => class,
            }
        });
        let leads = Some(Command::InDump(place.dump, RowCommand::Select(object)));
        trail.push(Crumb { text: one_line(&text), whole, leads, object: Some(object) });
    }
    trail
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(80).collect()
}
