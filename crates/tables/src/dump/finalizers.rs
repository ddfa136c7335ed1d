//! Objects with a pending finalizer, by class.

use std::sync::Arc;

use crate::columns::{Columns, Item, Value, heading, headings};
use crate::relation::{Relation, relation};
use crate::{Job, List, TableContext, TableError};
use heaplens_analysis::finalizers::{FinalizerRow, FinalizersQuestion};
use heaplens_base::Task;

pub(crate) const COLUMNS: Columns<Item<FinalizerRow>> = &[&[
    headings::CLASS.text(|row, dump| dump.class_name(row.class)),
    heading("state", "State", "running: finalizer executes; waiting: queued for finalization; registered: still alive")
        .text(|row, _| Some(row.state.name().into())),
    headings::OBJECTS.count(|row, _| Some(row.objects.len() as u64)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
]];

/// Objects with a pending finalizer, by class.
pub const FINALIZERS: Relation = relation!("finalizers", COLUMNS)
    .named("finalizers", "Objects that wait for their finalizer")
    .with_help(Job::Dump.more(), "List objects with a pending finalizer, by class")
    .computed("Finalizers", |dump, _, task| Ok(Arc::new(finalizer_table(dump, task)?)));

/// Running, waiting, then registered finalizers.
pub(crate) fn finalizer_table(dump: TableContext<'_>, task: &Task) -> Result<List<FinalizerRow>, TableError> {
    let rows = Arc::unwrap_or_clone(dump.answer(&FinalizersQuestion, task)?);
    let objects = |rows: &[&FinalizerRow]| rows.iter().map(|row| row.objects.len() as u64).sum();
    Ok(List::new(COLUMNS, rows)
        .with_filter(|row, dump, filter| filter.matches(&dump.heap.classes.get(row.class).name))
        .with_totals(move |rows| vec![("objects", Value::Count(objects(rows)))]))
}
