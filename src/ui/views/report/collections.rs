//! Collections by class: number, fill ratio and unused capacity.

use std::sync::Arc;

use super::Kind;
use super::rows::{Cell, Name, Row, Rows};
use crate::ui::widgets::table::Column;
use heaplens_analysis::collections::CollectionRow;
use heaplens_base::task::Task;
use heaplens_base::units::{Bytes, Count};
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::Collections;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::row_target::RowTarget;
use heaplens_tables::table_query::TableKind;

/// The report.
pub(super) const COLLECTIONS: Kind = Kind {
    name: "Collections",
    columns: &[
        Column::words("Class", "Collection class", 200.0),
        Column::numbers("Objects", "Number of collections of the class", 86.0, 6),
        Column::numbers("Elements", "Total number of elements or entries", 92.0, 5),
        Column::numbers("Empty", "Collections without elements", 78.0, 4),
        Column::numbers(
            "Sparse",
            "Collections that use less than a quarter of their capacity, but are not empty",
            78.0,
            3,
        ),
        Column::numbers("Fill ratio", "Number of elements as a percentage of the capacity", 78.0, 2),
        Column::numbers("Shallow size", "Bytes of the collections and their arrays", 152.0, 1),
        Column::numbers("Wasted", "Unused capacity: bytes of array slots without an element", 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No collections", "The dump contains no collections of a known class"),
    keys: &["class", "objects", "elements", "empty", "sparse", "fill_ratio", "shallow_bytes", "wasted_bytes"],
    subject: Some(TableKind::Collections),
    make,
};

fn make(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = Collections::of(TableContext::of(dump), task)?;
    let found = &table.0;
    let objects = Count(found.iter().map(|(_, row)| row.objects).sum());
    let wasted: Bytes = found.iter().map(|(_, row)| row.wasted).sum();
    let rows = found.iter().map(|&(class, ref row)| Row {
        depth: 0,
        name: Name::Class(dump.heap.classes.get(class).name.clone()),
        found_by: dump.heap.classes.get(class).name.to_string(),
        cells: cells(row),
        leads: RowTarget::ToClass(class),
    });
    let (rows, summary) =
        (rows.collect(), format!("{} · {wasted} unused capacity", objects.of("collection", "collections")));
    Ok(Rows::new(Arc::new(table), rows, summary))
}

fn cells(row: &CollectionRow) -> Vec<Cell> {
    vec![
        Cell::Count(row.objects),
        Cell::Count(row.elements),
        Cell::Count(row.empty),
        Cell::Count(row.sparse),
        row.fill_ratio().map_or(Cell::Empty, Cell::Share),
        Cell::Bytes(row.shallow),
        Cell::Bytes(row.wasted),
    ]
}
