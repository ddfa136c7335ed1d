//! Steps of a path: the line through all of them, from top to bottom, and the highlight of one.

use eframe::egui;
use egui::{Color32, Rect, Response, Ui, pos2};

use super::controls;
use crate::ui::theme::tokens;

/// Draws the part of the line in `rect`, at `x`, with the dot of a step; the first step has no line above, the last
/// none below.
pub fn paint(ui: &Ui, rect: Rect, x: f32, (first, last): (bool, bool), (filled, color): (bool, Color32)) {
    let (y, painter, line) = (rect.center().y, ui.painter(), (1.5, tokens(ui).edge));
    if !first {
        painter.vline(x, rect.top()..=(y - 6.0), line);
    }
    if !last {
        painter.vline(x, (y + 6.0)..=rect.bottom(), line);
    }
    if filled {
        painter.circle_filled(pos2(x, y), 4.5, color);
    } else {
        painter.circle_stroke(pos2(x, y), 4.0, (1.5, color));
    }
}

/// Highlights a step, whose text begins at `left`, if it is selected, under the pointer or focused.
pub fn highlight(ui: &Ui, rect: Rect, left: f32, is_chosen: bool, response: &Response) {
    let back = Rect::from_min_max(pos2(left - 6.0, rect.top()), pos2(rect.right() + 6.0, rect.bottom()));
    controls::row_background(ui, back, is_chosen, response.hovered());
    controls::focus_ring(ui, response, back);
}
