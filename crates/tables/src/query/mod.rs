//! What a question is, as plain data: a table of a dump and its rows, and the command that prints them.

mod class_argument;
pub mod number_condition;
mod question;
mod row_filter;
mod row_query;
mod table_error;
mod table_kind;
mod table_query;
mod typed_filter;

pub(crate) use class_argument::class_named;
pub use number_condition::{NumberCondition, Quantity};
pub use question::{Question, QuestionOption, Word};
pub(crate) use row_filter::number_keys;
pub use row_filter::{Conditions, RowFilter};
pub use row_query::RowQuery;
pub(crate) use table_error::no_column;
pub use table_error::{TableError, TableResult};
pub use table_kind::TableKind;
pub use table_query::{HistogramRows, TableQuery};
pub use typed_filter::TypedFilter;
