//! Keyboard navigation in a table.

use eframe::egui;
use egui::{Key, Modifiers, Ui};

use super::content::{Table, TableOutput};
use super::state::TableState;

/// A key, the function from the current row to the next, and the number of rows.
type Step = (Key, fn(u64, u64) -> u64, u64);

pub(super) fn take(ui: &Ui, table: &Table<'_>, state: &mut TableState, output: &mut TableOutput) {
    let rows = table.rows;
    if rows == 0 || ui.ctx().egui_wants_keyboard_input() || egui::Popup::is_any_open(ui.ctx()) {
        return;
    }
    let last = rows - 1;
    let page = (state.view().floor() as u64).saturating_sub(1).max(1);
    let steps: [Step; 6] = [
        (Key::ArrowDown, u64::saturating_add, 1),
        (Key::ArrowUp, u64::saturating_sub, 1),
        (Key::PageDown, u64::saturating_add, page),
        (Key::PageUp, u64::saturating_sub, page),
        (Key::End, u64::saturating_add, u64::MAX),
        (Key::Home, u64::saturating_sub, u64::MAX),
    ];
    for (key, go, by) in steps {
        for modifiers in [Modifiers::SHIFT, Modifiers::NONE] {
            for _ in 0..ui.input_mut(|i| i.count_and_consume_key(modifiers, key)) {
                let to = match state.cursor() {
                    Some(at) => go(at, by).min(last),
                    None if key == Key::End => last,
                    None => (state.top().ceil() as u64).min(last),
                };
                state.move_cursor(to, modifiers.shift);
                output.moved = Some(to);
            }
        }
    }
    if ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::A)) {
        state.select_all();
    }
    output.sort = output.sort.or_else(|| sort_by_key(ui, table));
    if let Some(cursor) = state.cursor()
        && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter))
    {
        output.activated = Some(cursor);
    }
}

/// `S` sorts by the next sortable column; with Shift it reverses the order.
fn sort_by_key(ui: &Ui, table: &Table<'_>) -> Option<usize> {
    if table.header && ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, Key::S)) {
        return table.sort.map(|(column, _)| column);
    }
    let sorts: Vec<usize> = (0..table.columns.len()).filter(|&at| table.columns[at].sorts).collect();
    if !table.header || sorts.is_empty() || !ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::S)) {
        return None;
    }
    let now = table.sort.and_then(|(column, _)| sorts.iter().position(|&at| at == column));
    Some(sorts[now.map_or(0, |now| (now + 1) % sorts.len())])
}
