//! Columns of a table, as their view declares them.

use heaplens_tables::ColumnInfo;
use heaplens_tables::columns::Heading;

/// Alignment of the texts of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Key of the command line's table to sort by; empty if only the window has the column.
    pub key: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Definition for the tooltip of the header; empty if the title is a term of the glossary.
    pub about: &'static str,
    /// Width in points; the minimum width for the filling column.
    pub width: f32,
    /// Alignment of its texts.
    pub align: Align,
    /// True if a click on the header sorts by it.
    pub sorts: bool,
    /// True if it takes the remaining width; one column does.
    pub fills: bool,
    /// Columns with the lowest rank are hidden first in a narrow window.
    pub rank: u8,
    /// True if this dump has no data for it. It is hidden, and other columns keep their indices.
    pub absent: bool,
}

impl Column {
    /// A column of words that takes the remaining width.
    pub const fn words(title: &'static str, about: &'static str, width: f32) -> Self {
        Self { key: "", title, about, width, align: Align::Left, sorts: true, fills: true, rank: 9, absent: false }
    }

    /// A column of numbers.
    pub const fn numbers(title: &'static str, about: &'static str, width: f32, rank: u8) -> Self {
        Self { key: "", title, about, width, align: Align::Right, sorts: true, fills: false, rank, absent: false }
    }

    /// The first column of a table, which names its rows and takes the remaining width.
    pub const fn naming(column: ColumnInfo, width: f32) -> Self {
        Self::words(column.heading.title, column.heading.about, width).key(column.heading.key)
    }

    /// A column as its table declares it.
    pub const fn of(column: ColumnInfo, width: f32, rank: u8) -> Self {
        let Heading { key, title, about, .. } = column.heading;
        if column.kind.is_number() {
            Self::numbers(title, about, width, rank).key(key)
        } else {
            Self::words(title, about, width).fixed(rank).key(key)
        }
    }

    /// A column as its table declares it, with the default layout.
    pub const fn with_default_layout(column: ColumnInfo) -> Self {
        if column.kind.is_number() { Self::of(column, 104.0, 3) } else { Self::of(column, 150.0, 3) }
    }

    /// The same column, drawn in another one.
    #[must_use]
    pub const fn drawn_elsewhere(self) -> Self {
        Self { absent: true, ..self }
    }

    /// The same column with another title, which fits the rows of the window.
    #[must_use]
    pub const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The same column with another definition, which fits the rows of the window.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The same column, sorted by the command line with this key.
    #[must_use]
    pub const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// The same column with a fixed width.
    #[must_use]
    pub const fn fixed(mut self, rank: u8) -> Self {
        self.fills = false;
        self.rank = rank;
        self
    }

    /// The same column without sorting.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sorts = false;
        self
    }
}

/// Order after a click on a header: numbers descending, words ascending; of the sort column the opposite.
pub fn order_after_click(columns: &[Column], now: Option<(usize, bool)>, clicked: usize) -> (usize, bool) {
    let descending = match now {
        Some((column, descending)) if column == clicked => !descending,
        _ => columns.get(clicked).is_some_and(|column| column.align == Align::Right),
    };
    (clicked, descending)
}
