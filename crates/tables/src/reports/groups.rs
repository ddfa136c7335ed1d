//! Histogram by package, class loader or superclass, with the classes of each group.

use super::baseline_classes::BaselineClasses;
use super::rows::{Cell, Name, Row, Rows};
use crate::RowTarget;
use crate::TableContext;
use crate::dump::groups::group_table;
use heaplens_analysis::{GroupBy, diff::Change, grouping::GroupRow};
use heaplens_base::{Count, Task};
use heaplens_heap::ClassId;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, by: GroupBy, task: &Task) -> Result<Rows, JobError> {
    let table = group_table(TableContext::of(dump), by, task)?;
    let table_rows = &table.rows;
    let before = BaselineClasses::of(dump);
    let groups = before.as_ref().map(|before| before.groups(by, task)).transpose()?;
    let mut rows = Vec::new();
    let summary = Count(table_rows.len() as u64).of("group", "groups");
    for group in table_rows {
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
    Ok(Rows::new(table, rows, summary))
}

/// Adds the change since the baseline to a row; empty if it cannot be matched.
fn compared_row(mut row: Row, change: Option<Change>) -> Row {
    row.cells.extend(match change {
        None => [Cell::EMPTY, Cell::EMPTY, Cell::EMPTY],
        Some(change) => {
            let (shallow, retained) = (Cell::byte_delta(change.shallow()), Cell::byte_delta(change.retained()));
            [Cell::count_delta(change.objects()), shallow, retained]
        }
    });
    row
}

fn group_row(group: &GroupRow) -> Row {
    let (classes, objects) = (Cell::count(group.members.len() as u64), Cell::count(group.objects));
    let cells = vec![classes, objects, Cell::bytes(group.shallow), Cell::bytes(group.retained)];
    let leads = group.object.map_or(RowTarget::None, RowTarget::Object);
    Row { leads, name: Name::Qualified(group.name.clone()), ..Row::words(0, &*group.name, cells) }
}

fn class_row(dump: &OpenDump, class: ClassId) -> Row {
    let (totals, retained) = (dump.analysis.class_totals(class), dump.analysis.class_retained(class));
    let (objects, shallow) = (Cell::count(totals.objects), Cell::bytes(totals.shallow));
    Row::class(dump, 1, class, vec![Cell::EMPTY, objects, shallow, Cell::bytes(retained)])
}
