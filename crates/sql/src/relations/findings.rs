//! `findings`: what the leak search finds.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use heaplens_base::Task;
use heaplens_heap::Heap;
use heaplens_tables::ColumnKind;
use heaplens_tables::columns::Value;
use heaplens_tables::export::leaks::{self, FindingColumn, FindingRow};

/// Columns of the table: those of the command `leaks` without growth, as there is no baseline.
fn columns() -> impl Iterator<Item = FindingColumn> {
    leaks::COLUMNS.into_iter().filter(|column| !column.heading.key.starts_with("growth_"))
}

/// The table.
pub(crate) fn table(source: Arc<QuerySource>) -> Listed {
    let declared = columns().map(|column| SqlColumn::of_heading(&column.heading, column.kind));
    Listed::new(source, declared.collect(), compute)
}

fn compute(source: &QuerySource, _: &[Value<'static>], task: &Task) -> Result<Vec<RowValues>, RowsError> {
    let row = |finding| {
        let row = FindingRow::from(finding);
        columns().map(|column| value(source.heap(), &row, &column)).collect()
    };
    Ok(source.findings(task)?.iter().map(row).collect())
}

fn value(heap: &Heap, row: &FindingRow, column: &FindingColumn) -> Value<'static> {
    match (column.cell)(row) {
        // The text of an object is for people.
        Value::Text(_) if column.kind == ColumnKind::Object => {
            Value::optional(row.holder.as_ref(), |(holder, _)| Value::object(heap, *holder))
        }
        value => value,
    }
}
