//! One row of a table while it is drawn: cells by column, its name for screen
//! readers, the text shown when the pointer rests on it.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Rect, Role, Ui, pos2, vec2};

use super::columns::{Align, Shown};
use crate::heap::ids::ObjectId;
use crate::ui::theme::{Tokens, fonts, tokens};
use crate::ui::widgets::object_menu::Item;
use crate::ui::widgets::{bar, units};
use crate::units::{ByteDelta, Bytes, Share};

/// Space left and right of the text in a cell.
pub(super) const PAD: f32 = 12.0;
/// Room a bar takes from its cell.
const BAR: f32 = 56.0;

/// A row on screen.
pub struct Row<'a> {
    /// To place further widgets in the row.
    pub ui: &'a mut Ui,
    /// Which row.
    pub index: u64,
    /// The whole row.
    pub rect: Rect,
    /// Whether it is selected.
    pub selected: bool,
    /// Whether the pointer is on it.
    pub hovered: bool,
    /// The colours.
    pub tokens: &'static Tokens,
    shown: &'a Shown,
    said: RowInfo,
}

/// What a row says of itself.
pub(super) struct RowInfo {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) hover: String,
    pub(super) menu: Option<Names>,
    /// Of a tree: how deep it stands, and whether it is unfolded if it can be.
    pub(super) branch: Option<(usize, Option<bool>)>,
}

/// What a row names, for its menu.
pub(super) enum Names {
    Object(ObjectId),
    Selected,
    /// Something with a menu of its own.
    Items(Vec<Item>),
}

impl<'a> Row<'a> {
    pub(super) fn new(ui: &'a mut Ui, index: u64, rect: Rect, shown: &'a Shown, selected: bool, hovered: bool) -> Self {
        let tokens = tokens(ui);
        let said = RowInfo {
            name: format!("Row {}", index + 1),
            role: Role::Row,
            hover: String::new(),
            menu: None,
            branch: None,
        };
        Self { ui, index, rect, selected, hovered, tokens, shown, said }
    }

    pub(super) fn said(self) -> RowInfo {
        self.said
    }

    /// Its name for screen readers, and for tests.
    pub fn name(&mut self, name: impl Into<String>) {
        self.said.name = name.into();
    }

    /// What it is, if not a row of a table.
    pub fn role(&mut self, role: Role) {
        self.said.role = role;
    }

    /// Says that it is a row of a tree: how deep it stands, 0 at the top, and whether it is unfolded, if anything is
    /// below it.
    pub fn branch(&mut self, depth: usize, open: Option<bool>) {
        self.said.role = Role::TreeItem;
        self.said.branch = Some((depth, open));
    }

    /// Shown when the pointer rests on the row.
    pub fn hover(&mut self, text: impl Into<String>) {
        self.said.hover = text.into();
    }

    /// Says which object the row names: it has the menu of one.
    pub fn object(&mut self, object: ObjectId) {
        self.said.menu = Some(Names::Object(object));
    }

    /// Says that the row names something that is selected with it, like a class.
    pub fn selects(&mut self) {
        self.said.menu = Some(Names::Selected);
    }

    /// Gives the row a menu of its own.
    pub fn menu(&mut self, items: Vec<Item>) {
        self.said.menu = Some(Names::Items(items));
    }

    /// Writes a size, in the units of the window.
    pub fn size(&mut self, column: usize, size: Bytes) {
        let text = units::written(self.ui.ctx(), size);
        self.number(column, text);
    }

    /// Writes a size that matters less.
    pub fn small_size(&mut self, column: usize, size: Bytes) {
        let text = units::written(self.ui.ctx(), size);
        self.small_number(column, text);
    }

    /// Writes a size with its share as a bar before it.
    pub fn size_with_bar(&mut self, column: usize, size: Bytes, share: Share) {
        let text = units::written(self.ui.ctx(), size);
        self.number_with_bar(column, text, share);
    }

    /// Whether the pointer is over a column of this row.
    pub fn pointer_in(&self, column: usize) -> bool {
        self.hovered
            && self.cell(column).is_some_and(|cell| self.ui.rect_contains_pointer(cell.expand2(vec2(PAD, 0.0))))
    }

    /// The place for the text of a column; `None` if the column is not shown.
    pub fn cell(&self, column: usize) -> Option<Rect> {
        let (x, width) = self.shown.places.get(column).copied().flatten()?;
        let left = self.rect.left() + x + PAD;
        let right = (self.rect.left() + x + width - PAD).max(left);
        Some(Rect::from_min_max(pos2(left, self.rect.top()), pos2(right, self.rect.bottom())))
    }

    /// Writes into a column.
    pub fn text(&mut self, column: usize, text: impl Into<String>, font: FontId, color: Color32) {
        let Some(cell) = self.cell(column) else { return };
        let galley = elided(self.ui, text.into(), font, color, cell.width());
        let x = match self.shown.aligns[column] {
            Align::Left => cell.left(),
            Align::Right => cell.right() - galley.size().x,
        };
        let y = cell.center().y - galley.size().y / 2.0;
        self.ui.painter().galley(pos2(x, y), galley, color);
    }

    /// Writes a number into a column.
    pub fn number(&mut self, column: usize, text: impl Into<String>) {
        self.text(column, text, fonts::text(), self.tokens.text);
    }

    /// Writes a number that matters less.
    pub fn small_number(&mut self, column: usize, text: impl Into<String>) {
        self.text(column, text, fonts::text(), self.tokens.muted);
    }

    /// Writes how many bytes more there are than before, with a bar before it that goes to the right from its middle
    /// for more and to the left for less; `most` fills a half of it.
    pub fn delta_with_bar(&mut self, column: usize, delta: ByteDelta, most: u64) {
        let Some(cell) = self.cell(column) else { return };
        if cell.width() > BAR + 62.0 && most > 0 && delta.0 != 0 {
            let place = Rect::from_min_size(pos2(cell.left(), cell.center().y - 3.5), vec2(BAR, 7.0));
            bar::paint_delta(self.ui.painter(), place, delta.0 as f32 / most as f32, self.tokens);
        }
        self.delta(column, delta.0, delta.to_string());
    }

    /// Writes how much more there is than before, in the colour that says so.
    pub fn delta(&mut self, column: usize, sign: i64, text: impl Into<String>) {
        let color = match sign {
            1.. => self.tokens.grew,
            0 => self.tokens.faint,
            _ => self.tokens.shrank,
        };
        self.text(column, text, fonts::text(), color);
    }

    /// Writes a number with its share as a bar before it.
    pub fn number_with_bar(&mut self, column: usize, text: impl Into<String>, share: Share) {
        let Some(cell) = self.cell(column) else { return };
        if cell.width() > BAR + 62.0 {
            let place = Rect::from_min_size(pos2(cell.left(), cell.center().y - 2.5), vec2(BAR, 5.0));
            bar::paint(self.ui.painter(), place, share, self.tokens);
        }
        self.number(column, text);
    }
}

/// One line of text in `width` points, with `…` where it is cut.
pub fn elided(ui: &Ui, text: String, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text, font, color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.painter().layout_job(job)
}
