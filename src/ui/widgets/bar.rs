//! A share as a bar. Less than a thousandth is an empty track: a mark for it
//! would be mere noise in every row.

use eframe::egui;
use egui::{Painter, Rect, vec2};

use crate::ui::theme::Tokens;
use crate::units::Share;

/// Draws `share` into `rect`.
pub fn paint(painter: &Painter, rect: Rect, share: Share, tokens: &Tokens) {
    let round = rect.height() / 2.0;
    painter.rect_filled(rect, round, tokens.track);
    if share.per_mille() == 0 {
        return;
    }
    let part = (share.part as f64 / share.whole as f64).min(1.0) as f32;
    let width = (rect.width() * part).max(2.0);
    let filled = egui::Rect::from_min_size(rect.min, vec2(width, rect.height()));
    painter.rect_filled(filled, round.min(width / 2.0), tokens.bar);
}
