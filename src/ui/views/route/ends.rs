//! The two ends of a path, with their retained sets, and a button that swaps them.

use eframe::egui::{self, Id, Rect, Ui, pos2, vec2};

use crate::ui::ViewContext;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::{ObjectName, line_at_right_ui, line_ui};
use heaplens_base::{Bytes, Count};
use heaplens_heap::ObjectId;

/// Height of a line, in points.
const LINE: f32 = 24.0;
/// Width of the label before an object, in points.
const WORD: f32 = 44.0;
/// Width of the button, in points.
const BUTTON: f32 = 72.0;

/// Draws both ends; true if they are to be swapped.
pub(super) fn ui(
    ui: &mut Ui,
    context: &mut ViewContext<'_>,
    ends: [Option<ObjectId>; 2],
    alone: [Option<(u64, Bytes)>; 2],
) -> bool {
    let t = tokens(ui);
    let size = vec2(ui.available_width(), LINE * 2.0 + 8.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let inner = rect.shrink2(vec2(sizes::PAD, 4.0));
    for (nth, (end, word)) in ends.into_iter().zip(["From", "To"]).enumerate() {
        let line = Rect::from_min_size(inner.min + vec2(0.0, LINE * nth as f32), vec2(inner.width() - BUTTON, LINE));
        let (label, area) = line.split_left_right_at_x(line.left() + WORD);
        line_ui(ui, label, word, fonts::medium(), t.muted);
        let Some(object) = end else {
            line_ui(ui, area, "not set", fonts::text(), t.faint);
            continue;
        };
        let lines = alone[nth].map_or_else(String::new, |(objects, bytes)| {
            format!("retains {}, {bytes}", Count(objects).of("object", "objects"))
        });
        let half = area.with_min_x(area.center().x);
        let right = area.right() - line_at_right_ui(ui, half, &*lines, fonts::small(), t.muted).size().x;
        let spot = area.with_min_x(right);
        let response = ui.interact(spot, Id::unique(("retained set of an end", nth)), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &lines));
        let area = area.with_max_x(right - 8.0);
        let heap = &context.dump.heap;
        let salt = Id::unique(("end of the path", nth));
        if ObjectName::with(context.labels, heap, object, |name| name.link_ui(ui, area, salt)).clicked() {
            context.select(object);
        }
    }
    let area = Rect::from_min_max(pos2(inner.right() - BUTTON + 12.0, inner.top()), inner.max);
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let builder = egui::UiBuilder::new().max_rect(area).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.button("Swap").on_hover_text("Search for a path in the opposite direction").clicked()
    })
    .inner
}
