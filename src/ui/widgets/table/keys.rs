//! Keys that move the cursor of a table.

use eframe::egui;
use egui::{Key, Modifiers, Ui};

use super::{TableOutput, TableState};

/// A key, where it goes from a row, by how many rows.
type Step = (Key, fn(u64, u64) -> u64, u64);

pub(super) fn take(ui: &Ui, rows: u64, state: &mut TableState, output: &mut TableOutput) {
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
            let times = ui.input_mut(|i| i.count_and_consume_key(modifiers, key));
            for _ in 0..times {
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
    if let Some(cursor) = state.cursor()
        && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Enter))
    {
        output.activated = Some(cursor);
    }
}
