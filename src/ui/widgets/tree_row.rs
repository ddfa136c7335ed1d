//! Shared by the rows of all trees: indentation with a limit, and disclosure buttons.

use eframe::egui;
use egui::{Id, Rect, Role, Sense, pos2, vec2};

use super::table::{Row, line_ui};
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
    let area = Rect::from_min_size(pos2(left, cell.top()), cell.size());
    left + line_ui(row.ui, area, text, fonts::small(), row.tokens.faint).size().x + 4.0
}

/// The part of a cell from `left` on, at least a point wide.
pub fn after(cell: Rect, left: f32) -> Rect {
    Rect::from_min_max(pos2(left, cell.top()), pos2(cell.right().max(left + 1.0), cell.bottom()))
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
