//! Rows of a part of the heap by class: objects, bytes, and retained size of single objects.

use super::rows::{Cell, Name, Row};
use crate::RowTarget;
use heaplens_analysis::javascript::by_class::ClassPart;
use heaplens_base::Count;
use heaplens_session::OpenDump;

/// A class in a part of the heap, with its largest objects there.
pub fn class_rows(dump: &OpenDump, part: &ClassPart, depth: usize, rows: &mut Vec<Row>) {
    let name = &dump.heap.classes.get(part.class).name;
    rows.push(Row {
        depth,
        name: Name::Class(name.clone()),
        found_by: name.to_string(),
        cells: vec![Cell::Count(part.totals.objects), Cell::Bytes(part.totals.shallow)],
        leads: RowTarget::Class(part.class),
    });
    rows.extend(part.first.iter().map(|&object| Row {
        depth: depth + 1,
        name: Name::Object(None, object),
        found_by: name.to_string(),
        cells: vec![Cell::Empty, Cell::Size(dump.heap.shallow(object)), Cell::Size(dump.analysis.retained(object))],
        leads: RowTarget::Object(object),
    }));
    let untold = part.totals.objects - part.first.len() as u64;
    if untold > 0 {
        let words = format!("{} more that retain less", Count(untold));
        let found_by = String::new();
        rows.push(Row {
            depth: depth + 1,
            name: Name::Words(words),
            found_by,
            cells: Vec::new(),
            leads: RowTarget::None,
        });
    }
}
