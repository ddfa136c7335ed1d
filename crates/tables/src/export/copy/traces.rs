//! Android leaks in LeakCanary's form, which their readers know.

use super::{ClipBody, Rows};
use crate::TableContext;
use crate::export::leaks::finding_table;
use crate::export::traces::{
    leak_row, leak_text_with, lost_json, trace_json, unreachable_row, unreachable_text, write_leakcanary,
};
use crate::export::written;
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject};
use heaplens_base::Bytes;

/// Copied part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum TracePart {
    /// A leak with one of its traces.
    Leak(Leak, usize),
    /// An unreachable object.
    Unreachable(LeakSubject),
}

/// Copies leaks one after the other; `total` is the heap size in bytes.
pub fn copied(dump: TableContext<'_>, bytes: Bytes, all: &[TracePart]) -> ClipBody {
    let text = |copied: &TracePart| match copied {
        TracePart::Leak(leak, shown) => leak_text_with(leak, *shown) + "\n",
        TracePart::Unreachable(object) => unreachable_text(object) + "\n",
    };
    let texts: Vec<String> = all.iter().map(text).collect();
    ClipBody::Traces(texts.join("\n"), rows(dump, bytes, all))
}

/// Copies LeakCanary's whole report of a dump; `file` is its file name.
pub fn complete_report(dump: TableContext<'_>, report: &LeakReport, file: &str) -> ClipBody {
    let text = written(|out| write_leakcanary(out, report, file, dump.heap.origin.taken_at_millis));
    let leaks = report.leaks.iter().map(|leak| TracePart::Leak(leak.clone(), 0));
    let all: Vec<TracePart> = leaks.chain(report.unreachable.iter().cloned().map(TracePart::Unreachable)).collect();
    ClipBody::Traces(text, rows(dump, report.metadata.bytes, &all))
}

fn rows(dump: TableContext<'_>, bytes: Bytes, all: &[TracePart]) -> Rows {
    let row = |copied: &TracePart| match copied {
        TracePart::Leak(leak, _) => leak_row(leak, bytes),
        TracePart::Unreachable(object) => unreachable_row(object),
    };
    let json = |copied: &TracePart| match copied {
        TracePart::Leak(leak, _) => trace_json(dump.heap, leak).to_string(),
        TracePart::Unreachable(object) => lost_json(dump.heap, object).to_string(),
    };
    let table = finding_table(all.iter().map(row).collect());
    Rows::of_table(&table, dump, ("traces", all.iter().map(json).collect()))
}
