//! Filter, order and range of the rows of a table.

use std::{fmt, io, ops::RangeInclusive};

use heaplens_analysis::TextFilter;
use heaplens_base::Cancelled;
use heaplens_session::JobError;

/// Filter, order and range of rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowQuery {
    /// Only rows that match this filter.
    pub filter: String,
    /// Only rows with these numbers in the default order, from 1; empty for all.
    pub places: Vec<RangeInclusive<u32>>,
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
}

/// Reason why a table could not be computed or written; part of the output may have been written.
#[derive(Debug)]
pub enum TableError {
    /// The task was cancelled.
    Cancelled,
    /// The query is invalid; with a message.
    InvalidQuery(String),
    /// The output could not be written.
    Output(io::Error),
}

/// Result of a table.
pub type TableResult<T = ()> = Result<T, TableError>;

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::InvalidQuery(why) => f.write_str(why),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}

impl From<Cancelled> for TableError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<TableError> for JobError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Cancelled => Self::Cancelled,
            TableError::InvalidQuery(what) => Self::Failed(what),
            TableError::Output(error) => Self::Failed(error.to_string()),
        }
    }
}

impl RowQuery {
    /// Parses the filter.
    ///
    /// # Errors
    /// A description of the error in its regular expression.
    pub fn pattern(&self) -> Result<TextFilter, TableError> {
        TextFilter::parse(&self.filter).map_err(TableError::InvalidQuery)
    }

    /// Applies the range to `rows`.
    pub fn part<'a>(&self, rows: impl Iterator<Item = u32> + 'a) -> Box<dyn Iterator<Item = u32> + 'a> {
        Box::new(rows.skip(self.skip).take(self.top.unwrap_or(usize::MAX)))
    }

    /// True if the row at an index (from 0) is in the requested rows.
    pub fn has_place(&self, place: u32) -> bool {
        self.places.is_empty() || self.places.iter().any(|range| range.contains(&place.saturating_add(1)))
    }
}

/// Error for an unknown column `key`.
pub(crate) fn no_column(key: &str, keys: &[&str]) -> TableError {
    TableError::InvalidQuery(format!("cannot sort by '{key}'; the columns are: {}", keys.join(", ")))
}
