//! `findings`: what the leak search finds.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::SqlValue;
use heaplens_base::Task;
use heaplens_heap::Heap;
use heaplens_tables::ColumnKind;
use heaplens_tables::columns::{Cell, fraction};
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

fn compute(source: &QuerySource, _: &[SqlValue<'static>], task: &Task) -> Result<Vec<RowValues>, RowsError> {
    let row = |finding| {
        let row = FindingRow::from(finding);
        columns().map(|column| value(source.heap(), &row, &column)).collect()
    };
    Ok(source.findings(task)?.iter().map(row).collect())
}

fn value(heap: &Heap, row: &FindingRow, column: &FindingColumn) -> SqlValue<'static> {
    match (column.cell)(row) {
        // The text of an object is for people.
        Cell::Text(_) if column.kind == ColumnKind::Object => {
            SqlValue::of(row.holder.as_ref(), |(holder, _)| SqlValue::object(heap, *holder))
        }
        Cell::Text(text) => SqlValue::text(text),
        Cell::Count(count) => SqlValue::count(count),
        Cell::Size(bytes) => SqlValue::bytes(bytes),
        Cell::Share(share) => SqlValue::Real(fraction(share)),
        Cell::Growth(growth) => SqlValue::Integer(growth.0),
        Cell::More(more) => SqlValue::Integer(more.0),
        Cell::Integer(number) => SqlValue::Integer(number),
        Cell::Real(number) => SqlValue::Real(number),
        Cell::Change { .. } | Cell::Nothing => SqlValue::Null,
    }
}
