//! Display of a user verdict: a flag in a row, a word in a pane.

use eframe::egui;
use egui::{Color32, Rect, pos2};

use crate::ui::theme::{Icon, Tokens, icons};
use crate::ui::widgets::table::Row;
use heaplens_analysis::leaks::Group;
use heaplens_analysis::leaks::rules::Verdict;

/// Width of the flag, in points.
const WIDTH: f32 = 18.0;

/// Name and colour of a verdict.
pub fn word(group: Group, tokens: &Tokens) -> (&'static str, Color32) {
    match group {
        Group::Leak => ("Leaking", tokens.grew),
        Group::Normal => ("Normal", tokens.good),
        _ => ("Expected", tokens.good),
    }
}

/// The verdict as a sentence.
pub fn sentence(verdict: &Verdict, tokens: &Tokens) -> String {
    let word = word(verdict.group, tokens).0.to_lowercase();
    let reason = if verdict.reason.is_empty() { String::new() } else { format!(", {}", verdict.reason) };
    format!("Your verdict on {}: {word}{reason}", verdict.pattern)
}

/// Draws the flag at the right end of `cell` and shrinks it; returns the name of the verdict for screen readers.
pub fn paint(row: &mut Row<'_>, cell: &mut Rect, verdict: &Verdict) -> &'static str {
    let (word, color) = word(verdict.group, row.tokens);
    cell.max.x = (cell.max.x - WIDTH).max(cell.min.x);
    let mark = Rect::from_min_max(pos2(cell.max.x, cell.min.y), pos2(cell.max.x + WIDTH, cell.max.y));
    icons::paint(row.ui.painter(), Icon::Flag, mark, 11.0, color);
    if row.hovered && row.ui.rect_contains_pointer(mark) {
        row.hover(sentence(verdict, row.tokens));
    }
    word
}
