//! Collections by class: number, fill ratio and unused capacity.

use std::sync::Arc;

use super::rows::{Cell, Name, Row, Rows};
use crate::dump::collections::collection_table;
use crate::{RowTarget, TableContext};
use heaplens_analysis::collections::CollectionRow;
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
///
/// # Errors
/// If the task is cancelled.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = collection_table(TableContext::of(dump), task)?;
    let found = &table.rows;
    let objects = Count(found.iter().map(|(_, row)| row.objects).sum());
    let wasted: Bytes = found.iter().map(|(_, row)| row.wasted).sum();
    let rows = found.iter().map(|&(class, ref row)| Row {
        depth: 0,
        name: Name::Class(dump.heap.classes.get(class).name.clone()),
        found_by: dump.heap.classes.get(class).name.to_string(),
        cells: cells(row),
        leads: RowTarget::Class(class),
    });
    let (rows, summary) =
        (rows.collect(), format!("{} · {wasted} unused capacity", objects.of("collection", "collections")));
    Ok(Rows::new(Arc::new(table), rows, summary))
}

fn cells(row: &CollectionRow) -> Vec<Cell> {
    vec![
        Cell::Count(row.objects),
        Cell::Count(row.elements),
        Cell::Count(row.empty),
        Cell::Count(row.sparse),
        row.fill_ratio().map_or(Cell::Empty, Cell::Share),
        Cell::Bytes(row.shallow),
        Cell::Bytes(row.wasted),
    ]
}
