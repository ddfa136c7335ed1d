//! Tables: a query of a dump → sorted rows → CSV, JSON or text. The
//! command line prints these tables and the window exports and copies them, so
//! that both agree.

pub mod aggregated;
mod bitmaps;
mod classes;
mod collections;
pub mod column;
pub mod diff;
pub mod export;
mod finalizers;
pub mod folded;
mod gaps;
mod groups;
pub mod heading;
pub mod headings;
pub mod javascript;
pub mod javascript_leaks;
pub mod level;
pub mod loaders;
pub mod merged;
mod objects;
pub mod ownership;
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
pub use javascript::JavaScript;
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

use crate::export::table::{Cell, JsonRow};
use crate::export::table_context::TableContext;
use crate::heading::Heading;
use heaplens_analysis::filter::TextFilter;
use heaplens_base::task::Task;

/// Totals of the rows of a table, by key.
pub type Totals = Vec<(&'static str, Cell)>;

/// A table of any kind of rows: a [`TypedTable`] for its writers and the window.
pub trait Table: Send + Sync {
    /// Columns of the table for this dump, in output order.
    fn columns(&self, from: TableContext<'_>) -> Vec<ColumnInfo> {
        let own = (0..).zip(self.old_columns().iter().copied()).chain(self.old_optional(from));
        own.map(|(place, heading)| ColumnInfo { place, heading, kind: ColumnKind::Text }).collect()
    }

    /// Columns of tables that have no types yet.
    fn old_columns(&self) -> &'static [Heading] {
        &[]
    }

    /// Optional columns of these tables.
    fn old_optional(&self, _from: TableContext<'_>) -> Vec<(usize, Heading)> {
        Vec::new()
    }

    /// Place of a column by key, whether this dump has it or not.
    fn column(&self, key: &str) -> Option<usize> {
        self.old_columns().iter().position(|column| column.is_named(key))
    }

    /// Number of rows.
    fn count(&self) -> usize;

    /// Cell of a row in the column at a place.
    fn cell(&self, from: TableContext<'_>, row: usize, column: usize) -> Cell;

    /// True if the row passes the filter.
    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool;

    /// Totals in JSON of all rows that pass the filter.
    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Totals {
        Vec::new()
    }

    /// Name of the list of rows in JSON, and true if the totals come before it.
    fn list(&self) -> (&'static str, bool) {
        ("rows", false)
    }

    /// Writes a row as a JSON object; it is the `nth` written row.
    ///
    /// # Errors
    /// If writing to `out` fails.
    fn write_row(&self, from: TableContext<'_>, row: usize, _nth: usize, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns(from);
        let cells: Vec<Cell> = columns.iter().map(|column| self.cell(from, row, column.place)).collect();
        let columns: Vec<Heading> = columns.iter().map(|column| column.heading).collect();
        serde_json::to_writer(out, &JsonRow { columns: &columns, cells: &cells })?;
        Ok(())
    }

    /// Depth of each row in the default order, if rows are nested in JSON.
    fn depths(&self) -> Option<&[u32]> {
        None
    }

    /// Sorts rows by a column: numbers descending, text ascending, or reversed. Ties stay in
    /// default order.
    ///
    /// # Errors
    /// If there is no such column, or the task is cancelled.
    fn sort(
        &self,
        from: TableContext<'_>,
        rows: &mut Vec<u32>,
        (key, reverse): (&str, bool),
        task: &Task,
    ) -> Result<(), TableError> {
        row_query::sort_by_cells(self, from, rows, (key, reverse), task)
    }

    /// Filters, sorts and limits the rows.
    ///
    /// # Errors
    /// If the query is invalid for this table, or the task is cancelled.
    fn arranged<'a>(
        &'a self,
        from: TableContext<'a>,
        how: &RowQuery,
        task: &Task,
    ) -> Result<OrderedRows<'a>, TableError> {
        row_query::arrange(self, from, how, task)
    }
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

fn optional(text: Option<String>) -> Cell {
    text.map_or(Cell::Nothing, Cell::Text)
}
