//! Tables with typed columns: what a table declares, and how `dyn Table` reads it.

use std::io::{self, Write};

use crate::columns::{Column, ColumnInfo, Columns, Condition, Json, Record, Value, json};
use crate::query::{RowQuery, TableError, TableResult, no_column};
use crate::{OrderedRows, RowTarget, Table, TableContext, Totals, export::diff::SideChange};
use heaplens_analysis::TextFilter;
use heaplens_base::{CHECKPOINT_EVERY, Task};

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
    fn has(&self, dump: TableContext<'_>, condition: Condition) -> bool {
        self.offers(condition) && condition.holds(dump)
    }

    /// True if the row passes the filter.
    fn passes<'a>(&'a self, dump: TableContext<'a>, row: RowOf<'a, Self>, filter: &TextFilter) -> bool;

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
        dump: TableContext<'a>,
        row: RowOf<'a, Self>,
        nth: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if Self::BY_DUMP {
            let (columns, cells) =
                shown(self, dump).map(|(_, column)| (column.heading, column.cell(row, dump))).unzip();
            return Ok(serde_json::to_writer(out, &SideChange { columns, cells })?);
        }
        write_entries(entries(self, dump), dump, row, nth, out)
    }

    /// Depth of each row in the default order, if rows are nested in JSON.
    fn depths(&self) -> Option<&[u32]> {
        None
    }

    /// Sorts rows by the column with a key, or reversed, as [`Column::sort`] does.
    fn sort(&self, dump: TableContext<'_>, rows: &mut Vec<u32>, by: (&str, bool), task: &Task) -> TableResult {
        sort_by_column(self, dump, rows, by, task)
    }

    /// Filters, sorts and limits the rows.
    fn ordered_rows<'a>(
        &'a self,
        dump: TableContext<'a>,
        row_query: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        let filter = row_query.row_filter()?;
        let conditions = filter.conditions(self.columns(), |when| self.has(dump, when))?;
        let passes = |row: u32| {
            let passes =
                |row| conditions.are_met(row, dump) && (filter.text.is_empty() || self.passes(dump, row, &filter.text));
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
            Some(key) => self.sort(dump, &mut rows, (key, row_query.reverse), task)?,
            None if row_query.reverse => rows.reverse(),
            None => {}
        }
        let (totals, expected) = (self.totals(dump, &rows), rows.len() as u64);
        Ok(OrderedRows { rows: row_query.part(rows.into_iter()), totals, expected })
    }
}

/// True if a cell of text passes the filter.
pub(crate) fn any_text_passes<'a, K: Record>(
    columns: Columns<K>,
    dump: TableContext<'a>,
    row: K::Row<'a>,
    filter: &TextFilter,
) -> bool {
    let passes = |cell: Value<'a>| cell.words().is_some_and(|words| filter.matches(&words));
    columns.iter().copied().flatten().any(|column| passes(column.cell(row, dump)))
}

/// Columns that a table shows for a dump, with their places.
pub(crate) fn shown<'a, T: TypedTable + ?Sized>(
    table: &'a T,
    dump: TableContext<'a>,
) -> impl Iterator<Item = (usize, &'static Column<T::Record>)> + use<'a, T> {
    let all = table.columns().iter().copied().flatten().enumerate();
    all.filter(move |(_, column)| table.has(dump, column.heading.when))
}

/// All columns of a table, without its rows.
pub(crate) fn infos<K: Record>(columns: Columns<K>) -> Vec<ColumnInfo> {
    (0..).zip(columns.iter().copied().flatten()).map(|(index, column)| column.info(index)).collect()
}

/// Columns that a table writes in JSON for a dump.
pub(crate) fn entries<'a, T: TypedTable + ?Sized>(
    table: &'a T,
    dump: TableContext<'a>,
) -> impl Iterator<Item = &'static Column<T::Record>> + use<'a, T> {
    let has = move |when| when == Condition::Json || table.has(dump, when);
    let all = table.columns().iter().copied().flatten();
    all.filter(move |column| !matches!(column.json, Json::Omitted) && has(column.heading.when))
}

/// Writes the cells of a row in these columns as a JSON object; it is the `nth` written row.
pub(crate) fn write_entries<'a, K: Record>(
    columns: impl Iterator<Item = &'static Column<K>>,
    dump: TableContext<'a>,
    row: K::Row<'a>,
    nth: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Entry by entry: a table may have as many rows as the heap has objects.
    let mut separator: &[u8] = b"{";
    for column in columns {
        out.write_all(separator)?;
        json(out, &column.heading.key)?;
        out.write_all(b":")?;
        match column.json {
            Json::Written(write) => write(row, dump, nth, out)?,
            Json::Cell | Json::Omitted => json(out, &column.cell(row, dump))?,
        }
        separator = b",";
    }
    out.write_all(b"}")
}

/// The column that the command line calls `key`, with its place, whether the dump has it or not.
fn named<T: TypedTable + ?Sized>(table: &T, key: &str) -> Option<(usize, &'static Column<T::Record>)> {
    let mut columns = table.columns().iter().copied().flatten().enumerate();
    let is_named = |column: &Column<_>| column.heading.is_named(key) && column.heading.when != Condition::Json;
    columns.find(|(_, column)| is_named(column) && table.offers(column.heading.when))
}

/// Sorts rows by the column `key`, whether the table shows it or not.
pub(crate) fn sort_by_column<T: TypedTable + ?Sized>(
    table: &T,
    dump: TableContext<'_>,
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
    Ok(column.sort(rows, |row| table.row(row), dump, reverse, task)?)
}

impl<T: TypedTable + ?Sized> Table for T {
    fn columns(&self, dump: TableContext<'_>) -> Vec<ColumnInfo> {
        shown(self, dump).map(|(index, column)| column.info(index)).collect()
    }

    fn sort_keys(&self) -> Vec<ColumnInfo> {
        let all = TypedTable::columns(self).iter().copied().flatten().enumerate();
        let only_sort = all.filter(|(_, column)| column.heading.when == Condition::SortKey);
        only_sort.map(|(index, column)| column.info(index)).collect()
    }

    fn column(&self, key: &str) -> Option<usize> {
        named(self, key).map(|(index, _)| index)
    }

    fn count(&self) -> usize {
        TypedTable::count(self)
    }

    fn cell<'a>(&'a self, dump: TableContext<'a>, row: usize, column: usize) -> Value<'a> {
        let column = TypedTable::columns(self).iter().copied().flatten().nth(column);
        column.zip(self.row(row)).map_or(Value::Null, |(column, row)| column.cell(row, dump))
    }

    fn passes(&self, dump: TableContext<'_>, row: usize, filter: &TextFilter) -> bool {
        self.row(row).is_some_and(|row| TypedTable::passes(self, dump, row, filter))
    }

    fn target(&self, row: usize) -> RowTarget {
        self.row(row).map_or(RowTarget::None, |row| TypedTable::target(self, row))
    }

    fn list(&self) -> (&'static str, bool) {
        TypedTable::list(self)
    }

    fn write_row(&self, dump: TableContext<'_>, row: usize, nth: usize, out: &mut dyn Write) -> io::Result<()> {
        self.row(row).map_or(Ok(()), |row| TypedTable::write_row(self, dump, row, nth, out))
    }

    fn depths(&self) -> Option<&[u32]> {
        TypedTable::depths(self)
    }

    fn ordered_rows<'a>(
        &'a self,
        dump: TableContext<'a>,
        rows: &RowQuery,
        task: &Task,
    ) -> TableResult<OrderedRows<'a>> {
        TypedTable::ordered_rows(self, dump, rows, task)
    }
}
