//! The memory of the process in parts, with what holds each below it.

use super::rows::{Cell, Row, Rows};
use crate::columns::Value;
use crate::dump::process::{PartRow, parts_table};
use heaplens_analysis::native_owners::NativeOwner;
use heaplens_analysis::process::{ProcessMemory, ProcessQuestion};
use heaplens_base::{ByteDelta, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of owners of a part.
const OWNERS: usize = 100;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let memory = dump.answer(&ProcessQuestion, task)?;
    Ok(rows_of(dump, &memory, None))
}

/// Computes the rows beside those of the baseline; without one, as [`rows`].
pub fn compared_rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let Some(pair) = dump.pair() else { return rows(dump, task) };
    let before = pair.before.answer(&ProcessQuestion, task)?;
    Ok(rows_of(dump, &*pair.after.answer(&ProcessQuestion, task)?, Some(&before)))
}

fn rows_of(dump: &OpenDump, memory: &ProcessMemory, before: Option<&ProcessMemory>) -> Rows {
    let table = parts_table(memory, before);
    let rows = table.rows.iter().flat_map(|row| {
        let owners = memory.owners.iter().filter(|owner| row.part.kind.has(owner));
        let owner = |owner| owner_row(dump, owner, before.is_some());
        std::iter::once(part_row(row)).chain(owners.take(OWNERS).map(owner))
    });
    let rows = rows.collect();
    let summary = "Below a part: what holds memory in it".to_owned();
    let mut rows = Rows::new(table, rows, summary);
    rows.total = memory.resident;
    rows
}

fn part_row(row: &PartRow) -> Row {
    let part = &row.part;
    let share = row.share.map_or(Value::Null, Value::Share);
    let mut cells = vec![Cell::bytes(part.bytes)];
    if let Some(before) = row.before {
        cells.extend([Cell::minor(before), Cell::byte_delta(ByteDelta::between(before, part.bytes))]);
    }
    cells.extend([
        share.into(),
        Value::text(part.basis.name()).into(),
        part.count.map_or(Cell::EMPTY, Cell::count),
        Value::text(part.holder.clone().unwrap_or_default()).into(),
        Value::text(part.about.clone()).into(),
    ]);
    Row { found_by: format!("{} {}", part.title(), part.kind.name()), ..Row::words(0, part.title().to_owned(), cells) }
}

fn owner_row(dump: &OpenDump, owner: &NativeOwner, is_compared: bool) -> Row {
    let mut cells = vec![if owner.kind.has_bytes() { Cell::bytes(owner.bytes) } else { Cell::EMPTY }];
    if is_compared {
        cells.extend([Cell::EMPTY, Cell::EMPTY]);
    }
    cells.extend([Cell::EMPTY, Cell::EMPTY, Cell::count(owner.objects)]);
    Row::object(dump, 1, owner.name.as_deref(), owner.object, cells)
}
