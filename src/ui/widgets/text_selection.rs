//! Cursor and selection of a text field, put by the program.

use std::ops::Range;

use eframe::egui::text::{CCursor, CCursorRange};
use eframe::egui::text_edit::TextEditState;
use eframe::egui::{Id, Ui};

/// Selects characters of the text of a field; of an empty range, its cursor is there.
pub fn select(ui: &Ui, id: Id, characters: Range<usize>) {
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let ends = CCursorRange::two(CCursor::new(characters.start), CCursor::new(characters.end));
    state.cursor.set_char_range(Some(ends));
    state.store(ui.ctx(), id);
}

/// Selects all of the text of a field.
pub fn select_all(ui: &Ui, id: Id, text: &str) {
    select(ui, id, 0..text.chars().count());
}
