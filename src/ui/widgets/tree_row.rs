//! Shared by the rows of all trees: indentation with a limit, and disclosure buttons.

use eframe::egui;
use egui::{Id, Rect, Role, Sense, pos2, vec2};

use super::table::{Row, elided};
use crate::ui::theme::{Icon, fonts, icons, sizes};
use heaplens_base::Count;

/// Width of a disclosure button, in points.
pub const DISCLOSURE: f32 = 20.0;

/// Left edge of a row in its cell; beyond the maximum indentation the level is shown as a number.
pub fn indent(row: &Row<'_>, cell: Rect, depth: usize) -> f32 {
    let max_depth = (cell.width() * 0.4 / sizes::INDENT).floor().max(1.0) as usize;
    let left = cell.left() + sizes::INDENT * depth.min(max_depth) as f32;
    if depth <= max_depth {
        return left;
    }
    let text = Count(depth as u64 + 1).to_string();
    let galley = elided(row.ui, text, fonts::small(), row.tokens.faint, cell.width());
    let width = galley.size().x;
    row.ui.painter().galley(pos2(left, cell.center().y - galley.size().y / 2.0), galley, row.tokens.faint);
    left + width + 4.0
}

/// Draws the disclosure button of a tree row; a click toggles the row. `label` names the row for screen readers.
pub fn disclosure_ui(row: &mut Row<'_>, tree: &str, (left, cell): (f32, Rect), is_open: bool, label: &str) {
    let button = Rect::from_min_size(pos2(left - 2.0, cell.top()), vec2(DISCLOSURE, cell.height()));
    let response = row.ui.interact(button, Id::unique(("disclosure of", tree, row.index)), Sense::CLICK);
    let (icon, verb) = if is_open { (Icon::Open, "Collapse") } else { (Icon::Closed, "Expand") };
    let color = if response.hovered() { row.tokens.text } else { row.tokens.faint };
    icons::paint(row.ui.painter(), icon, button, 10.0, color);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::DisclosureTriangle, true, format!("{verb} {label}")));
    if response.clicked() {
        row.toggle();
    }
}
