//! DOM nodes that are not attached to a document, by class and retainer.

use super::rows::{Cell, Name, Row, Rows};
use crate::dump::javascript::{DETACHED, opened};
use crate::{List, RowTarget, TableContext};
use heaplens_analysis::javascript::detached::{DetachedRow, detached};
use heaplens_base::{Count, Task};
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let detached_groups = detached(opened(TableContext::of(dump))?, task)?;
    let mut rows = Vec::new();
    for of in &detached_groups {
        task.checkpoint()?;
        rows.push(group_row(of));
        rows.extend(of.holder_object.map(|holder| object_row(dump, Some("retained by"), holder)));
        rows.extend(of.first.iter().map(|&node| object_row(dump, None, node)));
    }
    let all: u64 = detached_groups.iter().map(|of| of.objects).sum();
    let summary = format!("{} detached nodes", Count(all));
    Ok(Rows::new(List::new(DETACHED, detached_groups), rows, summary))
}

fn group_row(of: &DetachedRow) -> Row {
    Row {
        depth: 0,
        name: Name::Class(of.class.as_str().into()),
        found_by: format!("{} {}", of.class, of.holder),
        cells: vec![
            Cell::words(if of.holder.is_empty() { "none" } else { &*of.holder }),
            Cell::count(of.objects),
            Cell::minor(of.shallow),
            Cell::bytes(of.retained),
        ],
        leads: of.first.first().map_or(RowTarget::None, |&node| RowTarget::Object(node)),
    }
}

fn object_row(dump: &OpenDump, by: Option<&str>, object: ObjectId) -> Row {
    let (shallow, retained) = (dump.heap.shallow(object), dump.analysis.retained(object));
    Row::object(dump, 1, by, object, vec![Cell::EMPTY, Cell::EMPTY, Cell::minor(shallow), Cell::minor(retained)])
}
