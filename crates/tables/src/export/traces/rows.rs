//! Android leaks as rows, with the columns of findings.

use crate::export::finding_rows::FindingRow;
use heaplens_analysis::android::shark::{Leak, LeakReference, LeakReferenceKind, LeakStep, LeakSubject, LeakTrace};
use heaplens_base::{Bytes, Share};

/// Kind of a trace row among the kinds of findings.
const KIND: &str = "trace";

/// Short text of the first suspect reference.
pub fn held_by(trace: &LeakTrace) -> Option<String> {
    trace.suspects().next().map(|(_, reference)| reference.text())
}

/// The reference to clear, in a sentence: the first suspect one, or what that refers to if it is the static field with the
/// only instance of its class.
pub fn to_clear(trace: &LeakTrace) -> Option<String> {
    let mut suspects = trace.suspects();
    let first = suspects.next()?;
    let is_of_singleton = |(step, _): &(&LeakStep, &LeakReference)| step.subject.class == first.0.subject.class;
    let (_, reference) = suspects.next().filter(is_of_singleton).unwrap_or(first);
    Some(match reference.kind {
        LeakReferenceKind::Local => format!("a local variable of a {}", reference.prefix()),
        _ => reference.text(),
    })
}

/// A leak as a row; `total` is the heap size as Shark counts it.
pub fn leak_row(leak: &Leak, total: Bytes) -> FindingRow {
    let suspects: Vec<(&LeakStep, &LeakReference)> = leak.traces.iter().take(1).flat_map(LeakTrace::suspects).collect();
    let to_cut: Vec<String> = suspects.iter().map(|(_, reference)| reference.text()).collect();
    FindingRow {
        group: leak.kind().to_owned(),
        kind: KIND.to_owned(),
        name: to_cut.first().cloned(),
        class: Some(leak.class().to_owned()),
        count: Some(leak.traces.len() as u64),
        frees: Some(leak.retained()),
        share: Some(Share::of(leak.retained(), total)),
        objects: Some(leak.objects()),
        holder: suspects.first().map(|(step, _)| step.subject.object),
        cut: Some(to_cut.join(" + ")),
        fingerprint: Some(leak.fingerprint.clone()),
        ..FindingRow::default()
    }
}

/// An unreachable leaking object as a row.
pub fn unreachable_row(object: &LeakSubject) -> FindingRow {
    let (group, kind) = ("unreachable".to_owned(), KIND.to_owned());
    FindingRow { group, kind, class: Some(object.class.clone()), count: Some(1), ..FindingRow::default() }
}
