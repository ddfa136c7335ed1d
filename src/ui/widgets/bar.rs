//! A share as a bar. Below a thousandth the track stays empty, because a mark would be noise in every row.

use eframe::egui;
use egui::{Painter, Rect, vec2};

use crate::ui::theme::Tokens;
use heaplens_base::Share;

/// Draws `share` into `rect`.
pub fn paint(painter: &Painter, rect: Rect, share: Share, tokens: &Tokens) {
    let round = rect.height() / 2.0;
    painter.rect_filled(rect, round, tokens.track);
    if share.per_mille() == 0 {
        return;
    }
    let part = (share.part as f64 / share.total as f64).min(1.0) as f32;
    let width = (rect.width() * part).max(2.0);
    let filled = egui::Rect::from_min_size(rect.min, vec2(width, rect.height()));
    painter.rect_filled(filled, round.min(width / 2.0), tokens.bar);
}

/// Draws an interval within 0 to 1 into `rect`.
pub fn paint_range(painter: &Painter, rect: Rect, (from, to): (f32, f32), tokens: &Tokens) {
    let round = rect.height() / 2.0;
    painter.rect_filled(rect, round, tokens.track);
    let at = |part: f32| rect.left() + rect.width() * part.clamp(0.0, 1.0);
    // A narrow interval is still a mark, inside of the track.
    let left = at(from).min(rect.right() - 3.0);
    let filled = Rect::from_x_y_ranges(left..=at(to).max(left + 3.0), rect.y_range());
    painter.rect_filled(filled, round.min(filled.width() / 2.0), tokens.bar);
}

/// Draws a change from -1 to 1 into `rect`: from the middle to the right for growth, to the left for decrease.
pub fn paint_delta(painter: &Painter, rect: Rect, part: f32, tokens: &Tokens) {
    let track = Rect::from_center_size(rect.center(), vec2(rect.width(), 3.0));
    painter.rect_filled(track, 1.5, tokens.track);
    let middle = rect.center().x;
    let end = middle + part.clamp(-1.0, 1.0) * rect.width() / 2.0;
    // A change too small to see at this scale is still in the number.
    if (end - middle).abs() >= 0.5 {
        let color = if part > 0.0 { tokens.grew } else { tokens.shrank };
        let (left, right) = (middle.min(end), middle.max(end).max(middle.min(end) + 1.5));
        let filled = Rect::from_x_y_ranges(left..=right, rect.y_range());
        painter.rect_filled(filled, 1.5, color);
    }
    painter.vline(middle, rect.y_range(), (1.0, tokens.edge));
}
