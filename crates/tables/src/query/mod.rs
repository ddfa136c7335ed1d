//! What a question is, as plain data: a table of a dump and its rows, and the command that prints them.

mod class_argument;
mod question;
mod row_query;
mod table_query;
mod typed_filter;

pub(crate) use class_argument::class_named;
pub use question::{Question, QuestionOption, Word};
pub(crate) use row_query::no_column;
pub use row_query::{RowQuery, TableError, TableResult};
pub use table_query::{HistogramRows, TableKind, TableQuery};
pub use typed_filter::TypedFilter;
