//! Objects with a pending finalizer, by class and state.

use std::sync::Arc;

use super::rows::{Cell, Name, Row, Rows};
use crate::dump::finalizers::finalizer_table;
use crate::{RowTarget, TableContext};
use heaplens_analysis::finalizers::FinalizerState;
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed objects of a class.
const LISTED: usize = 1_000;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = finalizer_table(TableContext::of(dump), task)?;
    let found = &table.rows;
    let waiting = found.iter().filter(|row| row.state == FinalizerState::Waiting).map(|row| row.objects.len());
    let waiting = waiting.sum::<usize>() as u64;
    let all = found.iter().map(|row| row.objects.len() as u64).sum();
    let mut rows = Vec::new();
    for group in found {
        let name = &dump.heap.classes.get(group.class).name;
        rows.push(Row {
            depth: 0,
            name: Name::Class(name.clone()),
            found_by: name.to_string(),
            cells: vec![
                Cell::Words(group.state.name().into()),
                Cell::Count(group.objects.len() as u64),
                Cell::Bytes(group.retained),
            ],
            leads: RowTarget::Class(group.class),
        });
        rows.extend(group.objects.iter().copied().take(LISTED).map(|object| Row {
            depth: 1,
            name: Name::Object(None, object),
            found_by: name.to_string(),
            cells: vec![Cell::Empty, Cell::Empty, Cell::Bytes(dump.analysis.retained(object))],
            leads: RowTarget::Object(object),
        }));
    }
    let summary = format!("{} with a finalizer, {} in the queue", Count(all).of("object", "objects"), Count(waiting));
    Ok(Rows::new(Arc::new(table), rows, summary))
}
