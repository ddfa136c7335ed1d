//! The memory of the process in parts, with what holds each below it.

use super::rows::{Cell, Row, Rows};
use crate::TableContext;
use crate::columns::Value;
use crate::dump::process::{PartRow, process_table};
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};

/// Maximum number of owners of a part.
const OWNERS: usize = 100;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let (memory, table) = process_table(TableContext::of(dump), task)?;
    let rows = table.rows.iter().flat_map(|row| {
        let owners = memory.owners.iter().filter(|owner| row.part.kind.has(owner));
        std::iter::once(part_row(row)).chain(owners.take(OWNERS).map(|owner| owner_row(dump, owner)))
    });
    let rows = rows.collect();
    let summary = "Below a part: what holds memory in it".to_owned();
    let mut rows = Rows::new(table, rows, summary);
    rows.total = memory.resident;
    Ok(rows)
}

fn part_row(row: &PartRow) -> Row {
    let part = &row.part;
    let share = row.share.map_or(Value::Null, Value::Share);
    let cells = vec![
        Cell::bytes(part.bytes),
        share.into(),
        Value::text(part.basis.name()).into(),
        part.count.map_or(Cell::EMPTY, Cell::count),
        Value::text(part.holder.clone().unwrap_or_default()).into(),
        Value::text(part.about.clone()).into(),
    ];
    Row { found_by: format!("{} {}", part.title(), part.kind.name()), ..Row::words(0, part.title().to_owned(), cells) }
}

fn owner_row(dump: &OpenDump, owner: &NativeOwner) -> Row {
    let cells = vec![Cell::bytes(owner.bytes), Cell::EMPTY, Cell::EMPTY, Cell::count(owner.objects)];
    Row::object(dump, 1, owner.name.as_deref(), owner.object, cells)
}
