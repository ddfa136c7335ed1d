//! Answers and tables as they are written: text, JSON and CSV row by row, Parquet and Arrow a group of rows at a time.

mod arrow_stream;
mod column_data;
mod columnar;
mod parquet_file;
mod text;

use std::collections::BTreeSet;
use std::fmt;
use std::io;

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;

use crate::answer::AnswerColumn;
use crate::answer_sink::AnswerSink;

pub(crate) use column_data::ColumnData;
pub use columnar::{ColumnarForm, ColumnarOutput};
pub(crate) use parquet_file::GROUP;
pub use parquet_file::ParquetWriter;
pub use text::{TextForm, TextOutput};

/// Writes an answer.
pub trait AnswerOutput: AnswerSink {
    /// Ends the answer.
    ///
    /// # Errors
    /// If the answer could not be written, or not in this form.
    fn end(self: Box<Self>) -> Result<(), OutputError>;
}

/// Reason why an answer was not written.
#[derive(Debug)]
pub enum OutputError {
    /// The output does not take it.
    Output(io::Error),
    /// The answer has no such form; what to write instead.
    Form(String),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "{error}"),
            Self::Form(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for OutputError {}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ParquetError> for OutputError {
    fn from(error: ParquetError) -> Self {
        Self::Output(match error {
            ParquetError::External(cause) => {
                cause.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
            }
            error => io::Error::other(error),
        })
    }
}

impl From<ArrowError> for OutputError {
    fn from(error: ArrowError) -> Self {
        Self::Output(match error {
            ArrowError::IoError(_, error) => error,
            error => io::Error::other(error),
        })
    }
}

/// Names of columns, each once: a second `name` is `name_2`.
fn keys(columns: &[AnswerColumn]) -> Vec<String> {
    let mut used = BTreeSet::new();
    let key = |column: &AnswerColumn| {
        let mut key = column.name.clone();
        let mut number = 2;
        while !used.insert(key.clone()) {
            key = format!("{}_{number}", column.name);
            number += 1;
        }
        key
    };
    columns.iter().map(key).collect()
}
