//! Tables and functions whose rows are computed together.

use std::sync::{Arc, Mutex, PoisonError};

use crate::relation::{
    Access, ColumnRole, Comparison, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation,
};
use crate::source::QuerySource;
use heaplens_base::Task;
use heaplens_tables::Table;
use heaplens_tables::columns::{ColumnInfo, Value};

/// Values of a row, by column; columns past the end are null.
pub(crate) type RowValues = Vec<Value<'static>>;

/// Computes the rows; the values of the arguments are in the order of their columns.
pub(crate) type Compute = fn(&QuerySource, &[Value<'static>], &Task) -> Result<Vec<RowValues>, RowsError>;

/// The same, for one that knows more than a dump.
type Computing = dyn Fn(&QuerySource, &[Value<'static>], &Task) -> Result<Vec<RowValues>, RowsError> + Send + Sync;

/// A table or function whose rows are a list.
pub(crate) struct Listed {
    source: Arc<QuerySource>,
    columns: Vec<SqlColumn>,
    compute: Box<Computing>,
    /// Rows of a table, which are the same for every query.
    known: Mutex<Option<Arc<Vec<RowValues>>>>,
}

/// Rows of a table that commands print, in these of its columns.
pub(crate) fn table_rows(
    source: &QuerySource,
    table: &dyn Table,
    columns: &[ColumnInfo],
    task: &Task,
) -> Result<Vec<RowValues>, RowsError> {
    let mut rows = Vec::with_capacity(table.count());
    for row in 0..table.count() {
        task.checkpoint_at(row)?;
        let value = |column: &ColumnInfo| table.cell(source.context(), row, column.index).into_static();
        rows.push(columns.iter().map(value).collect());
    }
    Ok(rows)
}

impl Listed {
    pub(crate) fn new(
        source: Arc<QuerySource>,
        columns: Vec<SqlColumn>,
        compute: impl Fn(&QuerySource, &[Value<'static>], &Task) -> Result<Vec<RowValues>, RowsError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { source, columns, compute: Box::new(compute), known: Mutex::default() }
    }

    /// Places of the columns that are arguments.
    fn arguments(&self) -> impl Iterator<Item = usize> + '_ {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| column.role == ColumnRole::Argument).map(|(at, _)| at)
    }

    /// Rows for some values of the arguments; those of a table are kept.
    fn compute(&self, arguments: &[Value<'static>], task: &Task) -> Result<Arc<Vec<RowValues>>, RowsError> {
        if !arguments.is_empty() {
            return Ok(Arc::new((self.compute)(&self.source, arguments, task)?));
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = &*known {
            return Ok(Arc::clone(rows));
        }
        let rows = Arc::new((self.compute)(&self.source, arguments, task)?);
        *known = Some(Arc::clone(&rows));
        Ok(rows)
    }
}

/// Conditions that give the arguments their values: all that are asked for must be usable.
pub(crate) fn of_arguments(constraints: &[Constraint], is_argument: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let of_argument = |constraints: &Constraint| constraints.by == Comparison::Equal && is_argument(constraints.column);
    let used: Vec<usize> = (0..constraints.len()).filter(|&at| of_argument(&constraints[at])).collect();
    used.iter().all(|&at| constraints[at].is_usable).then_some(used)
}

impl SqlRelation for Listed {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let used = of_arguments(constraints, |column| self.arguments().any(|argument| argument == column))?;
        Some(Plan { used, rows: 100.0, cost: 1_000.0, ..Plan::default() })
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let value = |column: usize| access.known.iter().find(|known| known.column == column);
        let arguments: Vec<Value<'static>> =
            self.arguments().map(|column| value(column).map_or(Value::Null, |known| known.value.clone())).collect();
        // A function of SQL's NULL has no rows.
        let is_null = |column: usize| value(column).is_some_and(|known| matches!(known.value, Value::Null));
        let rows = if self.arguments().any(is_null) { Arc::default() } else { self.compute(&arguments, task)? };
        let first = self.arguments().next().unwrap_or(self.columns.len());
        Ok(Box::new(ListedRows { rows, arguments, first, next: 0 }))
    }
}

struct ListedRows {
    rows: Arc<Vec<RowValues>>,
    arguments: Vec<Value<'static>>,
    /// Place of the first argument: arguments are the last columns.
    first: usize,
    next: usize,
}

impl Rows for ListedRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.next += 1;
        Ok(self.next <= self.rows.len())
    }

    fn number(&self) -> i64 {
        self.next as i64
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let value = match column.checked_sub(self.first) {
            Some(argument) => self.arguments.get(argument),
            None => self.next.checked_sub(1).and_then(|row| self.rows.get(row)?.get(column)),
        };
        Ok(value.map_or(Value::Null, Value::borrowed))
    }
}
