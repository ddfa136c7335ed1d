//! Answers about a dump as rows: tables with typed columns, trees, reports, search results, and their output as text,
//! CSV, JSON and Markdown. The command line prints them, the window shows, copies and exports them, so both agree.
//!
//! A [`TableQuery`] says which table and which of its rows; [`TableContext`] is the opened dump:
//!
//! ```no_run
//! use heaplens_base::Task;
//! use heaplens_tables::{OutputForm, RowQuery, TableContext, TableKind, TableQuery};
//!
//! let (dump, task) = (heaplens_core::open("app.hprof")?, Task::new());
//! let rows = RowQuery { sort: Some("retained_bytes".to_owned()), top: Some(10), ..RowQuery::default() };
//! let query = TableQuery { kind: TableKind::Classes, rows };
//! query.write(TableContext::new(&dump), OutputForm::Csv, &mut std::io::stdout(), &task)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`TableQuery::table`] gives the rows instead, as a [`Table`] whose cells are read one by
//! one. A table of a computed answer is made directly: `Classes(histogram)`.
//!
//! # Modules, in reading order
//!
//! - [`columns`]: what a column is: its key, title, definition and type, and how its value is read from a row. Columns
//!   that tables share are [`columns::headings`].
//! - [`query`]: what a question is: the table, its rows, and the command line that prints them.
//! - [`table`]: what a table is: typed rows, their order and filter, and [`write()`](fn@write).
//! - [`dump`]: the tables of one dump, a module each, with their columns.
//! - [`diff`]: the tables of a comparison of two dumps or more.
//! - [`declared`]: columns by key, before there are rows; [`mod@reference`]: all columns, for `docs/tables.md`.
//! - [`paths`]: one path to a GC root; [`trees`]: trees whose levels are loaded when they are expanded; [`reports`]:
//!   outlines of a whole dump; [`leak_list`]: leaks in groups; [`search`]: results while a text is typed.
//! - [`clips`]: copies of rows, objects and paths. [`export`]: answers that are no tables, as text and JSON.
//!
//! # Adding a column
//!
//! It is one entry in the `COLUMNS` of its table; text, CSV, JSON, `--sort`, copies, `docs/tables.md` and the window
//! read it. Example: [`columns`].

pub mod columns;
pub mod query;
pub mod table;

pub mod diff;
pub mod dump;
pub mod paths;

pub mod leak_list;
pub mod reports;
pub mod search;
pub mod trees;

pub mod clips;
pub mod export;

pub mod declared;
pub mod reference;

pub use columns::{ColumnInfo, ColumnKind};
pub use dump::{
    AggregatedPaths, Bitmaps, Classes, FoldedLevel, Level, MergedPaths, Objects, OwnedObjects, OwnershipRoots,
    RetainedClasses, Sites, SnapshotLeakTable, Strings,
};
pub use query::{HistogramRows, Question, RowQuery, TableError, TableKind, TableQuery, TypedFilter};
pub use table::{
    List, OrderedRows, OutputForm, RowOf, RowTarget, Table, TableContext, Totals, TypedTable, write, write_list,
};
