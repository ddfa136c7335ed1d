//! A table row while it is drawn: cells by column, name for screen readers, and tooltip.

use std::sync::Arc;

use eframe::egui;
use egui::{Color32, FontId, Galley, Rect, Role, Ui, pos2, vec2};

use super::columns::Align;
use super::layout::{ColumnLayout, PAD};
use crate::ui::theme::{Tokens, fonts, tokens};
use crate::ui::widgets::fitting::{elided, fitted_line_ui};
use crate::ui::widgets::object_menu::Item;
use crate::ui::widgets::picture::hatching;
use crate::ui::widgets::{bar, units};
use heaplens_base::{ByteDelta, Bytes, Share};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_tables::columns::Value;
use heaplens_tables::reports::elide::UsualCut;

/// Width of a bar in a cell.
const BAR: f32 = 56.0;

/// Column of a row: its key, or its index.
pub trait ColumnName: Copy {
    /// Index among the columns with these keys.
    fn index(self, keys: &[&'static str]) -> Option<usize>;
}

impl ColumnName for usize {
    fn index(self, _keys: &[&'static str]) -> Option<usize> {
        Some(self)
    }
}

impl ColumnName for &str {
    fn index(self, keys: &[&'static str]) -> Option<usize> {
        keys.iter().position(|key| *key == self)
    }
}

/// A visible row.
pub struct Row<'a> {
    /// For further widgets in the row.
    pub ui: &'a mut Ui,
    /// Index of the row.
    pub index: u64,
    /// Rectangle of the whole row.
    pub rect: Rect,
    /// True if it is selected.
    pub selected: bool,
    /// True if the pointer is over it.
    pub hovered: bool,
    /// Colours.
    pub tokens: &'static Tokens,
    shown: &'a ColumnLayout,
    info: RowInfo,
}

/// Properties of a row besides its cells.
pub(super) struct RowInfo {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) hover: String,
    pub(super) menu: Option<RowMenu>,
    /// For a tree: level, and true if expanded, false if collapsed; `None` for a leaf.
    pub(super) branch: Option<(usize, Option<bool>)>,
    pub(super) toggled: bool,
    /// What removals do to it, appended to the name.
    removed: Option<&'static str>,
}

impl RowInfo {
    /// The name with what removals do to the row.
    pub(super) fn full_name(&self) -> String {
        self.removed.map_or_else(|| self.name.clone(), |what| format!("{}, {what}", self.name))
    }
}

/// Context menu of a row.
pub(super) enum RowMenu {
    Object(ObjectId),
    Class(ClassId),
    /// A custom menu.
    Items(Vec<Item>),
}

impl<'a> Row<'a> {
    pub(super) fn new(
        ui: &'a mut Ui,
        index: u64,
        rect: Rect,
        shown: &'a ColumnLayout,
        selected: bool,
        hovered: bool,
    ) -> Self {
        let tokens = tokens(ui);
        let info = RowInfo {
            name: format!("Row {}", index + 1),
            role: Role::Row,
            hover: String::new(),
            menu: None,
            branch: None,
            toggled: false,
            removed: None,
        };
        Self { ui, index, rect, selected, hovered, tokens, shown, info }
    }

    pub(super) fn info(self) -> RowInfo {
        self.info
    }

    /// Sets the name for screen readers and tests.
    pub fn name(&mut self, name: impl Into<String>) {
        self.info.name = name.into();
    }

    /// Makes it a tree row: level, 0 at the top, and whether it is expanded, `None` for a leaf.
    pub fn branch(&mut self, depth: usize, open: Option<bool>) {
        self.info.role = Role::TreeItem;
        self.info.branch = Some((depth, open));
    }

    /// Requests to expand or collapse the row.
    pub fn toggle(&mut self) {
        self.info.toggled = true;
    }

    /// Strikes a removed reference through.
    pub fn strike(&mut self, area: Rect) {
        let y = area.center().y.round() + 0.5;
        self.ui.painter().hline(area.x_range(), y, (1.2, self.tokens.text));
        self.info.removed = Some("removed (what if)");
    }

    /// Hatches a row of an object that the removals free, as charts do.
    pub fn hatch_freed(&mut self) {
        let color = self.tokens.warn.gamma_multiply(if self.tokens.dark { 0.20 } else { 0.28 });
        self.ui.painter().add(hatching(self.rect.shrink2(vec2(0.0, 1.0)), color));
        self.info.removed = Some("freed by the removals");
    }

    /// Sets the tooltip.
    pub fn hover(&mut self, text: impl Into<String>) {
        self.info.hover = text.into();
    }

    /// Sets the tooltip of a column.
    pub fn hover_in<T: Into<String>>(&mut self, column: impl ColumnName, text: impl FnOnce() -> T) {
        if self.pointer_in(column) {
            self.hover(text());
        }
    }

    /// Gives it the context menu of an object.
    pub fn object(&mut self, object: ObjectId) {
        self.info.menu = Some(RowMenu::Object(object));
    }

    /// Gives it the context menu of a class.
    pub fn class(&mut self, class: ClassId) {
        self.info.menu = Some(RowMenu::Class(class));
    }

    /// True if it has a context menu.
    pub fn has_menu(&self) -> bool {
        self.info.menu.is_some()
    }

    /// Gives it a custom context menu.
    pub fn menu(&mut self, items: Vec<Item>) {
        self.info.menu = Some(RowMenu::Items(items));
    }

    /// Draws a size in the units of the window.
    pub fn size(&mut self, column: impl ColumnName, size: Bytes) {
        self.number(column, units::written(self.ui.ctx(), size));
    }

    /// Draws a less important size.
    pub fn small_size(&mut self, column: impl ColumnName, size: Bytes) {
        self.small_number(column, units::written(self.ui.ctx(), size));
    }

    /// Draws a size after a bar with its share.
    pub fn size_with_bar(&mut self, column: impl ColumnName, size: Bytes, share: Share) {
        self.number_with_bar(column, units::written(self.ui.ctx(), size), share);
    }

    /// True if the pointer is over a column of this row.
    pub fn pointer_in(&self, column: impl ColumnName) -> bool {
        self.hovered
            && self.cell(column).is_some_and(|cell| self.ui.rect_contains_pointer(cell.expand2(vec2(PAD, 0.0))))
    }

    /// Visible columns after the first, from left to right.
    pub fn columns_after_first(&self) -> impl Iterator<Item = usize> {
        self.shown.order.iter().copied().filter(|&column| column > 0 && self.shown.spans[column].is_some())
    }

    /// Rectangle for the text of a column; `None` if the column is hidden.
    pub fn cell(&self, column: impl ColumnName) -> Option<Rect> {
        let index = column.index(&self.shown.keys)?;
        let (x, width) = self.shown.spans.get(index).copied().flatten()?;
        let left = self.rect.left() + x + PAD;
        let right = (self.rect.left() + x + width - PAD).max(left);
        Some(Rect::from_min_max(pos2(left, self.rect.top()), pos2(right, self.rect.bottom())))
    }

    /// Draws text into a column.
    pub fn text(&mut self, column: impl ColumnName, text: impl Into<String>, font: FontId, color: Color32) {
        let Some((cell, index)) = self.cell(column).zip(column.index(&self.shown.keys)) else { return };
        match self.shown.aligns[index] {
            Align::Left => {
                let text = text.into();
                fitted_line_ui(self.ui, index, cell, (&text, UsualCut::End), (font, color)).0
            }
            Align::Right => line_at_right_ui(self.ui, cell, text, font, color),
        };
    }

    /// Draws a number into a column.
    pub fn number(&mut self, column: impl ColumnName, text: impl Into<String>) {
        self.text(column, text, fonts::text(), self.tokens.text);
    }

    /// Draws a less important number.
    pub fn small_number(&mut self, column: impl ColumnName, text: impl Into<String>) {
        self.text(column, text, fonts::text(), self.tokens.muted);
    }

    /// Draws a change in bytes after a bar that extends from its middle to the right for growth and to the left for
    /// decrease; `most` fills half of it.
    pub fn delta_with_bar(&mut self, column: impl ColumnName, delta: ByteDelta, most: u64) {
        let Some(cell) = self.cell(column) else { return };
        if cell.width() > BAR + 62.0 && most > 0 && delta.0 != 0 {
            let rect = Rect::from_min_size(pos2(cell.left(), cell.center().y - 3.5), vec2(BAR, 7.0));
            bar::paint_delta(self.ui.painter(), rect, delta.0 as f32 / most as f32, &self.on_selection());
        }
        self.delta(column, delta.0, delta.to_string());
    }

    /// Draws a change in the colour of its sign.
    pub fn delta(&mut self, column: impl ColumnName, sign: i64, text: impl Into<String>) {
        let color = match sign {
            1.. => self.tokens.grew,
            0 => self.tokens.faint,
            _ => self.tokens.shrank,
        };
        self.text(column, text, fonts::text(), color);
    }

    /// Colours of the theme for bars: on a selected row, the usual track would not be seen.
    pub fn on_selection(&self) -> Tokens {
        if self.selected { Tokens { track: self.tokens.edge, ..*self.tokens } } else { *self.tokens }
    }

    /// Draws a value as its type wants it.
    pub fn value(&mut self, column: impl ColumnName, value: &Value<'_>) {
        match value {
            Value::Null => self.text(column, "–", fonts::text(), self.tokens.faint),
            Value::Bytes(bytes) => self.small_size(column, *bytes),
            Value::CountDelta(delta) => self.delta(column, delta.0, delta.to_string()),
            Value::ByteDelta(delta) => self.delta(column, delta.0, delta.to_string()),
            value => self.small_number(column, value.short()),
        }
    }

    /// Draws a number after a bar with its share.
    pub fn number_with_bar(&mut self, column: impl ColumnName, text: impl Into<String>, share: Share) {
        let Some(cell) = self.cell(column) else { return };
        if cell.width() > BAR + 62.0 {
            let rect = Rect::from_min_size(pos2(cell.left(), cell.center().y - 2.5), vec2(BAR, 5.0));
            bar::paint(self.ui.painter(), rect, share, &self.on_selection());
        }
        self.number(column, text);
    }
}

/// Draws one line of text at the left of `area`, truncated to its width and vertically centred; returns its layout.
pub fn line_ui(ui: &Ui, area: Rect, text: impl Into<String>, font: FontId, color: Color32) -> Arc<Galley> {
    let galley = elided(ui, text.into(), font, color, area.width());
    let y = area.center().y - galley.size().y / 2.0;
    ui.painter().galley(pos2(area.left(), y), Arc::clone(&galley), color);
    galley
}

/// The same at the right of `area`.
pub fn line_at_right_ui(ui: &Ui, area: Rect, text: impl Into<String>, font: FontId, color: Color32) -> Arc<Galley> {
    let galley = elided(ui, text.into(), font, color, area.width());
    let at = pos2(area.right() - galley.size().x, area.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, Arc::clone(&galley), color);
    galley
}

/// Paints two lines, one above the other, around the middle of a cell, each in its colour.
pub fn two_lines_ui(ui: &Ui, cell: Rect, first: (Arc<Galley>, Color32), second: (Arc<Galley>, Color32)) {
    let middle = cell.center().y;
    ui.painter().galley(pos2(cell.left(), middle - first.0.size().y + 1.0), first.0, first.1);
    ui.painter().galley(pos2(cell.left(), middle + 2.0), second.0, second.1);
}
