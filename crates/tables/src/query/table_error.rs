//! Why a table could not be computed or written.

use std::{fmt, io};

use heaplens_base::Cancelled;
use heaplens_session::JobError;

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

/// Error for an unknown column `key`.
pub(crate) fn no_column(key: &str, keys: &[&str]) -> TableError {
    TableError::InvalidQuery(format!("cannot sort by '{key}'; the columns are: {}", keys.join(", ")))
}
