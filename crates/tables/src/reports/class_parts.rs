//! Rows of a part of the heap by class: objects, bytes, and retained size of single objects.

use super::rows::{Cell, Row};
use heaplens_analysis::javascript::by_class::ClassPart;
use heaplens_base::Count;
use heaplens_session::OpenDump;

/// A class in a part of the heap, with its largest objects there.
pub fn class_rows(dump: &OpenDump, part: &ClassPart, depth: usize, rows: &mut Vec<Row>) {
    let cells = vec![Cell::count(part.totals.objects), Cell::bytes(part.totals.shallow)];
    rows.push(Row::class(dump, depth, part.class, cells));
    rows.extend(part.first.iter().map(|&object| {
        let (shallow, retained) = (dump.heap.shallow(object), dump.analysis.retained(object));
        Row::object(dump, depth + 1, None, object, vec![Cell::EMPTY, Cell::minor(shallow), Cell::minor(retained)])
    }));
    let untold = part.totals.objects - part.first.len() as u64;
    if untold > 0 {
        let words = format!("{} more that retain less", Count(untold));
        rows.push(Row { found_by: String::new(), ..Row::words(depth + 1, words, Vec::new()) });
    }
}
