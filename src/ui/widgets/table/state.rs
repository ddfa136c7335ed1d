//! Where a table stands: its place, cursor and widths of columns.

use std::ops::RangeInclusive;

use crate::ui::location::SelectedRows;

/// Points that a column has at least and at most.
pub(super) const WIDTHS: (f32, f32) = (44.0, 800.0);

/// The state of one table from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct TableState {
    /// The row at the upper edge, with its hidden part.
    top: f64,
    /// Rows that fit on the screen.
    view: f64,
    rows: u64,
    cursor: Option<u64>,
    /// The other end of a selection of several rows.
    anchor: Option<u64>,
    goto: Option<(u64, bool)>,
    /// The place to come back to as soon as there are rows.
    came_from: Option<(f64, Option<SelectedRows>)>,
    /// Widths the person gave to columns, by column.
    pub(super) widths: Vec<Option<f32>>,
    /// Where in the thumb of the scroll bar it was taken.
    pub(super) grabbed: Option<f32>,
}

impl TableState {
    /// Takes in how much there is and how much of it fits.
    pub(super) fn fit(&mut self, rows: u64, view: f64) {
        self.rows = rows;
        self.view = view;
        if let Some((top, selected)) = self.came_from.take_if(|_| rows > 0) {
            self.put_top(top);
            if let Some(selected) = selected.filter(|selected| selected.of == rows) {
                (self.cursor, self.anchor, self.goto) = (Some(selected.cursor), selected.anchor, None);
            }
        }
        if let Some((row, centre)) = self.goto.take() {
            self.bring(row, centre);
        }
        self.cursor = self.cursor.filter(|&c| c < rows);
        self.anchor = self.anchor.filter(|&a| a < rows);
        self.put_top(self.top);
    }

    /// The row at the upper edge, with its hidden part.
    pub fn top(&self) -> f64 {
        self.top
    }

    /// Rows that fit on the screen.
    pub fn view(&self) -> f64 {
        self.view
    }

    /// The highest place there is.
    pub(super) fn max_top(&self) -> f64 {
        (self.rows as f64 - self.view).max(0.0)
    }

    /// Puts the upper edge at a row.
    pub(super) fn put_top(&mut self, top: f64) {
        self.top = top.clamp(0.0, self.max_top());
    }

    /// Moves by rows or parts of rows.
    pub fn scroll_by(&mut self, rows: f64) {
        self.put_top(self.top + rows);
    }

    /// Shows `row` in the next frame, in the middle if it is not yet on screen.
    pub fn show_row(&mut self, row: u64) {
        self.goto = Some((row, true));
    }

    /// Puts the upper edge where it was once, as soon as there are rows.
    pub fn come_back_to(&mut self, top: f64) {
        self.came_from = Some((top, None));
    }

    /// The same, and selects the rows that were selected there.
    pub fn restore(&mut self, top: f64, selected: Option<SelectedRows>) {
        self.came_from = Some((top, selected));
    }

    /// The selected rows, to be restored later.
    pub fn selected_rows(&self) -> Option<SelectedRows> {
        Some(SelectedRows { cursor: self.cursor?, anchor: self.anchor, of: self.rows })
    }

    /// Shows the first rows in the next frame.
    pub fn to_top(&mut self) {
        self.goto = None;
        self.top = 0.0;
    }

    fn bring(&mut self, row: u64, centre: bool) {
        let at = row as f64;
        let hidden = at < self.top || at + 1.0 > self.top + self.view;
        if hidden && centre {
            self.put_top((at + 0.5 - self.view / 2.0).floor());
        } else if at < self.top {
            self.put_top(at);
        } else if hidden {
            self.put_top(at + 1.0 - self.view);
        }
    }

    /// The row that keys move.
    pub fn cursor(&self) -> Option<u64> {
        self.cursor
    }

    /// Puts the cursor without scrolling; `extend` keeps the other end of the selection.
    pub(super) fn put_cursor(&mut self, row: u64, extend: bool) {
        if !extend {
            self.anchor = None;
        } else if self.anchor.is_none() {
            self.anchor = self.cursor;
        }
        self.cursor = Some(row);
    }

    /// Moves the cursor by keys: the row stays on screen.
    pub(super) fn move_cursor(&mut self, row: u64, extend: bool) {
        self.put_cursor(row, extend);
        self.bring(row, false);
    }

    /// Selects all rows; what is on screen stays there.
    pub(super) fn select_all(&mut self) {
        if self.rows > 0 {
            (self.anchor, self.cursor) = (Some(0), Some(self.rows - 1));
        }
    }

    /// The same table for other rows: columns stay as wide as they are.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self { widths: self.widths.clone(), ..Self::default() }
    }

    /// Widths that somebody gave to columns, by column.
    pub fn widths(&self) -> &[Option<f32>] {
        &self.widths
    }

    /// Gives columns the widths they had once.
    pub fn put_widths(&mut self, widths: &[Option<f32>]) {
        let sane = |width: &f32| width.is_finite() && (WIDTHS.0..=WIDTHS.1).contains(width);
        self.widths = widths.iter().map(|width| width.filter(sane)).collect();
    }

    /// Selects one row, or none.
    pub fn select(&mut self, row: Option<u64>) {
        if self.cursor != row {
            self.cursor = row;
            self.anchor = None;
        }
    }

    /// Selects one row and shows it.
    pub fn select_and_show(&mut self, row: u64) {
        self.select(Some(row));
        self.show_row(row);
    }

    /// Whether a row is selected.
    pub fn is_selected(&self, row: u64) -> bool {
        self.selection().is_some_and(|range| range.contains(&row))
    }

    /// The selected rows.
    pub fn selection(&self) -> Option<RangeInclusive<u64>> {
        let cursor = self.cursor?;
        let other = self.anchor.unwrap_or(cursor);
        Some(cursor.min(other)..=cursor.max(other))
    }
}
