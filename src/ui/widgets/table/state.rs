//! State of a table: scroll position, cursor and selection.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::ui::location::SelectedRows;

/// State of one table across frames.
#[derive(Debug, Clone, Default)]
pub struct TableState {
    /// Row number at the upper edge; the fraction is the hidden part of that row.
    top: f64,
    /// Number of rows that fit on screen.
    view: f64,
    rows: u64,
    cursor: Option<u64>,
    /// The other end of a selection of several rows.
    anchor: Option<u64>,
    /// Rows selected one by one, which are the selection if there are some.
    picked: BTreeSet<u64>,
    /// True if Ctrl+click adds a row to the selection.
    picks_rows: bool,
    target_row: Option<(u64, bool)>,
    /// Scroll position and selection to restore once there are rows.
    pending_restore: Option<(f64, Option<SelectedRows>)>,
    /// Offset of the pointer in the thumb of the scroll bar while it is dragged.
    pub(super) grabbed: Option<f32>,
}

impl TableState {
    /// Sets the number of rows and of those that fit.
    pub(super) fn fit(&mut self, rows: u64, view: f64) {
        self.rows = rows;
        self.view = view;
        if let Some((top, selected)) = self.pending_restore.take_if(|_| rows > 0) {
            self.set_top(top);
            if let Some(selected) = selected.filter(|selected| selected.of == rows) {
                (self.cursor, self.anchor, self.target_row) = (Some(selected.cursor), selected.anchor, None);
            }
        }
        if let Some((row, centre)) = self.target_row.take() {
            self.reveal(row, centre);
        }
        self.cursor = self.cursor.filter(|&c| c < rows);
        self.anchor = self.anchor.filter(|&a| a < rows);
        self.set_top(self.top);
    }

    /// Row number at the upper edge; the fraction is the hidden part of that row.
    pub fn top(&self) -> f64 {
        self.top
    }

    /// Number of rows that fit on screen.
    pub fn view(&self) -> f64 {
        self.view
    }

    /// Maximum scroll position.
    pub(super) fn max_top(&self) -> f64 {
        (self.rows as f64 - self.view).max(0.0)
    }

    /// Sets the scroll position.
    pub(super) fn set_top(&mut self, top: f64) {
        self.top = top.clamp(0.0, self.max_top());
    }

    /// Scrolls by rows or fractions of rows.
    pub fn scroll_by(&mut self, rows: f64) {
        self.set_top(self.top + rows);
    }

    /// Scrolls to `row` in the next frame; centres it if it is not visible.
    pub fn show_row(&mut self, row: u64) {
        self.target_row = Some((row, true));
    }

    /// Restores a scroll position once there are rows.
    pub fn come_back_to(&mut self, top: f64) {
        self.pending_restore = Some((top, None));
    }

    /// Restores scroll position and selection once there are rows.
    pub fn restore(&mut self, top: f64, selected: Option<SelectedRows>) {
        self.pending_restore = Some((top, selected));
    }

    /// Selected rows, to restore them later.
    pub fn selected_rows(&self) -> Option<SelectedRows> {
        Some(SelectedRows { cursor: self.cursor?, anchor: self.anchor, of: self.rows })
    }

    /// Scrolls to the first row.
    pub fn to_top(&mut self) {
        self.target_row = None;
        self.top = 0.0;
        // Rows have changed their numbers.
        self.picked.clear();
    }

    fn reveal(&mut self, row: u64, centre: bool) {
        let at = row as f64;
        let hidden = at < self.top || at + 1.0 > self.top + self.view;
        if hidden && centre {
            self.set_top((at + 0.5 - self.view / 2.0).floor());
        } else if at < self.top {
            self.set_top(at);
        } else if hidden {
            self.set_top(at + 1.0 - self.view);
        }
    }

    /// Row with the keyboard cursor.
    pub fn cursor(&self) -> Option<u64> {
        self.cursor
    }

    /// Sets the cursor without scrolling; `extend` keeps the other end of the selection.
    pub(super) fn put_cursor(&mut self, row: u64, extend: bool) {
        if !extend {
            self.anchor = None;
        } else if self.anchor.is_none() {
            self.anchor = self.cursor;
        }
        self.cursor = Some(row);
        self.picked.clear();
    }

    /// Has Ctrl+click add rows to the selection, for lists whose selection need not be one range.
    pub fn pick_rows(&mut self) {
        self.picks_rows = true;
    }

    /// True if Ctrl+click adds rows to the selection.
    pub(super) fn picks_rows(&self) -> bool {
        self.picks_rows
    }

    /// Adds a row to the selection, or takes it away.
    pub(super) fn pick(&mut self, row: u64) {
        if self.picked.is_empty() {
            self.picked.extend(self.selection().into_iter().flatten());
        }
        if !self.picked.remove(&row) {
            self.picked.insert(row);
        }
        (self.cursor, self.anchor) = (Some(row), None);
    }

    /// All selected rows.
    pub fn selected(&self) -> Vec<u64> {
        if self.picked.is_empty() {
            return self.selection().into_iter().flatten().collect();
        }
        self.picked.iter().copied().filter(|&row| row < self.rows).collect()
    }

    /// Moves the cursor by keys and keeps it visible.
    pub(super) fn move_cursor(&mut self, row: u64, extend: bool) {
        self.put_cursor(row, extend);
        self.reveal(row, false);
    }

    /// Selects all rows without scrolling.
    pub fn select_all(&mut self) {
        if self.rows > 0 {
            (self.anchor, self.cursor) = (Some(0), Some(self.rows - 1));
            self.picked.clear();
        }
    }

    /// Selects one row, or none.
    pub fn select(&mut self, row: Option<u64>) {
        if self.cursor != row {
            self.cursor = row;
            self.anchor = None;
            self.picked.clear();
        }
    }

    /// Selects one row and scrolls to it.
    pub fn select_and_show(&mut self, row: u64) {
        self.select(Some(row));
        self.show_row(row);
    }

    /// True if a row is selected.
    pub fn is_selected(&self, row: u64) -> bool {
        if self.picked.is_empty() {
            self.selection().is_some_and(|range| range.contains(&row))
        } else {
            self.picked.contains(&row)
        }
    }

    /// Selected rows.
    pub fn selection(&self) -> Option<RangeInclusive<u64>> {
        let cursor = self.cursor?;
        let other = self.anchor.unwrap_or(cursor);
        Some(cursor.min(other)..=cursor.max(other))
    }
}
