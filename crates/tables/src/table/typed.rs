//! Tables with typed columns: what a table declares, and how `dyn Table` reads it.

use std::io::{self, Write};

use crate::columns::{Column, ColumnInfo, Columns, Condition, Record, Value};
use crate::query::{RowQuery, TableError, TableResult, no_column};
use crate::{OrderedRows, RowTarget, Table, TableContext, Totals, export::diff::SideChange};
use heaplens_analysis::TextFilter;
use heaplens_base::{CHECKPOINT_EVERY, Task};
use serde::{Serializer, ser::SerializeMap};

/// A row of a table.
pub type RowOf<'a, T> = <<T as TypedTable>::Record as Record>::Row<'a>;

/// Computed rows in their default order, with typed columns. Data in the dump file is read when a row is written.
pub trait TypedTable: Send + Sync {
    /// Kind of its rows.
    type Record: Record;
    /// Columns, in output order, unless [`columns`](Self::columns) chooses them.
    const COLUMNS: Columns<Self::Record> = &[];
    /// Name of the list of rows in JSON, and true if the totals come before it.
    const LIST: (&'static str, bool) = ("rows", false);
    /// True if JSON has the measures of a row by dump: a comparison.
    const BY_DUMP: bool = false;

    /// Columns, in output order.
    fn columns(&self) -> Columns<Self::Record> {
        Self::COLUMNS
    }

    /// Number of rows.
    fn count(&self) -> usize;

    /// A row; `None` if there are fewer.
    fn row(&self, row: usize) -> Option<RowOf<'_, Self>>;

    /// True if the table may have the columns with this condition, whatever the dump.
    fn offers(&self, _condition: Condition) -> bool {
        true
    }

    /// True if the table has the columns with this condition for a dump.
    fn has(&self, from: TableContext<'_>, condition: Condition) -> bool {
        self.offers(condition) && condition.holds(from)
    }

    /// True if the row passes the filter.
    fn passes<'a>(&'a self, from: TableContext<'a>, row: RowOf<'a, Self>, filter: &TextFilter) -> bool;

    /// Object or class that a row leads to.
    fn target(&self, _row: RowOf<'_, Self>) -> RowTarget {
        RowTarget::None
    }

    /// Totals in JSON of all rows that pass the filter.
    fn totals(&self, _from: TableContext<'_>, _rows: &[u32]) -> Totals {
        Vec::new()
    }

    /// Name of the list of rows in JSON, and true if the totals come before it.
    fn list(&self) -> (&'static str, bool) {
        Self::LIST
    }

    /// Writes a row as a JSON object; it is the `nth` written row.
    fn write_row<'a>(
        &'a self,
        from: TableContext<'a>,
        row: RowOf<'a, Self>,
        _nth: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if Self::BY_DUMP {
            let (columns, cells) =
                shown(self, from).map(|(_, column)| (column.heading, column.cell(row, from))).unzip();
            return Ok(serde_json::to_writer(out, &SideChange { columns, cells })?);
        }
        write_cells(self, from, row, out)
    }

    /// Depth of each row in the default order, if rows are nested in JSON.
    fn depths(&self) -> Option<&[u32]> {
        None
    }

    /// Sorts rows by the column with a key, or reversed, as [`Column::sort`] does.
    fn sort(&self, from: TableContext<'_>, rows: &mut Vec<u32>, by: (&str, bool), task: &Task) -> TableResult {
        sort_by_column(self, from, rows, by, task)
    }

    /// Filters, sorts and limits the rows.
    fn ordered_rows<'a>(
        &'a self,
        from: TableContext<'a>,
        row_query: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let filter = row_query.row_filter()?;
        let conditions = filter.conditions(self.columns(), |when| self.has(from, when))?;
        let passes = |row: u32| {
            let passes =
                |row| conditions.are_met(row, from) && (filter.text.is_empty() || self.passes(from, row, &filter.text));
            filter.is_empty() || self.row(row as usize).is_some_and(passes)
        };
        let mut rows = Vec::new();
        for row in 0..self.count() as u32 {
            if row.is_multiple_of(CHECKPOINT_EVERY as u32 >> 6) {
                task.checkpoint()?;
            }
            if row_query.has_number(row) && passes(row) {
                rows.push(row);
            }
        }
        match &row_query.sort {
            Some(key) => self.sort(from, &mut rows, (key, row_query.reverse), task)?,
            None if row_query.reverse => rows.reverse(),
            None => {}
        }
        let (totals, expected) = (self.totals(from, &rows), rows.len() as u64);
        Ok(OrderedRows { rows: row_query.part(rows.into_iter()), totals, expected })
    }
}

