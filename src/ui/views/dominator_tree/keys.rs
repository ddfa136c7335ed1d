//! Keys that expand and collapse: → and ← for a row, `*` for all rows below it, `-` to collapse it again.

use eframe::egui;
use egui::{Event, Key, Modifiers, Ui};

use crate::ui::widgets::table::TableState;
use crate::ui::widgets::tree_row::{self, Step};
use heaplens_tables::trees::dominators::Levels;

/// Request for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowAction {
    /// Expand or collapse the row.
    Toggle(u64),
    /// Go to the row.
    Go(u64),
    /// Expand all rows below it.
    Branch(u64),
    /// Collapse it, or its parent.
    Fold(u64),
}

/// Right expands or goes to the first child, left collapses or goes to the parent.
pub(super) fn take(ui: &Ui, levels: &Levels, table: &TableState) -> Option<RowAction> {
    let row = table.cursor()?;
    if ui.ctx().egui_wants_keyboard_input() {
        return None;
    }
    match tree_row::side_step(ui, &levels.tree, row) {
        Some(Step::Toggle) => return Some(RowAction::Toggle(row)),
        Some(Step::To(row)) => return Some(RowAction::Go(row)),
        None => {}
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    if pressed(Key::Minus) {
        return Some(RowAction::Fold(row));
    }
    // The key of the star differs between keyboard layouts.
    let is_star = |event: &Event| matches!(event, Event::Text(text) if text == "*");
    ui.input_mut(|i| {
        let before = i.events.len();
        i.events.retain(|event| !is_star(event));
        i.events.len() < before
    })
    .then_some(RowAction::Branch(row))
}
