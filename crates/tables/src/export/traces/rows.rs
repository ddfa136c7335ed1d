//! Android leaks as rows, with the columns of findings.

use crate::columns::Cell;
use heaplens_analysis::android::shark::{Leak, LeakReference, LeakStep, LeakSubject, LeakTrace};
use heaplens_base::{Bytes, Share};
use heaplens_core::heap::Heap;

/// Kind of a trace row among the kinds of findings.
const KIND: &str = "trace";

/// Short text of the first suspect reference.
pub fn held_by(trace: &LeakTrace) -> Option<String> {
    trace.suspects().next().map(|(_, reference)| reference.text())
}

/// A leak as a row; `whole` is the heap size as Shark counts it.
pub fn cells(heap: &Heap, leak: &Leak, whole: Bytes) -> Vec<Cell> {
    let suspects: Vec<(&LeakStep, &LeakReference)> = leak.traces.iter().take(1).flat_map(LeakTrace::suspects).collect();
    let text = |text: &str| Cell::Text(text.to_owned());
    let to_cut: Vec<String> = suspects.iter().map(|(_, reference)| reference.text()).collect();
    vec![
        text(leak.kind()),
        text(KIND),
        to_cut.first().map_or(Cell::Nothing, |first| text(first)),
        text(leak.class()),
        Cell::Count(leak.traces.len() as u64),
        Cell::Size(leak.retained()),
        Cell::Share(Share::of(leak.retained(), whole)),
        Cell::Count(leak.objects()),
        suspects.first().map_or(Cell::Nothing, |(step, _)| Cell::Text(heap.id_text(step.subject.object))),
        text(&to_cut.join(" + ")),
        text(&leak.fingerprint),
        Cell::Nothing,
    ]
}

/// An unreachable leaking object as a row.
pub fn lost_cells(object: &LeakSubject) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut cells = vec![text("unreachable"), text(KIND), Cell::Nothing, text(&object.class), Cell::Count(1)];
    cells.resize(12, Cell::Nothing);
    cells
}
