//! Tables of rows that are held in memory, not of a dump.

use std::sync::Arc;

use crate::relation::{Access, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use heaplens_base::Task;
use heaplens_tables::columns::Value;

/// Rows of a table.
pub trait RowSource: Send + Sync {
    /// Columns in the order of their places.
    fn columns(&self) -> &[SqlColumn];

    /// Number of rows.
    fn count(&self) -> usize;

    /// Value of a row in a column; null past the end.
    fn value(&self, row: usize, column: usize) -> Value<'_>;
}

/// The table of a source.
pub(crate) struct HeldRows(pub(crate) Arc<dyn RowSource>);

impl SqlRelation for HeldRows {
    fn columns(&self) -> &[SqlColumn] {
        self.0.columns()
    }

    fn plan(&self, _asked: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let rows = self.0.count() as f64;
        Some(Plan { rows, cost: rows, ..Plan::default() })
    }

    fn rows(&self, _access: &Access, _task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        Ok(Box::new(Cursor { source: Arc::clone(&self.0), next: 0 }))
    }
}

struct Cursor {
    source: Arc<dyn RowSource>,
    next: usize,
}

impl Rows for Cursor {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.next += 1;
        Ok(self.next <= self.source.count())
    }

    fn number(&self) -> i64 {
        self.next as i64
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        Ok(self.next.checked_sub(1).map_or(Value::Null, |row| self.source.value(row, column)))
    }
}
