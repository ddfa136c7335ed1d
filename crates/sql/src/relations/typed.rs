//! The tables that commands print: the same rows under the same names of columns.

use std::sync::{Arc, Mutex, PoisonError};

use crate::relation::{Access, ColumnRole, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use crate::relations::listed::of_arguments;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_base::Task;
use heaplens_tables::columns::{ColumnInfo, Condition, Value};
use heaplens_tables::relation::Relation;
use heaplens_tables::relations::RELATIONS;
use heaplens_tables::{RowQuery, Table, TableContext};

/// Name and definition of the hidden column whose value filters the rows.
pub(crate) const FILTER: (&str, &str) =
    ("filter", "WHERE filter = 'words retained>1MB': only rows that pass the filter, as typed above a table");

/// A table of a command.
pub(crate) struct Typed {
    source: Arc<QuerySource>,
    relation: &'static Relation,
    /// Columns of the table, then the filter.
    columns: Vec<SqlColumn>,
    /// Place of each column in its table.
    indexes: Vec<usize>,
    /// The table without a filter, once computed.
    table: Mutex<Option<Arc<dyn Table>>>,
}

/// All of them: name, description, relation.
pub(crate) fn tables(source: &Arc<QuerySource>) -> Vec<(&'static str, &'static str, Arc<dyn SqlRelation>)> {
    let relation = |table: &&'static Relation| {
        let declared = table.columns.iter().filter(|column| shows(source.context(), column));
        let (mut columns, indexes): (Vec<SqlColumn>, _) =
            declared.map(|column| (declare(column), column.index)).unzip();
        columns.push(SqlColumn::shown(FILTER.0, SqlType::Text, FILTER.1).with_role(ColumnRole::Alias));
        let relation = Typed { source: Arc::clone(source), relation: table, columns, indexes, table: Mutex::default() };
        Some((table.name?, table.about, Arc::new(relation) as Arc<dyn SqlRelation>))
    };
    RELATIONS.iter().filter(|table| table.dumps.include(source.heap())).filter_map(relation).collect()
}

/// True if the dump has the column; what a command has to ask for is not in a table.
pub(crate) fn shows(dump: TableContext<'_>, column: &ColumnInfo) -> bool {
    let asked_for = matches!(
        column.heading.when,
        Condition::Owners | Condition::ClassOwners | Condition::Previews | Condition::InferredRoots
    );
    !asked_for && (column.heading.when == Condition::SortKey || column.heading.when.holds(dump))
}

fn declare(column: &ColumnInfo) -> SqlColumn {
    let role = if column.heading.when == Condition::SortKey { ColumnRole::Alias } else { ColumnRole::Shown };
    SqlColumn::of_heading(&column.heading, column.kind).with_role(role)
}

impl Typed {
    /// Place of the column that filters.
    fn filter_column(&self) -> usize {
        self.indexes.len()
    }

    /// The rows that pass a filter, by their places in the table without one.
    fn filtered(&self, filter: &str, task: &Task) -> Result<(Arc<dyn Table>, Vec<u32>), RowsError> {
        let rows = RowQuery { filter: filter.to_owned(), ..RowQuery::default() };
        let table = self.compute(&rows, task)?;
        let rows_in_order = table.ordered_rows(self.source.context(), &rows, task)?.rows.collect();
        Ok((table, rows_in_order))
    }

    fn table(&self, task: &Task) -> Result<Arc<dyn Table>, RowsError> {
        let mut known = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = &*known {
            return Ok(Arc::clone(table));
        }
        let table = self.compute(&RowQuery::default(), task)?;
        *known = Some(Arc::clone(&table));
        Ok(table)
    }

    fn compute(&self, rows: &RowQuery, task: &Task) -> Result<Arc<dyn Table>, RowsError> {
        let mut dump = self.source.context();
        if self.relation.names_objects {
            dump = dump.with_namer(self.source.namer(task)?);
        }
        Ok(self.relation.table(dump, rows, task)?)
    }
}

impl SqlRelation for Typed {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let used = of_arguments(constraints, |column| column == self.filter_column())?;
        Some(Plan { used, rows: 1_000.0, cost: 10_000.0, ..Plan::default() })
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let (source, indexes) = (Arc::clone(&self.source), self.indexes.clone());
        let mut filters = access.known.iter().map(|known| &known.value);
        let (table, rows, filter) = match filters.next() {
            None => (self.table(task)?, None, Value::Null),
            Some(Value::Text(filter)) => {
                let (table, rows) = self.filtered(filter, task)?;
                (table, Some(rows), Value::text(filter.to_string()))
            }
            Some(_) => return Err(RowsError::Message("a filter is a text: WHERE filter = 'words'".to_owned())),
        };
        Ok(Box::new(TypedRows { source, indexes, table, rows, filter, next: 0 }))
    }
}

struct TypedRows {
    source: Arc<QuerySource>,
    indexes: Vec<usize>,
    table: Arc<dyn Table>,
    /// Rows of the table to read; `None` for all.
    rows: Option<Vec<u32>>,
    /// Value of the column that filters.
    filter: Value<'static>,
    next: usize,
}

impl TypedRows {
    /// The current row of the table.
    fn row(&self) -> Option<usize> {
        let nth = self.next.checked_sub(1)?;
        self.rows.as_ref().map_or(Some(nth), |rows| rows.get(nth).map(|&row| row as usize))
    }
}

impl Rows for TypedRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.next += 1;
        Ok(self.next <= self.rows.as_ref().map_or(self.table.count(), Vec::len))
    }

    /// The place of the row in the default order, from 1: `ORDER BY rowid` is that order.
    fn number(&self) -> i64 {
        self.row().map_or(0, |row| row as i64 + 1)
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let Some(row) = self.row() else { return Ok(Value::Null) };
        let Some(&index) = self.indexes.get(column) else { return Ok(self.filter.borrowed()) };
        Ok(self.table.cell(self.source.context(), row, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_the_columns_of_its_rows() {
        for table in RELATIONS.iter().filter(|table| table.name.is_some()) {
            let keys: std::collections::BTreeSet<&str> =
                table.columns.iter().map(|column| column.heading.key).collect();
            assert!(keys.len() == table.columns.len() && !keys.contains(FILTER.0), "{table:?}: {keys:?}");
            assert!(!table.about.is_empty() && table.compute.is_some(), "{table:?}");
        }
    }
}
