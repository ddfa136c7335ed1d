//! Facts about the selected object in the header of the inspector: sizes, distance, dominator, owner, age, loader.

use eframe::egui::{self, Color32, Id, Rect, Ui, vec2};

use super::baseline_object;
use super::parse_warnings::sentence;
use super::regions;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::{ObjectName, definition, line_ui, sparkline, units};
use crate::ui::{Verb, ViewContext};
use heaplens_analysis::ObjectDetails;
use heaplens_analysis::holders::beside_dominators;
use heaplens_analysis::structure::Origin;
use heaplens_base::{Bytes as Size, Count, Share};
use heaplens_heap::snapshot::SYSTEM_DISTANCE;
use heaplens_heap::{ObjectId, Strength};
use heaplens_tables::export::{ages, object_extras};

/// Width of the chart of entries, in points.
const CHART: f32 = 50.0;

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, details: &ObjectDetails) {
    let total = context.dump.analysis.shown.shallow;
    let share = Share::of(details.retained, total);
    let dominated = Count(details.dominated).of("object", "objects");
    let ctx = ui.ctx().clone();
    let size = |bytes: Size, more: String, about: &str| {
        (units::written(&ctx, bytes) + &more, format!("{} bytes: {about}", bytes.exact()))
    };
    let facts = [
        ("Retained size", size(details.retained, format!("  ·  {share}"), "freed if this object were collected")),
        ("Shallow size", size(details.shallow, String::new(), "size of the object itself")),
        ("Dominated", (dominated, "Objects that would be freed together with this one".to_owned())),
        (
            "Distance",
            (
                match details.distance {
                    Some(0) => "GC root".to_owned(),
                    Some(1) => "1 reference".to_owned(),
                    Some(n) if n < SYSTEM_DISTANCE => format!("{} references", Count(u64::from(n))),
                    Some(_) => "Reached by the engine only".to_owned(),
                    None => "Unreachable".to_owned(),
                },
                "Number of references on the shortest path from a GC root".to_owned(),
            ),
        ),
    ];
    let before = baseline_object::retained(context, details.object).map(|(then, more)| {
        let about = format!("Retained size in the baseline: {} bytes; change: {} bytes", then.exact(), more.exact());
        ("Baseline", (format!("{}  ·  {more}", units::written(&ctx, then)), about))
    });
    let of_heaps = regions::facts(context, &ctx, details.object);
    let loose = details.strength.filter(|strength| *strength != Strength::Strong).map(|strength| {
        let about = "Not strongly reachable: may be collected at any time";
        ("Strength", (sentence(strength.name()), about.to_owned()))
    });
    let extras = object_extras::lines(&context.dump.heap, details).into_iter();
    let extras = extras.map(|(name, text)| (name, (text.clone(), text)));
    let [retained, rest @ ..] = facts;
    let facts = [retained].into_iter().chain(before).chain(of_heaps).chain(rest).chain(loose).chain(extras);
    for (name, (value, about)) in facts {
        let rect = fact_row(ui, name, &about);
        line_ui(ui, rect, value, fonts::text(), tokens(ui).text);
    }
    let above = details.immediate_dominator;
    let held = format!("None: held by {}", beside_dominators(!details.roots.is_empty(), details.reachable));
    let about = "Closest object that all paths from GC roots to this object go through";
    object_fact(ui, context, ("Dominator", about), above, &held);
    owner_fact(ui, context, details.object);
    age_fact(ui, context, details.object);
    if details.has_entries() {
        entries_fact(ui, context, details.object);
    }
    if details.has_loaders {
        object_fact(ui, context, ("Loader", "Class loader that defined the class"), details.loader, "Bootstrap");
    }
}

/// Draws the name of a fact; returns the rectangle for its value.
fn fact_row(ui: &mut Ui, name: &str, about: &str) -> Rect {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), egui::Sense::HOVER);
    definition::tooltip_at_pointer(response, name, about);
    let t = tokens(ui);
    let at = egui::pos2(rect.left(), rect.center().y);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, name, fonts::small(), t.muted);
    Rect::from_min_max(rect.min + vec2(84.0, 0.0), rect.max)
}

