//! Content of a table, and what the user did in it.

use super::columns::Column;
use crate::ui::theme::sizes;

/// Content of a table in one frame.
pub struct Table<'a> {
    /// Name for screen readers, unique in the window.
    pub(super) name: &'a str,
    pub(super) columns: &'a [Column],
    pub(super) rows: u64,
    /// Sort column, and true for descending order.
    pub(super) sort: Option<(usize, bool)>,
    /// True if the table handles keys.
    pub(super) active: bool,
    pub(super) header: bool,
    /// In points.
    pub(super) row_height: f32,
}

/// User input on the table in this frame.
#[derive(Debug, Default)]
pub struct TableOutput {
    /// Clicked row.
    pub clicked: Option<u64>,
    /// Row to which keys moved the cursor.
    pub moved: Option<u64>,
    /// Row that was double-clicked, or on which Enter was pressed.
    pub activated: Option<u64>,
    /// Tree row that was expanded or collapsed by its button or a screen reader.
    pub toggled: Option<u64>,
    /// Column whose header was clicked.
    pub sort: Option<usize>,
    /// Visible rows.
    pub visible: std::ops::Range<u64>,
}

impl<'a> Table<'a> {
    /// An unsorted table with a header, which handles keys. `name` is for screen readers and unique in the window.
    pub fn new(name: &'a str, columns: &'a [Column], rows: u64) -> Self {
        Self { name, columns, rows, sort: None, active: true, header: true, row_height: sizes::ROW }
    }

    /// Sets the sort column, and true for descending order.
    #[must_use]
    pub fn sorted(self, sort: Option<(usize, bool)>) -> Self {
        Self { sort, ..self }
    }

    /// Sets if the table handles keys.
    #[must_use]
    pub fn active(self, active: bool) -> Self {
        Self { active, ..self }
    }

    /// Hides the header.
    #[must_use]
    pub fn without_header(self) -> Self {
        Self { header: false, ..self }
    }

    /// Sets the height of a row, in points.
    #[must_use]
    pub fn row_height(self, row_height: f32) -> Self {
        Self { row_height, ..self }
    }
}
