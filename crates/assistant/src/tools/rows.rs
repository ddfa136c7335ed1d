//! Rows of a table as data, a page at a time.

use serde_json::Value;

use heaplens_base::Task;
use heaplens_tables::columns::Value as Cell;
use heaplens_tables::query::TableKind;
use heaplens_tables::{ColumnInfo, RowQuery, Table, TableContext};

use crate::answer::{ListPart, ToolError};

/// Maximum number of rows that a call may ask for.
pub(super) const MOST: usize = 500;

/// Rows that a call asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    /// Number of rows before them.
    pub(super) skip: usize,
    /// Number of rows.
    pub(super) top: usize,
}

impl Page {
    /// The page asked for; `default_top` rows unless the client says how many.
    pub(super) fn new(top: Option<usize>, skip: Option<usize>, default_top: usize) -> Self {
        Self { skip: skip.unwrap_or(0), top: top.unwrap_or(default_top).clamp(1, MOST) }
    }

    /// The part of `list` that `data` holds: cut to the page. `data` has one row more than the page if there are more.
    pub(super) fn part(self, data: &mut Value, key: &'static str) -> ListPart {
        let list = data.get_mut(key).and_then(Value::as_array_mut);
        let (shown, is_more) = list.map_or((0, false), |list| {
            let is_more = list.len() > self.top;
            list.truncate(self.top);
            (list.len(), is_more)
        });
        ListPart { key, skip: self.skip, total: (!is_more).then_some(self.skip.saturating_add(shown)) }
    }

    /// The page of a list of `total` rows, of which `data` holds those of the page.
    pub(super) fn part_of(self, total: usize, key: &'static str) -> ListPart {
        ListPart { key, skip: self.skip, total: Some(total) }
    }

    /// A query of these rows and the next one.
    pub(super) fn rows(self, filter: Option<String>, sort: Option<String>) -> RowQuery {
        let filter = filter.unwrap_or_default();
        RowQuery { filter, sort, skip: self.skip, top: Some(self.top + 1), ..RowQuery::default() }
    }
}

/// Rows of a kind by their columns, with the totals of the table.
pub(super) fn table_rows(
    kind: &impl TableKind,
    rows: &RowQuery,
    dump: TableContext<'_>,
    task: &Task,
) -> Result<Value, ToolError> {
    rows_of(&*kind.table(dump, rows, task)?, rows, dump, task)
}

/// Rows of a table by their columns, with its totals: as the command line writes them, if no column has a form of its
/// own in JSON.
pub(super) fn rows_of(
    table: &dyn Table,
    rows: &RowQuery,
    dump: TableContext<'_>,
    task: &Task,
) -> Result<Value, ToolError> {
    let ordered = table.ordered_rows(dump, rows, task)?;
    let columns = table.columns(dump);
    let row = |row: u32| {
        let cell = |column: &ColumnInfo| (column.heading.key, table.cell(dump, row as usize, column.index));
        object(columns.iter().map(cell))
    };
    let list = ordered.rows.map(row).collect::<Result<Vec<Value>, ToolError>>()?;
    task.checkpoint()?;
    let mut answer = object(ordered.totals.into_iter())?;
    answer[table.list().0] = Value::Array(list);
    Ok(answer)
}

/// Cells as a JSON object.
fn object<'a>(cells: impl Iterator<Item = (&'static str, Cell<'a>)>) -> Result<Value, ToolError> {
    let entry = |(key, cell): (&str, Cell<'_>)| Ok((key.to_owned(), serde_json::to_value(cell)?));
    Ok(Value::Object(cells.map(entry).collect::<Result<_, ToolError>>()?))
}
