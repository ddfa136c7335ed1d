//! What a question is, as plain data.
//!
//! - [`TableQuery`]: a table of one opened dump and its rows. It computes the table, writes it, and gives the
//!   [`Question`] that prints it on the command line.
//! - [`RowQuery`]: filter, order and range of the rows; part of every query.
//! - [`Question`]: a command with arguments and options by name, free of any dump: what the user types, a view copies,
//!   or a file stores.
//! - [`TypedFilter`]: text in a filter field with the last valid pattern in it.

mod class_argument;
mod question;
mod row_query;
mod table_query;
mod typed_filter;

pub(crate) use class_argument::class_named;
pub use question::{Question, QuestionOption, Word};
pub(crate) use row_query::no_column;
pub use row_query::{RowQuery, TableError};
pub use table_query::{HistogramRows, TableKind, TableQuery};
pub use typed_filter::TypedFilter;
