//! Android leaks in LeakCanary's form, which their readers know.

use super::{ClipBody, Row, Rows};
use crate::export::leaks::titles;
use crate::export::traces::{
    cells, leak_text_with, lost_cells, lost_json, trace_json, unreachable_text, write_leakcanary,
};
use crate::export::written;
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject};
use heaplens_base::Bytes;
use heaplens_heap::Heap;

/// Copied part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum TracePart {
    /// A leak with one of its traces.
    Leak(Leak, usize),
    /// An unreachable object.
    Unreachable(LeakSubject),
}

/// Copies leaks one after the other; `whole` is the heap size in bytes.
pub fn copied(heap: &Heap, bytes: Bytes, all: &[TracePart]) -> ClipBody {
    let text = |copied: &TracePart| match copied {
        TracePart::Leak(leak, shown) => leak_text_with(leak, *shown) + "\n",
        TracePart::Unreachable(object) => unreachable_text(object) + "\n",
    };
    let texts: Vec<String> = all.iter().map(text).collect();
    ClipBody::Traces(texts.join("\n"), rows(heap, bytes, all))
}

/// Copies LeakCanary's whole report of a dump; `file` is its file name.
pub fn whole(heap: &Heap, report: &LeakReport, file: &str) -> ClipBody {
    let text = written(|out| write_leakcanary(out, report, file, heap.origin.taken_at_millis));
    let leaks = report.leaks.iter().map(|leak| TracePart::Leak(leak.clone(), 0));
    let all: Vec<TracePart> = leaks.chain(report.unreachable.iter().cloned().map(TracePart::Unreachable)).collect();
    ClipBody::Traces(text, rows(heap, report.metadata.bytes, &all))
}

fn rows(heap: &Heap, bytes: Bytes, all: &[TracePart]) -> Rows {
    let row = |copied: &TracePart| match copied {
        TracePart::Leak(leak, _) => cells(heap, leak, bytes),
        TracePart::Unreachable(object) => lost_cells(object),
    };
    let json = |copied: &TracePart| match copied {
        TracePart::Leak(leak, _) => trace_json(heap, leak).to_string(),
        TracePart::Unreachable(object) => lost_json(heap, object).to_string(),
    };
    Rows {
        headings: titles(),
        rows: all.iter().map(|copied| Row { depth: 0, cells: row(copied) }).collect(),
        json: ("traces", all.iter().map(json).collect()),
    }
}
