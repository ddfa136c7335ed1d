//! SQL over the objects of a heap dump. SQLite parses and runs the queries; the tables are virtual: their rows are read
//! from the columns of the heap, and conditions on ids, classes and sizes are looked up there.
//!
//! ```no_run
//! use heaplens_base::Task;
//! use heaplens_session::leaks::LeakRules;
//! use heaplens_sql::{CollectedAnswer, Database, Limits, QuerySource};
//!
//! # fn of(dump: &heaplens_dump::Dump) -> Result<(), heaplens_sql::QueryError> {
//! let mut database = Database::new(QuerySource::of(dump, LeakRules::default()), None)?;
//! let query = "SELECT class, retained_bytes FROM objects ORDER BY retained_bytes DESC LIMIT 10";
//! let mut answer = CollectedAnswer::new(10);
//! database.run(query, Limits::default(), &Task::new(), &mut answer)?;
//! answer.rows.iter().for_each(|row| println!("{row:?}"));
//! # Ok(())
//! # }
//! ```

mod answer;
mod answer_sink;
mod as_query;
mod catalog;
mod completion;
mod connection;
mod cut_query;
mod database;
mod error;
mod export;
mod gallery;
mod java_regex;
mod oql;
mod oql_functions;
mod output;
mod parquet_rows;
mod pattern;
mod relation;
mod relations;
mod scalars;
mod source;
pub mod tokens;
mod value;
mod virtual_table;

pub use answer::AnswerColumn;
pub use answer_sink::{AnswerSink, CollectedAnswer};
pub use as_query::as_query;
pub use catalog::CatalogTable;
pub use completion::{Completion, Completions, classes_in};
pub use cut_query::resolve_cut;
pub use database::{Database, Limits};
pub use error::QueryError;
pub use export::{Export, ExportError, exported_tables};
pub use gallery::{GalleryQuery, gallery};
pub use output::{AnswerOutput, ColumnarForm, ColumnarOutput, OutputError, ParquetWriter, TextForm, TextOutput};
pub use parquet_rows::ParquetRows;
pub use relation::{ColumnRole, SqlColumn};
pub use relations::held_rows::RowSource;
pub use source::QuerySource;
pub use value::{SqlType, sql_form};
