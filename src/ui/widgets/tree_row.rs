//! What rows of all trees have: an indent that stops growing deep down, a knob that unfolds and folds, and keys that
//! do the same.

use eframe::egui;
use egui::{Id, Key, Modifiers, Rect, Role, Sense, Ui, pos2, vec2};

use super::table::{Row, elided};
use super::tree::{NodeId, Tree};
use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, sizes};
use crate::units::Count;

/// Room for a knob.
pub const KNOB: f32 = 20.0;

/// Where a row begins in its cell; deep down a number says how deep it is.
pub fn indent(row: &Row<'_>, cell: Rect, depth: usize) -> f32 {
    let most = (cell.width() * 0.4 / sizes::INDENT).floor().max(1.0) as usize;
    let left = cell.left() + sizes::INDENT * depth.min(most) as f32;
    if depth <= most {
        return left;
    }
    let text = Count(depth as u64 + 1).to_string();
    let galley = elided(row.ui, text, fonts::small(), row.tokens.faint, cell.width());
    let width = galley.size().x;
    row.ui.painter().galley(pos2(left, cell.center().y - galley.size().y / 2.0), galley, row.tokens.faint);
    left + width + 4.0
}

/// Draws the knob of a row of a tree, and says whether it was clicked; screen readers hear what it unfolds.
pub fn knob_ui(row: &Row<'_>, tree: &str, (left, cell): (f32, Rect), is_open: bool, said: &str) -> bool {
    let place = Rect::from_min_size(pos2(left - 2.0, cell.top()), vec2(KNOB, cell.height()));
    let response = row.ui.interact(place, Id::unique(("disclosure of", tree, row.index)), Sense::CLICK);
    let (icon, verb) = if is_open { (Icon::Open, "Collapse") } else { (Icon::Closed, "Expand") };
    let color = if response.hovered() { row.tokens.text } else { row.tokens.faint };
    icons::paint(row.ui.painter(), icon, place, 10.0, color);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::DisclosureTriangle, true, format!("{verb} {said}")));
    response.clicked()
}

/// What a key to the side asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Fold the row, or unfold it.
    Toggle,
    /// Go to another row.
    To(u64),
}

/// Right unfolds or goes to the first row below, left folds or goes to the row above.
pub fn side_step<P>(ui: &Ui, tree: &Tree<P>, row: u64) -> Option<Step> {
    let spot = tree.locate(row)?;
    if ui.ctx().egui_wants_keyboard_input() || egui::Popup::is_any_open(ui.ctx()) {
        return None;
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if pressed(Key::ArrowRight) {
        Some(if spot.open.is_some() { Step::To(row + 1) } else { Step::Toggle })
    } else if pressed(Key::ArrowLeft) {
        match (spot.open, tree.above(spot.parent)) {
            (Some(_), _) => Some(Step::Toggle),
            (None, Some((above, index))) => Some(Step::To(tree.row_of(above, index))),
            (None, None) => None,
        }
    } else {
        None
    }
}

/// Where a cursor is while rows of its tree change.
#[derive(Debug, Clone, Copy)]
pub struct RowAnchor {
    at: (NodeId, u64),
    /// The row that it goes to instead, if it is below what folds.
    above: Option<u64>,
}

impl RowAnchor {
    /// Of a cursor, while `row` folds or unfolds, if one does.
    pub fn of<P>(tree: &Tree<P>, cursor: Option<u64>, row: Option<u64>) -> Option<Self> {
        let cursor = cursor?;
        let spot = tree.locate(cursor)?;
        let below = |row: u64| {
            let (at, path) = (tree.path_of(cursor)?, tree.path_of(row)?);
            (at.len() > path.len() && at.starts_with(&path)).then_some(row)
        };
        Some(Self { at: (spot.parent, spot.index), above: row.and_then(below) })
    }

    /// Its row afterwards.
    pub fn row<P>(self, tree: &Tree<P>) -> u64 {
        self.above.unwrap_or_else(|| tree.row_of(self.at.0, self.at.1))
    }
}
