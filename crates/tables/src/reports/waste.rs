//! Wasted memory by kind, with the objects that waste the most.

use super::rows::{Cell, Row, Rows};
use crate::{TableContext, dump::waste::waste_table};
use heaplens_analysis::waste::WasteRow;
use heaplens_base::Task;
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = waste_table(TableContext::of(dump), task)?;
    let rows = table.rows.iter().flat_map(|row| {
        let examples = row.examples.iter().map(|&object| {
            Row::object(dump, 1, None, object, vec![Cell::EMPTY, Cell::bytes(dump.heap.shallow(object))])
        });
        std::iter::once(kind_row(row)).chain(examples)
    });
    let rows = rows.collect();
    Ok(Rows::new(table, rows, "An object may count for several kinds".to_owned()))
}

fn kind_row(row: &WasteRow) -> Row {
    let found_by = format!("{} {}", row.kind.title(), row.kind.key());
    let cells = vec![Cell::count(row.objects), Cell::bytes(row.wasted)];
    Row { found_by, ..Row::words(0, row.kind.title(), cells) }
}