/// True if a cell of text passes the filter.
pub(crate) fn any_text_passes<'a, K: Record>(
    columns: Columns<K>,
    from: TableContext<'a>,
    row: K::Row<'a>,
    filter: &TextFilter,
) -> bool {
    let passes = |cell: Value<'a>| cell.words().is_some_and(|words| filter.matches(&words));
    columns.iter().copied().flatten().any(|column| passes(column.cell(row, from)))
}

/// Columns that a table shows for a dump, with their places.
pub(crate) fn shown<'a, T: TypedTable + ?Sized>(
    table: &'a T,
    from: TableContext<'a>,
) -> impl Iterator<Item = (usize, &'static Column<T::Record>)> + use<'a, T> {
    let all = table.columns().iter().copied().flatten().enumerate();
    all.filter(move |(_, column)| table.has(from, column.heading.when))
}

/// All columns of a table, without its rows.
pub(crate) fn infos<K: Record>(columns: Columns<K>) -> Vec<ColumnInfo> {
    (0..).zip(columns.iter().copied().flatten()).map(|(index, column)| column.info(index)).collect()
}

/// Writes the cells of a row as a JSON object.
pub(super) fn write_cells<'a, T: TypedTable + ?Sized>(
    table: &T,
    from: TableContext<'a>,
    row: RowOf<'a, T>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_entries(shown(table, from).map(|(_, column)| column), from, row, out)
}

/// Writes the cells of a row in these columns as a JSON object.
pub(crate) fn write_entries<'a, K: Record>(
    columns: impl Iterator<Item = &'static Column<K>>,
    from: TableContext<'a>,
    row: K::Row<'a>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Entry by entry: a table may have as many rows as the heap has objects.
    let mut json = serde_json::Serializer::new(out);
    let mut entries = json.serialize_map(None)?;
    for column in columns {
        match column.json {
            Some(json) => entries.serialize_entry(column.heading.key, &json(row, from))?,
            None => entries.serialize_entry(column.heading.key, &column.cell(row, from))?,
        }
    }
    Ok(entries.end()?)
}

/// The column that the command line calls `key`, with its place, whether the dump has it or not.
fn named<T: TypedTable + ?Sized>(table: &T, key: &str) -> Option<(usize, &'static Column<T::Record>)> {
    let mut columns = table.columns().iter().copied().flatten().enumerate();
    columns.find(|(_, column)| column.heading.is_named(key) && table.offers(column.heading.when))
}

/// Sorts rows by the column `key`, whether the table shows it or not.
pub(crate) fn sort_by_column<T: TypedTable + ?Sized>(
    table: &T,
    from: TableContext<'_>,
    rows: &mut Vec<u32>,
    (key, reverse): (&str, bool),
    task: &Task,
) -> Result<(), TableError> {
    let Some((_, column)) = named(table, key) else {
        // The columns of every dump.
        let headings = table.columns().iter().copied().flatten().map(|column| column.heading);
        let known = headings.filter(|heading| heading.when.is_of_query() && table.offers(heading.when));
        return Err(no_column(key, &known.map(|heading| heading.key).collect::<Vec<_>>()));
    };
    Ok(column.sort(rows, |row| table.row(row), from, reverse, task)?)
}

impl<T: TypedTable + ?Sized> Table for T {
    fn columns(&self, from: TableContext<'_>) -> Vec<ColumnInfo> {
        shown(self, from).map(|(index, column)| column.info(index)).collect()
    }

    fn column(&self, key: &str) -> Option<usize> {
        named(self, key).map(|(index, _)| index)
    }

    fn count(&self) -> usize {
        TypedTable::count(self)
    }

    fn cell<'a>(&'a self, from: TableContext<'a>, row: usize, column: usize) -> Value<'a> {
        let column = TypedTable::columns(self).iter().copied().flatten().nth(column);
        column.zip(self.row(row)).map_or(Value::Null, |(column, row)| column.cell(row, from))
    }

    fn passes(&self, from: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.row(row).is_some_and(|row| TypedTable::passes(self, from, row, filter))
    }

    fn target(&self, row: usize) -> RowTarget {
        self.row(row).map_or(RowTarget::None, |row| TypedTable::target(self, row))
    }

    fn list(&self) -> (&'static str, bool) {
        TypedTable::list(self)
    }

    fn write_row(&self, from: TableContext<'_>, row: usize, nth: usize, out: &mut dyn Write) -> io::Result<()> {
        self.row(row).map_or(Ok(()), |row| TypedTable::write_row(self, from, row, nth, out))
    }

    fn depths(&self) -> Option<&[u32]> {
        TypedTable::depths(self)
    }

    fn ordered_rows<'a>(
        &'a self,
        from: TableContext<'a>,
        rows: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        TypedTable::ordered_rows(self, from, rows, task)
    }
}
