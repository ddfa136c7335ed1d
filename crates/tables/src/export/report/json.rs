//! The overview for programs. Field names are a contract: see `docs/command-line.md`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::words;
use crate::export::identity::{HEAPLENS, Identity};
use crate::export::memory_errors::ErrorsAnswer;
use crate::{columns::fraction, export::leaks::verdict_json};
use heaplens_analysis::Overview;
use heaplens_analysis::leaks::{DominantClass, Likelihood};
use heaplens_analysis::overview::{Finding, FindingSubject, SumRow};
use heaplens_base::Share;
use heaplens_heap::ThreadState;
use heaplens_heap::native::NativeKind;

/// Writes the overview as one JSON object.
///
/// # Errors
/// If it cannot be written.
pub fn write_overview_json(mut out: impl Write, identity: &Identity, overview: &Overview) -> io::Result<()> {
    serde_json::to_writer(&mut out, &overview_json(identity, overview))?;
    writeln!(out)
}

/// The overview as one JSON object.
pub fn overview_json(identity: &Identity, overview: &Overview) -> Value {
    let (glance, totals) = (&overview.glance, &overview.glance.totals);
    let health: BTreeMap<&str, &Option<String>> =
        glance.health.iter().map(|fact| (fact.kind.key(), &fact.value)).collect();
    let objects = glance.objects.iter().map(|row| {
        json!({
            "id": row.id, "class": row.class, "label": row.label, "shallow_bytes": row.shallow.0,
            "retained_bytes": row.retained.0, "dominated": row.dominated,
        })
    });
    let expected = overview.holders.iter().flat_map(|holders| &holders.expected).map(|row| {
        let share = fraction(Share::of(row.bytes, totals.shallow));
        json!({"name": row.name, "bytes": row.bytes.0, "share": share, "verdict": verdict_json(&row.verdict)})
    });
    let closer = overview.closer.as_ref();
    let threads = closer.into_iter().flat_map(|closer| &closer.threads).map(|thread| {
        json!({
            "id": thread.id, "name": thread.name, "state": thread.state.map(ThreadState::name),
            "retained_bytes": thread.retained.0, "out_of_memory": thread.out_of_memory,
        })
    });
    let waste = overview.wasted.iter().flat_map(|wasted| &wasted.rows);
    let waste = waste.map(|row| json!({"kind": row.kind.key(), "objects": row.objects, "wasted_bytes": row.wasted.0}));
    json!({
        "file": identity.file,
        "taken_at": identity.taken_at,
        "producer": identity.producer,
        "file_bytes": identity.file_size.disk,
        "unpacked_bytes": identity.file_size.unpacked,
        "size_model": identity.size_model,
        "generator": HEAPLENS,
        "totals": {
            "objects": totals.objects, "shallow_bytes": totals.shallow.0,
            "unreachable_objects": totals.unreachable_objects, "unreachable_bytes": totals.unreachable.0,
            "references": totals.references, "classes": totals.classes, "loaders": totals.loaders,
            "gc_roots": totals.gc_roots, "threads": closer.map(|closer| closer.thread_count),
            "direct_buffers": overview.glance.outside.objects(NativeKind::DirectBuffer),
            "outside_heap_bytes": overview.glance.outside.bytes().0,
        },
        "process": overview.process,
        "out_of_memory": ErrorsAnswer::new(&glance.out_of_memory),
        "health": health,
        "findings": overview.findings().iter().map(finding).collect::<Vec<_>>(),
        "expected": expected.collect::<Vec<_>>(),
        "objects": objects.collect::<Vec<_>>(),
        "runtime_objects": {"objects": glance.runtime.objects, "retained_bytes": glance.runtime.retained.0},
        "classes_by_retained": sums("class", &glance.by_retained),
        "classes_by_shallow": sums("class", &glance.by_shallow),
        "packages": sums("package", closer.map_or(&[], |closer| &closer.packages)),
        "threads": threads.collect::<Vec<_>>(),
        "waste": waste.collect::<Vec<_>>(),
    })
}

fn sums(name: &str, rows: &[SumRow]) -> Vec<Value> {
    let row = |row: &SumRow| {
        json!({
            name: row.name, "objects": row.objects, "shallow_bytes": row.shallow.0, "retained_bytes": row.retained.0,
        })
    };
    rows.iter().map(row).collect()
}

fn finding(finding: &Finding) -> Value {
    let holds =
        |holds: &DominantClass| json!({"class": holds.class, "objects": holds.objects, "freed_objects": holds.freed});
    let (holder, held) = match &finding.about {
        FindingSubject::Holder(holder) => {
            let collection = holder
                .collection
                .as_ref()
                .map(|(class, kind, size)| json!({"class": class, "kind": kind.name(), "size": size}));
            let object = json!({
                "id": holder.id, "class": holder.class, "name": holder.name, "accumulation": holder.point_id,
                "collection": collection, "dominated": holder.dominated,
            });
            (object, holder.holds.as_ref().map(holds))
        }
        FindingSubject::Shared(shared) => {
            (Value::Null, Some(json!({"class": shared.class, "objects": shared.objects})))
        }
        _ => (Value::Null, None),
    };
    json!({
        "kind": words::kind(finding),
        "title": words::sentence(finding),
        "explanation": words::why(finding),
        "bytes": finding.bytes.0,
        "share": fraction(Share::of(finding.bytes, finding.total)),
        "holder": holder,
        "holds": held,
        "likelihood": finding.leak.as_ref().and_then(|leak| leak.likelihood()).map(Likelihood::key),
        "verdict": finding.verdict.as_ref().map(verdict_json),
    })
}
