//! Find as you type: jumps from row to row of a table that holds what is
//! typed, and filters nothing away. Long tables are searched a piece a frame.

use eframe::egui;
use egui::{Area, Id, Key, Modifiers, Rect, Role, TextEdit, Ui, pos2, vec2};

use super::table::TableState;
use crate::ui::theme::{fonts, tokens};

/// Rows looked at in one frame.
const A_FRAME: u64 = 20_000;
const SIZE: egui::Vec2 = vec2(280.0, 34.0);

/// A search that is under way.
struct Looking {
    /// The row to look at next.
    at: u64,
    forwards: bool,
    /// Rows still to be looked at.
    left: u64,
}

/// The field and where it has come to.
#[derive(Default)]
pub struct Find {
    open: bool,
    text: String,
    looking: Option<Looking>,
    nothing: bool,
}

impl Find {
    /// Draws the field over the lower edge of `room` while it is open, and moves the cursor of the table to the next
    /// row whose text holds what is typed; returns that row.
    pub fn ui(
        &mut self,
        ui: &Ui,
        room: Rect,
        asked: bool,
        table: &mut TableState,
        rows: u64,
        text_of: impl Fn(u64) -> Option<String>,
    ) -> Option<u64> {
        if asked {
            self.open = true;
        }
        if !self.open {
            return None;
        }
        let step = self.field_ui(ui, room, asked);
        let cursor = table.cursor().unwrap_or(0);
        match step {
            // Typing looks from the present row on, the row itself included.
            Some(0) => self.looking = Some(Looking { at: cursor.min(rows), forwards: true, left: rows }),
            Some(by) => {
                let forwards = by > 0;
                let at = if forwards { cursor + 1 } else { (cursor + rows).saturating_sub(1) };
                self.looking = (rows > 0).then(|| Looking { at: at % rows, forwards, left: rows });
            }
            None => {}
        }
        let found = self.look(ui, rows, text_of)?;
        table.select_and_show(found);
        Some(found)
    }

    /// The field; which way to look on, if anywhere: 0 from here, 1 after, -1 before.
    fn field_ui(&mut self, ui: &Ui, room: Rect, asked: bool) -> Option<i32> {
        let t = tokens(ui);
        let mut step = None;
        let pressed = |key| ui.ctx().input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::Escape) {
            *self = Self { text: std::mem::take(&mut self.text), ..Self::default() };
            return None;
        }
        if pressed(Key::Enter) || pressed(Key::ArrowDown) {
            step = Some(1);
        }
        if pressed(Key::ArrowUp) {
            step = Some(-1);
        }
        let at = pos2(room.right() - SIZE.x - 24.0, room.bottom() - SIZE.y - 12.0);
        Area::new(Id::unique("find in the table")).fixed_pos(at).order(egui::Order::Foreground).show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).inner_margin(4.0).show(ui, |ui| {
                ui.set_width(SIZE.x);
                let hint = "Find in table";
                let color = if self.nothing { t.warn } else { t.text };
                let edit = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("find in the table, text"))
                    .hint_text(hint)
                    .text_color(color)
                    .font(fonts::text())
                    .desired_width(f32::INFINITY);
                let shown = ui.add(edit);
                shown.widget_info(|| egui::WidgetInfo::labeled(Role::TextInput, true, hint));
                if asked || step.is_some() {
                    shown.request_focus();
                }
                if shown.changed() {
                    step = Some(0);
                } else if shown.lost_focus() && !asked {
                    self.open = false;
                }
            });
        });
        step
    }

    fn look(&mut self, ui: &Ui, rows: u64, text_of: impl Fn(u64) -> Option<String>) -> Option<u64> {
        let looking = self.looking.as_mut()?;
        let typed = self.text.trim().to_lowercase();
        self.nothing = false;
        if typed.is_empty() || rows == 0 {
            self.looking = None;
            return None;
        }
        for _ in 0..A_FRAME.min(looking.left) {
            let row = looking.at.min(rows - 1);
            looking.at = if looking.forwards { (row + 1) % rows } else { row.checked_sub(1).unwrap_or(rows - 1) };
            looking.left -= 1;
            if text_of(row).is_some_and(|text| text.to_lowercase().contains(&typed)) {
                self.looking = None;
                return Some(row);
            }
        }
        if looking.left == 0 {
            self.looking = None;
            self.nothing = true;
        } else {
            ui.ctx().request_repaint();
        }
        None
    }

    /// Whether rows are still being looked at.
    pub fn is_running(&self) -> bool {
        self.looking.is_some()
    }
}
