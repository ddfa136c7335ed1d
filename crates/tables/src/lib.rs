//! Answers about a dump as rows: tables with typed columns, trees, reports, search results, and their output as text,
//! CSV, JSON and Markdown. The command line prints them, the window shows, copies and exports them, so both agree.
//!
//! A [`TableQuery`] says which table and which of its rows; [`TableContext`] is the opened dump:
//!
//! ```no_run
//! use heaplens_base::Task;
//! use heaplens_tables::relations::CLASSES;
//! use heaplens_tables::{OutputForm, RowQuery, TableContext, TableQuery};
//!
//! let (dump, task) = (heaplens_dump::open("app.hprof")?, Task::new());
//! let rows = RowQuery { sort: Some("retained_bytes".to_owned()), top: Some(10), ..RowQuery::default() };
//! let query = TableQuery::new(&CLASSES, rows);
//! query.write(TableContext::of(&dump), OutputForm::Csv, &mut std::io::stdout(), &task)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`TableQuery::table`] gives the rows instead, as a [`Table`] whose cells are read one by
//! one. A table of a computed answer is made directly: `Classes::new(histogram)`.
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

pub mod check;
pub mod leak_list;
pub mod reports;
pub mod search;
pub mod story;
pub mod trees;

pub mod clips;
pub mod export;

pub mod listing;
pub mod reference;
pub mod relation;
pub mod relations;

pub use columns::{ColumnInfo, ColumnKind};
pub use dump::{
    AggregatedPaths, Bitmaps, Classes, FoldedLevel, Level, MergedPaths, Objects, OwnedObjects, OwnershipRoots,
    RetainedClasses, Sites, SnapshotLeakTable, Strings,
};
pub use listing::{Job, Listing};
pub use query::{HistogramRows, Question, RowQuery, TableError, TableKind, TableQuery, TableResult, TypedFilter};
pub use table::{
    List, OrderedRows, OutputForm, RowOf, RowTarget, Table, TableContext, Totals, TypedTable, write, write_list,
};
