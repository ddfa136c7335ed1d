//! Histogram by package, class loader or superclass, with the classes of each group.

use std::sync::Arc;

use super::baseline_classes::BaselineClasses;
use super::rows::{Cell, Name, Row, Rows};
use crate::dump::groups::group_table;
use crate::{RowTarget, TableContext};
use heaplens_analysis::GroupBy;
use heaplens_analysis::diff::Change;
use heaplens_analysis::grouping::GroupRow;
use heaplens_base::{Count, Task};
use heaplens_core::heap::ClassId;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, by: GroupBy, task: &Task) -> Result<Rows, JobError> {
    let table = group_table(TableContext::of(dump), by, task)?;
    let found = &table.rows;
    let before = BaselineClasses::of(dump);
    let groups = before.as_ref().map(|before| before.groups(by, task)).transpose()?;
    let mut rows = Vec::new();
    let summary = Count(found.len() as u64).of("group", "groups");
    for group in found {
        task.checkpoint()?;
        let mut members = group.members.clone();
        members.sort_by_key(|&class| (std::cmp::Reverse(dump.analysis.class_totals(class).shallow), class));
        let row = group_row(group);
        rows.push(match &groups {
            Some(groups) => compared_row(row, groups.of(group)),
            None => row,
        });
        rows.extend(members.into_iter().map(|class| match &before {
            Some(before) => compared_row(class_row(dump, class), before.class(class)),
            None => class_row(dump, class),
        }));
    }
    Ok(Rows::new(Arc::new(table), rows, summary))
}

/// Adds the change since the baseline to a row; empty if it cannot be matched.
fn compared_row(mut row: Row, change: Option<Change>) -> Row {
    row.cells.extend(match change {
        None => [Cell::Empty, Cell::Empty, Cell::Empty],
        Some(change) => {
            let (shallow, retained) = (Cell::GrownBy(change.shallow()), Cell::GrownBy(change.retained()));
            [Cell::More(change.objects()), shallow, retained]
        }
    });
    row
}

fn group_row(group: &GroupRow) -> Row {
    Row {
        depth: 0,
        found_by: group.name.clone(),
        cells: vec![
            Cell::Count(group.members.len() as u64),
            Cell::Count(group.objects),
            Cell::Bytes(group.shallow),
            Cell::Bytes(group.retained),
        ],
        leads: group.object.map_or(RowTarget::None, RowTarget::Object),
        name: Name::Words(group.name.clone()),
    }
}

fn class_row(dump: &OpenDump, class: ClassId) -> Row {
    let (name, totals) = (&dump.heap.classes.get(class).name, dump.analysis.class_totals(class));
    Row {
        depth: 1,
        name: Name::Class(name.clone()),
        found_by: name.to_string(),
        cells: vec![
            Cell::Empty,
            Cell::Count(totals.objects),
            Cell::Bytes(totals.shallow),
            Cell::Bytes(dump.analysis.class_retained(class)),
        ],
        leads: RowTarget::Class(class),
    }
}
