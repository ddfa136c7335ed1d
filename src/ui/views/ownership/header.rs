//! Summary of the inferred roots, as in HeapRoots, and the warning about its totals.

use eframe::egui::{Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::ViewContext;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::widgets::elided;
use heaplens_analysis::Ownership;
use heaplens_base::Count;
use heaplens_tables::columns::Value;
use heaplens_tables::dump::ownership::process_cells;

/// Height of the header, in points.
const HEIGHT: f32 = 42.0;
const WARNING: &str = "Total sizes depend on the order of the search; retained sizes do not";

/// Draws two lines: the summary and the warning.
pub(super) fn ui(ui: &mut Ui, context: &ViewContext<'_>, ownership: Option<&Ownership>) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::HOVER);
    let area = rect.shrink2(vec2(sizes::PAD, 2.0));
    let sentence = ownership.map(sentence).unwrap_or_default();
    let first = elided(ui, sentence.clone(), fonts::medium(), t.text, area.width());
    let second = elided(ui, warning(context), fonts::small(), t.muted, area.width());
    let under = area.left_bottom() - vec2(0.0, second.size().y + 3.0);
    ui.painter().galley(area.left_top() + vec2(0.0, 2.0), first, t.text);
    ui.painter().galley(under, second, t.muted);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{sentence}. {WARNING}")));
    if let Some(ownership) = ownership {
        let lines = process_cells(&ownership.process).into_iter().filter(|(_, _, cell)| *cell != Value::Null);
        let lines: Vec<String> = lines.map(|(_, words, cell)| format!("{words}: {}", cell.exact())).collect();
        response.on_hover_text(lines.join("\n"));
    }
}

fn sentence(ownership: &Ownership) -> String {
    let of = &ownership.process;
    let reach = format!("reaching {} of {} objects", Count(of.pure_roots_reach), Count(of.objects));
    let mut parts = vec![format!("{}, {reach}", several(of.pure_roots, "pure root"))];
    parts.push(several(of.artificial_roots, "artificial root"));
    if of.softlinks_followed > 0 {
        parts.push(several(of.softlinks_followed, "soft link"));
    }
    if of.unresolved > 0 {
        parts.push(format!("{} unresolved", several(of.unresolved, "reference")));
    }
    parts.join(" · ")
}

/// `1 soft link`, `2 soft links`.
fn several(count: u64, what: &str) -> String {
    format!("{} {what}{}", Count(count), if count == 1 { "" } else { "s" })
}

fn warning(context: &ViewContext<'_>) -> String {
    let names_none = !context.dump.heap.origin.format.names_roots();
    if names_none { format!("The dump names no GC roots. {WARNING}") } else { WARNING.to_owned() }
}
