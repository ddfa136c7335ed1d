//! Collections by class: how many there are, how full, what their unused room
//! takes.

use std::sync::Arc;

use super::Kind;
use super::rows::{Cell, Leads, Name, Row, Rows};
use crate::analysis::collections::CollectionRow;
use crate::session::jobs::JobError;
use crate::tables::Collections;
use crate::tables::request::Subject;
use crate::task::Task;
use crate::ui::view_context::Answers;
use crate::ui::widgets::table::Column;
use crate::units::{Bytes, Count};

/// The report.
pub(super) const COLLECTIONS: Kind = Kind {
    name: "Collections",
    columns: &[
        Column::words("Class", "A class of collections", 200.0),
        Column::numbers("Objects", "How many there are", 86.0, 6),
        Column::numbers("Elements", "How many elements or entries they hold together", 92.0, 5),
        Column::numbers("Empty", "Those that hold nothing", 78.0, 4),
        Column::numbers("Sparse", "Those that hold something in less than a quarter of their room", 78.0, 3),
        Column::numbers("Filled", "Elements as a part of the room their arrays have", 78.0, 2),
        Column::numbers("Shallow size", "The collections and their arrays", 152.0, 1),
        Column::numbers("Wasted", "Bytes of their arrays that nothing is in", 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No collections", "No object is of a class of collections that is known"),
    keys: &["class", "objects", "elements", "empty", "sparse", "fill_ratio", "shallow_bytes", "wasted_bytes"],
    subject: Some(Subject::Collections),
    make,
};

fn make(answers: &Answers, task: &Task) -> Result<Rows, JobError> {
    let table = Collections::of(answers.dictionary(), task)?;
    let found = &table.0;
    let objects = Count(found.iter().map(|(_, row)| row.objects).sum());
    let wasted: Bytes = found.iter().map(|(_, row)| row.wasted).sum();
    let rows = found.iter().map(|&(class, ref row)| Row {
        depth: 0,
        name: Name::Class(answers.heap.classes.get(class).name.clone()),
        found_by: answers.heap.classes.get(class).name.to_string(),
        cells: cells(row),
        leads: Leads::ToClass(class),
    });
    let (rows, summary) =
        (rows.collect(), format!("{} · {wasted} of room that nothing is in", objects.of("collection", "collections")));
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
