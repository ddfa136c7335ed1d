//! Find as you type: jumps to rows of a table that contain the typed text, without filtering. Long tables are searched
//! in parts, one per frame.

use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Area, Id, Key, Modifiers, Rect, Role, TextEdit, Ui, pos2, vec2};

use super::table::TableState;
use crate::ui::theme::{fonts, tokens};

/// Longest time that a search takes in one frame.
const TIME_PER_FRAME: Duration = Duration::from_millis(3);
/// Number of rows searched between two looks at the clock.
const ROWS_AT_ONCE: u64 = 64;
const SIZE: egui::Vec2 = vec2(280.0, 34.0);
/// Space between the field and the lower edge of its area, in points.
const BELOW: f32 = 12.0;

/// A running search.
struct Search {
    /// Next row to test.
    at: u64,
    forwards: bool,
    /// Number of rows remaining to test.
    remaining: u64,
}

/// Search field and its state.
#[derive(Default)]
pub struct Find {
    open: bool,
    text: String,
    search: Option<Search>,
    has_no_match: bool,
}

impl Find {
    /// Height at the lower edge of the area that the field covers, in points: rows there could not be read.
    pub fn covered_height(&self) -> f32 {
        if self.open { SIZE.y + BELOW + 4.0 } else { 0.0 }
    }

    /// Draws the field at the lower edge of `area` while it is open, and moves the cursor of the table to the next row
    /// whose text contains the typed text; returns that row.
    pub fn ui(
        &mut self,
        ui: &Ui,
        area: Rect,
        is_requested: bool,
        table: &mut TableState,
        rows: u64,
        text_of: impl Fn(u64) -> Option<String>,
    ) -> Option<u64> {
        if is_requested {
            self.open = true;
        }
        if !self.open {
            return None;
        }
        let step = self.field_ui(ui, area, is_requested);
        let cursor = table.cursor().unwrap_or(0);
        match step {
            // Typing searches from the current row on, including it.
            Some(0) => self.search = Some(Search { at: cursor.min(rows), forwards: true, remaining: rows }),
            Some(by) => {
                let forwards = by > 0;
                let at = if forwards { cursor + 1 } else { (cursor + rows).saturating_sub(1) };
                self.search = (rows > 0).then(|| Search { at: at % rows, forwards, remaining: rows });
            }
            None => {}
        }
        let answer = self.advance(ui, rows, text_of)?;
        table.select_and_show(answer);
        Some(answer)
    }

    /// Draws the field; returns the direction of the next search: 0 from the current row, 1 after it, -1 before it.
    fn field_ui(&mut self, ui: &Ui, area: Rect, is_requested: bool) -> Option<i32> {
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
        let at = pos2(area.right() - SIZE.x - 24.0, area.bottom() - SIZE.y - BELOW);
        Area::new(Id::unique("find in the table")).fixed_pos(at).order(egui::Order::Foreground).show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).inner_margin(4.0).show(ui, |ui| {
                ui.set_width(SIZE.x);
                let hint = "Find in table";
                let color = if self.has_no_match { t.warn } else { t.text };
                let edit = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("find in the table, text"))
                    .hint_text(hint)
                    .text_color(color)
                    .font(fonts::text())
                    .desired_width(f32::INFINITY);
                if is_requested {
                    ui.memory_mut(|memory| memory.request_focus(Id::unique("find in the table, text")));
                }
                let shown = ui.add(edit);
                shown.widget_info(|| egui::WidgetInfo::labeled(Role::TextInput, true, hint));
                if is_requested || step.is_some() {
                    shown.request_focus();
                }
                if shown.changed() {
                    step = Some(0);
                } else if shown.lost_focus() && !is_requested {
                    self.open = false;
                }
            });
        });
        step
    }

    fn advance(&mut self, ui: &Ui, rows: u64, text_of: impl Fn(u64) -> Option<String>) -> Option<u64> {
        let search = self.search.as_mut()?;
        let typed = self.text.trim().to_lowercase();
        self.has_no_match = false;
        if typed.is_empty() || rows == 0 {
            self.search = None;
            return None;
        }
        let begin = Instant::now();
        while search.remaining > 0
            && (!search.remaining.is_multiple_of(ROWS_AT_ONCE) || begin.elapsed() < TIME_PER_FRAME)
        {
            let row = search.at.min(rows - 1);
            search.at = if search.forwards { (row + 1) % rows } else { row.checked_sub(1).unwrap_or(rows - 1) };
            search.remaining -= 1;
            if text_of(row).is_some_and(|text| text.to_lowercase().contains(&typed)) {
                self.search = None;
                return Some(row);
            }
        }
        if search.remaining == 0 {
            self.search = None;
            self.has_no_match = true;
        } else {
            ui.ctx().request_repaint();
        }
        None
    }
}
