//! GC roots by kind, with the largest of each kind below it.

use std::sync::Arc;

use super::rows::{Cell, Name, Row, Rows};
use crate::dump::roots::root_table;
use crate::{RowTarget, TableContext};
use heaplens_base::{Count, Task};
use heaplens_core::heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed roots of a kind.
const LISTED: usize = 1_000;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let analysis = &dump.analysis;
    let table = root_table(TableContext::of(dump));
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for kind in &table.rows {
        task.checkpoint()?;
        all.extend_from_slice(&kind.objects);
        rows.push(Row {
            depth: 0,
            name: Name::Words(kind.kind.name().to_owned()),
            found_by: kind.kind.name().to_owned(),
            cells: vec![Cell::Count(kind.objects.len() as u64), Cell::Bytes(kind.retained)],
            leads: RowTarget::None,
        });
        let mut biggest = kind.objects.clone();
        biggest.sort_by_key(|&object| (std::cmp::Reverse(analysis.retained(object)), object));
        let more = biggest.len().saturating_sub(LISTED);
        biggest.truncate(LISTED);
        rows.extend(biggest.into_iter().map(|object| root_row(dump, object)));
        if more > 0 {
            rows.push(Row {
                depth: 1,
                name: Name::Words(format!("{} smaller roots", Count(more as u64))),
                found_by: String::new(),
                cells: Vec::new(),
                leads: RowTarget::None,
            });
        }
    }
    let counted = all.len();
    all.sort_unstable();
    all.dedup();
    let several = if all.len() < counted { ", some of several types" } else { "" };
    let summary = format!("{}{several}", Count(counted as u64).of("root", "roots"));
    Ok(Rows::new(Arc::new(table), rows, summary))
}

fn root_row(dump: &OpenDump, object: ObjectId) -> Row {
    Row {
        depth: 1,
        name: Name::Object(None, object),
        found_by: dump.heap.class(object).name.to_string(),
        cells: vec![Cell::Empty, Cell::Bytes(dump.analysis.retained(object))],
        leads: RowTarget::Object(object),
    }
}
