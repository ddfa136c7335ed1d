//! Android heaps: the heap of an object, its retained size by heap, and the heap filter above a table.

use eframe::egui::{self, Ui};

use crate::ui::ViewContext;
use crate::ui::widgets::units;
use heaplens_base::{Bytes, Count};
use heaplens_heap::ObjectId;
use heaplens_heap::parts::Part;
use heaplens_session::OpenDump;
use heaplens_tables::TypedFilter;

/// Entry for all heaps.
const ALL: &str = "All heaps";

/// Draws the heap filter of a table, which edits `heap:NAME` in its filter. Hidden in dumps with a single heap; true if
/// it changed.
pub(super) fn choice_ui(ui: &mut Ui, dump: &OpenDump, table: &str, filter: &mut TypedFilter) -> bool {
    if dump.heap.regions().is_none() {
        return false;
    }
    let chosen = filter.heap().map(str::to_owned);
    let mut options = chosen.clone();
    let now = chosen.as_deref().unwrap_or(ALL);
    let combo = egui::ComboBox::from_id_salt(("heap", table)).selected_text(now).width(92.0).truncate();
    let shown = combo.show_ui(ui, |ui| {
        ui.selectable_value(&mut options, None, ALL);
        for region in dump.analysis.region_totals().iter().filter(|region| region.shown.objects > 0) {
            let about = format!("{}, {}", Count(region.shown.objects).of("object", "objects"), region.shown.shallow);
            ui.selectable_value(&mut options, Some(region.name.to_string()), &*region.name).on_hover_text(about);
        }
    });
    let label = format!("Heap filter of the {table}: {}", now.to_lowercase());
    shown.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
    shown.response.on_hover_text("Show only objects of one Android heap, same as heap:app in the filter");
    ui.add_space(8.0);
    let changed = options != chosen;
    if changed {
        filter.choose_heap(options.as_deref());
    }
    changed
}

/// A fact: name, value and definition.
pub(super) type Fact = (&'static str, (String, String));

/// Facts about an object in a dump with several heaps.
pub(super) fn facts(context: &ViewContext<'_>, ctx: &egui::Context, object: ObjectId) -> Vec<Fact> {
    let (heap, analysis) = (&context.dump.heap, &context.dump.analysis);
    let mut facts = Vec::new();
    if let Some(name) = heap.region_name(object) {
        facts.push(("Heap", (name.to_owned(), "Android heap that contains the object".to_owned())));
    }
    let retained = |part: &Part| Some(analysis.retained_part(object, *part)).filter(|&bytes| bytes > Bytes(0));
    let parts = analysis.parts();
    let by_heap = parts.iter().filter_map(|part| match part {
        Part::Region(kind) => retained(part).map(|bytes| format!("{} {}", kind.name(), units::written(ctx, bytes))),
        Part::Native => None,
    });
    let by_heap: Vec<String> = by_heap.collect();
    if !by_heap.is_empty() {
        facts.push(("By heap", (by_heap.join("  ·  "), "Retained size in each heap".to_owned())));
    }
    if let Some(bytes) = retained(&Part::Native) {
        let own = heap.native(object);
        let of_own = if own > Bytes(0) { format!("  ·  {} its own", units::written(ctx, own)) } else { String::new() };
        let about = "Native memory (outside the heap) registered to all objects in the retained set".to_owned();
        facts.push(("Native", (units::written(ctx, bytes) + &of_own, about)));
    }
    facts
}
