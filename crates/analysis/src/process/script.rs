//! Parts of the process of a JavaScript engine.

use super::jvm::of_mappings;
use super::mappings::{AddressSpace, MappedBytes};
use super::native::{Native, live_heap};
use super::part::{Basis, PartKind, ProcessPart};
use super::remainder::{NOTHING_EXPLAINS, Remainder, unexplained};
use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_process::ProcessRecord;

/// Parts of the resident memory. Memory of array buffers and external strings is a part of the sizes in a snapshot.
pub(super) fn parts(dump: DumpData<'_>, record: &ProcessRecord, native: &Native) -> Vec<ProcessPart> {
    let script = record.script.clone().unwrap_or_default();
    let resident = record.resident().unwrap_or(0);
    let statistics = dump.heap.snapshot().map(|snapshot| *snapshot.statistics());
    let live = live_heap(dump).0;
    let has_mappings = !record.mappings.is_empty();
    let mapped = MappedBytes::of(record, &AddressSpace { heap: None, code: &[], stacks: &[] });
    let mut parts = Vec::new();
    if has_mappings {
        parts.extend(of_mappings(&mapped, native));
    }
    let mut left = Remainder::of(resident, &parts, has_mappings.then_some(mapped.anonymous));
    let heap = script.heap_total.unwrap_or(live);
    parts.push(
        ProcessPart::new(PartKind::LiveHeap, left.take(live.min(heap)), Basis::Measured)
            .count(dump.analysis.shown.objects),
    );
    let rest = left.take(heap.saturating_sub(live));
    parts.push(ProcessPart::new(PartKind::RestOfHeap, rest, Basis::Measured).about("as the engine counts its heap"));
    let in_dump = statistics.map_or(0, |statistics| statistics.typed_arrays.0);
    let buffers = script.array_buffers.unwrap_or(0).max(in_dump);
    let garbage = Bytes(buffers.saturating_sub(in_dump));
    let about = if garbage > Bytes(0) && in_dump > 0 {
        format!("{garbage} of them are not in the dump")
    } else {
        String::new()
    };
    let taken = left.take(buffers);
    let about =
        if taken.0 < buffers { format!("{} are allocated; more cannot be resident", Bytes(buffers)) } else { about };
    parts.push(ProcessPart::new(PartKind::ArrayBuffers, taken, Basis::Measured).about(about));
    let external = script.external.map_or(0, |all| all.saturating_sub(script.array_buffers.unwrap_or(0)));
    let about = "external strings and native objects, as the engine counts them";
    parts.push(ProcessPart::new(PartKind::External, left.take(external), Basis::Measured).about(about));
    let workers = ProcessPart::new(PartKind::Workers, left.take(script.workers_heap.unwrap_or(0)), Basis::Measured);
    parts.push(workers.count(script.workers).about("they are in no dump of this thread"));
    let about = match script.workers {
        Some(workers) if workers > 0 && script.workers_heap.is_none() => {
            format!(
                "memory of malloc and mmap, and of {workers} worker threads, whose heaps are in no dump of this thread"
            )
        }
        _ => NOTHING_EXPLAINS.to_owned(),
    };
    parts.push(unexplained(resident, &parts).about(about));
    parts
}
