//! Tables: a query of a dump → sorted rows → CSV, JSON or text. The
//! command line prints these tables and the window exports and copies them, so
//! that both agree.

pub mod aggregated;
mod bitmaps;
pub mod cell;
mod class_argument;
mod classes;
pub mod clips;
mod collections;
pub mod column;
pub mod combined_retained;
pub mod declared;
pub mod diff;
pub mod drops;
pub mod export;
mod finalizers;
pub mod folded;
mod gaps;
mod groups;
pub mod heading;
pub mod headings;
pub mod javascript;
pub mod javascript_leaks;
pub mod leak_list;
pub mod level;
pub mod loaders;
pub mod merged;
mod objects;
pub mod ownership;
pub mod path_steps;
pub mod paths;
pub mod question;
pub mod record;
pub mod reference;
mod references;
pub mod reports;
pub mod retained_set;
mod roots;
pub mod route;
pub mod row_query;
pub mod row_target;
pub mod search;
mod sites;
mod strings;
pub mod table_query;
pub mod text_hits;
mod threads;
pub mod trees;
pub mod typed;
pub mod typed_filter;
mod waste;
mod write;

pub use aggregated::AggregatedPaths;
pub use bitmaps::Bitmaps;
pub use classes::Classes;
pub use collections::Collections;
pub use column::{ColumnInfo, ColumnKind};
pub use finalizers::Finalizers;
pub use folded::FoldedLevel;
pub use gaps::Gaps;
pub use groups::Groups;
pub use javascript_leaks::{JavaScriptGrowth, JavaScriptLeaks, SnapshotLeakTable};
pub use level::Level;
pub use loaders::Loaders;
pub use merged::MergedPaths;
pub use objects::Objects;
pub use ownership::{OwnedObjects, OwnershipRoots};
pub use references::Neighbours;
pub use retained_set::RetainedClasses;
pub use roots::Roots;
pub use route::Route;
pub use row_query::{RowQuery, TableError};
pub use sites::Sites;
pub use strings::Strings;
pub use threads::Threads;
pub use typed::TypedTable;
pub use waste::Waste;
pub use write::{OutputForm, write, write_list};

use std::io::{self, Write};

use crate::cell::Cell;
use crate::export::table_context::TableContext;
use heaplens_analysis::filter::TextFilter;
use heaplens_base::task::Task;

/// Totals of the rows of a table, by key.
pub type Totals = Vec<(&'static str, Cell)>;

/// A table of any kind of rows: a [`TypedTable`] for its writers and the window.
pub trait Table: Send + Sync {
    /// Columns of the table for this dump, in output order.
    fn columns(&self, from: TableContext<'_>) -> Vec<ColumnInfo>;

    /// Place of a column by key, whether this dump has it or not.
    fn column(&self, key: &str) -> Option<usize>;

    /// Number of rows.
    fn count(&self) -> usize;

    /// Cell of a row in the column at a place.
    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell;

    /// True if the row passes the filter.
    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool;

    /// Name of the list of rows in JSON, and true if the totals come before it.
    fn list(&self) -> (&'static str, bool);

    /// Writes a row as a JSON object; it is the `nth` written row.
    ///
    /// # Errors
    /// If writing to `out` fails.
    fn write_row(&self, from: TableContext<'_>, row: usize, nth: usize, out: &mut dyn Write) -> io::Result<()>;

    /// Depth of each row in the default order, if rows are nested in JSON.
    fn depths(&self) -> Option<&[u32]>;

    /// Filters, sorts and limits the rows.
    ///
    /// # Errors
    /// If the query is invalid for this table, or the task is cancelled.
    fn arranged<'a>(
        &'a self,
        from: TableContext<'a>,
        how: &RowQuery,
        task: &Task,
    ) -> Result<OrderedRows<'a>, TableError>;
}

/// Sorted rows with their totals.
pub struct OrderedRows<'a> {
    /// The rows to write.
    pub rows: Box<dyn Iterator<Item = u32> + 'a>,
    /// Totals for JSON.
    pub totals: Totals,
    /// Upper bound of the number of rows, for progress.
    pub expected: u64,
}
