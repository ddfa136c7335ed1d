//! Objects with a pending finalizer, by class and state.

use super::rows::{Cell, Row, Rows};
use crate::{TableContext, dump::finalizers::finalizer_table};
use heaplens_analysis::finalizers::FinalizerState;
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed objects of a class.
const LISTED: usize = 1_000;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = finalizer_table(TableContext::of(dump), task)?;
    let states = &table.rows;
    let waiting = states.iter().filter(|row| row.state == FinalizerState::Waiting).map(|row| row.objects.len());
    let waiting = waiting.sum::<usize>() as u64;
    let all = states.iter().map(|row| row.objects.len() as u64).sum();
    let mut rows = Vec::new();
    for group in states {
        let (state, objects) = (Cell::words(group.state.name()), Cell::count(group.objects.len() as u64));
        rows.push(Row::class(dump, 0, group.class, vec![state, objects, Cell::bytes(group.retained)]));
        rows.extend(group.objects.iter().take(LISTED).map(|&object| {
            let retained = Cell::bytes(dump.analysis.retained(object));
            Row::object(dump, 1, None, object, vec![Cell::EMPTY, Cell::EMPTY, retained])
        }));
    }
    let summary = format!("{} with a finalizer, {} in the queue", Count(all).of("object", "objects"), Count(waiting));
    Ok(Rows::new(table, rows, summary))
}
