//! What a question is, as plain data: a [`Question`] is a command with arguments and options by name, a [`TableQuery`]
//! the table that a view shows, a [`RowQuery`] the filter, order and range of its rows.

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