fn object_fact(ui: &mut Ui, context: &mut ViewContext<'_>, fact: (&str, &str), object: Option<ObjectId>, none: &str) {
    let rect = fact_row(ui, fact.0, fact.1);
    let t = tokens(ui);
    let Some(object) = object else {
        line_ui(ui, rect, none, fonts::text(), t.text);
        return;
    };
    let heap = &context.dump.heap;
    let salt = Id::unique(("fact link", fact.0));
    let link = ObjectName::with(context.labels, heap, object, |of| of.link_ui(ui, rect, salt));
    context.select(link.clicked().then_some(object));
}

fn owner_fact(ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId) {
    let rect = fact_row(ui, "Owner", "Nearest application object or field that holds this object");
    let t = tokens(ui);
    let Some(owner) =
        context.labels.short_name(object).map(|name| name.filter(|name| name.origin != Origin::Runtime).cloned())
    else {
        return;
    };
    let none = || "None: no field or variable in the source holds it".to_owned();
    let owner_text = owner.as_ref().map_or_else(none, ToString::to_string);
    let color = if owner.is_some() { t.text } else { t.muted };
    let width = line_ui(ui, rect, &*owner_text, fonts::text(), color).size().x.min(rect.width());
    let (sense, role) = match owner {
        Some(_) => (egui::Sense::CLICK, egui::Role::Link),
        None => (egui::Sense::HOVER, egui::Role::Label),
    };
    let area = Rect::from_min_size(rect.min, vec2(width, rect.height()));
    let response = ui.interact(area, Id::unique("owner link"), sense);
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, format!("Owner {owner_text}")));
    if owner.is_some() && response.hovered() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        let line = rect.center().y + 8.0;
        ui.painter().hline(response.rect.x_range(), line, (1.0, t.accent));
    }
    let about = format!(
        "{owner_text}\n\nNearest application object or field that holds this object. Edit which classes count as runtime: View > {}",
        Verb::RuntimeClasses.entry().name
    );
    if response.on_hover_text(about).clicked()
        && let Some(owner) = owner
    {
        context.select(owner.object);
    }
}

fn age_fact(ui: &mut Ui, context: &mut ViewContext<'_>, object: ObjectId) {
    let rect = fact_row(ui, "Age", "Place among all objects by time of allocation, as far as the dump tells it");
    // The value stays empty until the age is known.
    let Some(age) = context.labels.age(object) else { return };
    let color = if age.is_some() { tokens(ui).text } else { tokens(ui).muted };
    value_ui(ui, rect, "age", &format!("Age: {}", ages::short(age)), ages::short(age), color, &ages::explained(age));
}

/// When the entries of a structure were added: a small chart from the oldest to the newest tenth of all objects, and the same
/// in words. Nothing of a structure with a few objects only.
pub(super) fn entries_fact(ui: &mut Ui, context: &mut ViewContext<'_>, structure: ObjectId) {
    let Some(Some(age)) = context.labels.entry_ages(structure) else { return };
    let words = ages::entries(&age);
    let about = format!(
        "{}: {words}\n{}\nLeft the oldest tenth of all objects, right the newest",
        ages::ENTRIES,
        ages::measured(&age)
    );
    let rect = fact_row(ui, ages::ENTRIES, &about);
    let t = tokens(ui);
    let (mut area, color) = (rect, if age.is_known() { t.text } else { t.muted });
    if age.is_known() {
        let chart = Rect::from_min_size(rect.min + vec2(0.0, 3.0), vec2(CHART, rect.height() - 6.0));
        sparkline::paint_parts(ui.painter(), chart, &age.tenths, t);
        area = rect.with_min_x((chart.right() + 8.0).min(rect.right()));
    }
    let accessible_name = format!("{}: {words}", ages::ENTRIES);
    value_ui(ui, area, "entries added", &accessible_name, words, color, &about);
}

/// Draws the value of a fact that has a name for screen readers and a tooltip.
fn value_ui(ui: &mut Ui, rect: Rect, id: &str, accessible_name: &str, text: String, color: Color32, about: &str) {
    line_ui(ui, rect, text, fonts::text(), color);
    let response = ui.interact(rect, Id::unique(("fact", id)), egui::Sense::HOVER);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, accessible_name));
    response.on_hover_text(about);
}
