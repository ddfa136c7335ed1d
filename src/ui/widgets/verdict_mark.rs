//! The mark of what the user says of something: a flag in a row, a word in a pane.

use eframe::egui;
use egui::{Color32, Rect, pos2};

use crate::analysis::leaks::Group;
use crate::analysis::leaks::rules::Verdict;
use crate::ui::theme::Tokens;
use crate::ui::theme::icons::{self, Icon};
use crate::ui::widgets::table::Row;

/// Room that the mark takes.
const ROOM: f32 = 18.0;

/// What a verdict is called, and its colour.
pub fn word(group: Group, tokens: &Tokens) -> (&'static str, Color32) {
    match group {
        Group::Leak => ("Leaking", tokens.grew),
        Group::Normal => ("Normal", tokens.good),
        _ => ("Expected", tokens.good),
    }
}

/// What was said, in a sentence.
pub fn sentence(verdict: &Verdict, tokens: &Tokens) -> String {
    let word = word(verdict.group, tokens).0.to_lowercase();
    let reason = if verdict.reason.is_empty() { String::new() } else { format!(", {}", verdict.reason) };
    format!("Your verdict on {}: {word}{reason}", verdict.pattern)
}

/// Puts the mark at the right end of `place`, which gets smaller by it; gives the word for screen readers.
pub fn paint(row: &mut Row<'_>, place: &mut Rect, verdict: &Verdict) -> &'static str {
    let (word, color) = word(verdict.group, row.tokens);
    place.max.x = (place.max.x - ROOM).max(place.min.x);
    let mark = Rect::from_min_max(pos2(place.max.x, place.min.y), pos2(place.max.x + ROOM, place.max.y));
    icons::paint(row.ui.painter(), Icon::Flag, mark, 11.0, color);
    if row.hovered && row.ui.rect_contains_pointer(mark) {
        row.hover(sentence(verdict, row.tokens));
    }
    word
}
