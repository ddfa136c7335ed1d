//! Android leaks as JSON. Field names are a contract: see `docs/command-line.md`.

use serde_json::{Value, json};

use super::report::rows;
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakStep, LeakSubject, root_text};
use heaplens_heap::Heap;

/// A leak with the steps of its first trace.
pub fn trace_json(heap: &Heap, leak: &Leak) -> Value {
    let step = |step: &LeakStep| {
        let reference = step.reference.as_ref();
        json!({
            "id": heap.id_text(step.subject.object),
            "class": step.subject.class,
            "status": step.status.name(),
            "reason": step.subject.reason,
            "labels": step.subject.labels,
            "reference": reference.map(|reference| format!("{}{}", reference.prefix(), reference.name)),
            "suspect": reference.is_some_and(|reference| reference.is_suspect),
        })
    };
    let first = leak.traces.first();
    let leaking = leak.traces.iter().filter_map(|trace| {
        let last = trace.steps.last()?;
        let id = heap.id_text(last.subject.object);
        Some(json!({"id": id, "retained_bytes": trace.retained.0, "retained_objects": trace.objects}))
    });
    json!({
        "fingerprint": leak.fingerprint,
        "kind": leak.kind(),
        "pattern": leak.known.as_ref().map(|known| &known.pattern),
        "cause": leak.known.as_ref().map(|known| &known.cause),
        "traces": leak.traces.len(),
        "retained_bytes": leak.retained().0,
        "root": first.map(|trace| root_text(trace.root)),
        "steps": first.map(|trace| trace.steps.iter().map(step).collect::<Vec<_>>()),
        "leaking": leaking.collect::<Vec<_>>(),
    })
}

/// Unreachable leaking objects.
pub fn unreachable_json(heap: &Heap, report: &LeakReport) -> Value {
    Value::from(report.unreachable.iter().map(|object| lost_json(heap, object)).collect::<Vec<_>>())
}

/// One of them.
pub fn lost_json(heap: &Heap, object: &LeakSubject) -> Value {
    json!({
        "id": heap.id_text(object.object), "class": object.class, "reason": object.reason, "labels": object.labels,
    })
}

/// Metadata of the dump, with LeakCanary's names.
pub fn metadata_json(report: &LeakReport) -> Value {
    rows(&report.metadata)
        .into_iter()
        .map(|(key, value)| (key, Value::from(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
