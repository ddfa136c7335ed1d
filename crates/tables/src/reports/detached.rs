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
    let detached_groups = detached(opened(TableContext::of(dump))?, Some(dump.namer(task)?), task)?;
    let mut rows = Vec::new();
    for of in &detached_groups {
        task.checkpoint()?;
        rows.push(group_row(of));
        let holder = of.holder_object;
        rows.extend(holder.map(|holder| Row::related(dump, 1, "retained by", holder, sizes(dump, holder))));
        rows.extend(of.first.iter().map(|&node| Row::object(dump, 1, None, node, sizes(dump, node))));
    }
    let all: u64 = detached_groups.iter().map(|of| of.objects).sum();
    let summary = format!("{} detached nodes", Count(all));
    Ok(Rows::new(List::new(DETACHED, detached_groups), rows, summary))
}

fn group_row(of: &DetachedRow) -> Row {
    Row {
        depth: 0,
        name: if of.holder.is_empty() {
            Name::Class(of.class.as_str().into())
        } else {
            Name::Held(of.holder.as_str().into(), of.class.as_str().into())
        },
        found_by: format!("{} {}", of.class, of.holder),
        cells: vec![Cell::count(of.objects), Cell::minor(of.shallow), Cell::bytes(of.retained)],
        leads: of.first.first().map_or(RowTarget::None, |&node| RowTarget::Object(node)),
    }
}

fn sizes(dump: &OpenDump, object: ObjectId) -> Vec<Cell> {
    vec![Cell::EMPTY, Cell::minor(dump.heap.shallow(object)), Cell::minor(dump.analysis.retained(object))]
}
