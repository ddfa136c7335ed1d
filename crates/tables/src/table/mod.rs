//! What a table is: columns and rows of one kind, and how its requested rows are written.

mod context;
mod list;
mod row_target;
mod typed;
mod write;

pub use context::TableContext;
pub use list::{List, Passes};
pub use row_target::RowTarget;
pub use typed::{RowOf, TypedTable};
pub(crate) use typed::{any_text_passes, entries, infos, sort_by_column, write_entries};
pub(crate) use write::not_html;
pub use write::{OutputForm, write, write_list};

use std::io::{self, Write};

use crate::columns::{ColumnInfo, Value};
use crate::query::{RowQuery, TableResult};
use heaplens_analysis::TextFilter;
use heaplens_base::Task;

/// Totals of the rows of a table, by key.
pub type Totals = Vec<(&'static str, Value<'static>)>;

/// A table of any kind of rows: a [`TypedTable`] for its writers and the window.
pub trait Table: Send + Sync {
    /// Columns of the table for this dump, in output order.
    fn columns(&self, dump: TableContext<'_>) -> Vec<ColumnInfo>;

    /// Columns that only sort: no form of output has them.
    fn sort_keys(&self) -> Vec<ColumnInfo>;

    /// Place of a column by key, whether this dump has it or not.
    fn column(&self, key: &str) -> Option<usize>;

    /// Number of rows.
    fn count(&self) -> usize;

    /// Value of a row in the column at a place.
    fn cell<'a>(&'a self, dump: TableContext<'a>, row: usize, column: usize) -> Value<'a>;

    /// True if the row passes the filter.
    fn passes(&self, dump: TableContext<'_>, row: usize, filter: &TextFilter) -> bool;

    /// Object or class that a row leads to.
    fn target(&self, row: usize) -> RowTarget;

    /// Name of the list of rows in JSON, and true if the totals come before it.
    fn list(&self) -> (&'static str, bool);

    /// Writes a row as a JSON object; it is the `nth` written row.
    fn write_row(&self, dump: TableContext<'_>, row: usize, nth: usize, out: &mut dyn Write) -> io::Result<()>;

    /// Depth of each row in the default order, if rows are nested in JSON.
    fn depths(&self) -> Option<&[u32]>;

    /// Filters, sorts and limits the rows.
    fn ordered_rows<'a>(&'a self, dump: TableContext<'a>, rows: &RowQuery, task: &Task)
    -> TableResult<OrderedRows<'a>>;
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
