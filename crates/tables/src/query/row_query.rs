//! Filter, order and range of the rows of a table.

use std::ops::RangeInclusive;

use super::{Question, row_filter::RowFilter, table_error::TableError};

/// Filter, order and range of rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct RowQuery {
    /// Only rows that match this filter.
    pub filter: String,
    /// Only rows with these numbers in the default order, from 1; empty for all.
    pub numbers: Vec<RangeInclusive<u32>>,
    /// Key of the column to sort by.
    pub sort: Option<String>,
    /// True to reverse the order.
    pub reverse: bool,
    /// Number of rows to skip.
    pub skip: usize,
    /// Maximum number of rows.
    pub top: Option<usize>,
    /// True to add the owner of each object.
    pub owner: bool,
    /// True to add the owners of the objects of each class.
    pub owners: bool,
    /// True to add the preview of each object.
    pub preview: bool,
    /// True to add the age of each object.
    pub age: bool,
}

impl RowQuery {
    /// Parses the filter.
    ///
    /// # Errors
    /// A description of the error in its regular expression.
    pub fn row_filter(&self) -> Result<RowFilter, TableError> {
        RowFilter::parse(&self.filter).map_err(TableError::InvalidQuery)
    }

    /// Applies the range to `rows`.
    pub fn part<'a>(&self, rows: impl Iterator<Item = u32> + 'a) -> Box<dyn Iterator<Item = u32> + 'a> {
        Box::new(rows.skip(self.skip).take(self.top.unwrap_or(usize::MAX)))
    }

    /// True if the row at an index (from 0) is in the requested rows.
    pub fn has_number(&self, number: u32) -> bool {
        self.numbers.is_empty() || self.numbers.iter().any(|range| range.contains(&number.saturating_add(1)))
    }

    /// Adds its command-line options.
    pub(super) fn options(&self, mut line: Question) -> Question {
        line = line.some("filter", Some(&self.filter).filter(|filter| !filter.is_empty()));
        if !self.numbers.is_empty() {
            let range = |range: &RangeInclusive<u32>| {
                let (first, last) = (range.start(), range.end());
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            };
            line = line.option("rows", self.numbers.iter().map(range).collect::<Vec<_>>().join(","));
        }
        if self.owners {
            line = line.flag("owners");
        }
        if self.age {
            line = line.flag("age");
        }
        line = line.some("sort", self.sort.as_ref());
        if self.reverse {
            line = line.flag("reverse");
        }
        line = line.some("skip", (self.skip > 0).then(|| self.skip.to_string()));
        line.some("top", self.top.map(|top| top.to_string()))
    }
}
