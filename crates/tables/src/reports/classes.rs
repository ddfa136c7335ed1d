//! Histogram by class; in a comparison, with the changes since the baseline.

use super::baseline_classes::BaselineClasses;
use super::rows::Rows;
use crate::dump::classes::CHANGES;
use crate::relation::{column_of, infos};
use crate::{Classes, ColumnInfo, TableContext};
use heaplens_analysis::class_owners::limit;
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows, of one Android heap if it is given, or with owners.
pub fn rows(dump: &OpenDump, heap: Option<&str>, owners: bool, task: &Task) -> Result<Rows, JobError> {
    let table = Classes::of(TableContext::of(dump), heap, owners, task)?;
    let before = BaselineClasses::of(dump);
    let removed = before.as_ref().filter(|_| heap.is_none()).map_or(0, BaselineClasses::removed_classes);
    let table = match &before {
        // Baseline figures are only known for all heaps together.
        Some(before) => table.compared(|class| if heap.is_none() { before.class(class) } else { None }),
        None => table,
    };
    let limit = if owners && heap.is_none() { limit(&dump.heap) } else { None };
    let mut rows = of_table(table, removed);
    rows.summary = limit.map_or_else(|| rows.summary.clone(), |limit| format!("{} · {limit}", rows.summary));
    Ok(rows)
}

/// Report of a histogram whose baseline has so many more classes.
pub fn of_table(table: Classes, removed: u64) -> Rows {
    let (objects, shallow) = (table.histogram.objects, table.histogram.shallow);
    let summary = format!("{} · {shallow}", Count(objects).of("object", "objects"));
    let found_by = table.names_of_owners().collect();
    let mut rows = Rows::of_table(table, summary).found_by(found_by);
    (rows.counted, rows.total, rows.removed) = (Some(("class", "classes")), Some(shallow), removed);
    rows.tied_by_name = &TIED_BY_NAME;
    rows
}

/// Keys of the columns in whose order equal classes are sorted by name, as the command does.
const TIED_BY_NAME: [&str; 6] =
    ["objects", "shallow_bytes", "retained_bytes", "delta_objects", "delta_shallow_bytes", "delta_retained_bytes"];

/// Column of a change since the baseline.
///
/// # Panics
/// If there is none with this key: in a constant, that is an error of the compiler.
pub const fn change(key: &str) -> ColumnInfo {
    const COLUMNS: [ColumnInfo; CHANGES.len()] = infos(&[CHANGES]);
    column_of(&COLUMNS, key)
}
