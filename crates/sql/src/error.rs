//! Why a query has no answer.

use std::fmt;
use std::time::Duration;

use rusqlite::{Error, ErrorCode};

use heaplens_base::Bytes;

/// Error of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryError {
    /// The user cancelled it.
    Cancelled,
    /// It took longer than its limit.
    TooSlow(Duration),
    /// It needed more memory than its limit.
    TooLarge(Bytes),
    /// The query is wrong, or cannot be answered.
    Wrong {
        /// Message, as a clause that begins with a small letter.
        message: String,
        /// Byte of the query where the wrong word begins, if known.
        position: Option<usize>,
        /// What to write instead; empty if unknown.
        advice: String,
    },
}

/// What to write instead of a wrong word.
#[derive(Default)]
pub(crate) struct Advice {
    /// Sentences; empty if there is nothing to say.
    pub(crate) text: String,
    /// Byte of the query where the word begins.
    pub(crate) position: Option<usize>,
}

impl QueryError {
    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::Wrong { message: message.into(), position: None, advice: String::new() }
    }

    /// The error of a statement. Interrupted is what a cancelled query is too: the caller knows which.
    pub(crate) fn of(error: Error, memory: Bytes) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::OutOfMemory) {
            return Self::TooLarge(memory);
        }
        let (message, position) = match error {
            Error::SqlInputError { msg, offset, .. } => (msg, usize::try_from(offset).ok()),
            Error::SqliteFailure(_, Some(message)) | Error::ModuleError(message) => (message, None),
            error => (error.to_string(), None),
        };
        Self::Wrong { message, position, advice: String::new() }
    }

    /// The same error of a query with `bytes` more at its begin.
    pub(crate) fn moved_by(self, bytes: usize) -> Self {
        match self {
            Self::Wrong { message, position, advice } => {
                Self::Wrong { message, position: position.map(|position| position + bytes), advice }
            }
            error => error,
        }
    }

    /// With advice, and the place of the wrong word, if SQLite does not say it.
    pub(crate) fn advised(self, advised: impl FnOnce(&str) -> Advice) -> Self {
        match self {
            Self::Wrong { message, position, advice } if advice.is_empty() => {
                let advised = advised(&message);
                Self::Wrong { message, position: position.or(advised.position), advice: advised.text }
            }
            error => error,
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::TooSlow(limit) => write!(f, "the query took longer than {} s", limit.as_secs_f64()),
            Self::TooLarge(limit) => write!(f, "the query needs more than {limit} of memory"),
            Self::Wrong { message, advice, .. } => {
                f.write_str(message)?;
                if advice.is_empty() { Ok(()) } else { write!(f, ". {advice}") }
            }
        }
    }
}

impl std::error::Error for QueryError {}
