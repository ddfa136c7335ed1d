//! Collections by class: number, fill ratio and unused capacity.

use super::rows::Rows;
use crate::{TableContext, dump::collections::collection_table};
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = collection_table(TableContext::of(dump), task)?;
    let kinds = &table.rows;
    let objects = Count(kinds.iter().map(|(_, row)| row.objects).sum());
    let wasted: Bytes = kinds.iter().map(|(_, row)| row.wasted).sum();
    let summary = format!("{} · {wasted} unused capacity", objects.of("collection", "collections"));
    Ok(Rows::of_table(table, summary))
}
