//! The line through all steps of a leak trace.

use eframe::egui::{Color32, Rect, Ui, pos2};

/// Horizontal offsets of the line through all steps and of their text, in points.
const RAIL: f32 = 9.0;
pub(super) const WORDS: f32 = 26.0;
/// Heights of the rows of an object and of a reference, in points.
pub(super) const OBJECT: f32 = 26.0;
pub(super) const REFERENCE: f32 = 24.0;

/// Dot of an object on the line.
pub(super) fn dot(ui: &Ui, rect: Rect, color: Color32) {
    ui.painter().circle_filled(pos2(rect.left() + RAIL, rect.center().y), 5.0, color);
}

/// Part of the line; a thick part marks a suspicious reference.
pub(super) fn line(ui: &Ui, left: f32, top: f32, bottom: f32, color: Color32, is_suspect: bool) {
    ui.painter().vline(left + RAIL, top..=bottom, (if is_suspect { 2.5 } else { 1.5 }, color));
}
