//! Parts of the process of a Java virtual machine.

use std::ops::Range;

use super::mappings::{AddressSpace, MappedBytes};
use super::native::Native;
use super::part::{Basis, PartKind, ProcessPart};
use super::remainder::{NOTHING_EXPLAINS, Remainder, unexplained};
use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_process::{JvmRecord, ProcessRecord, TrackedCategory};

/// Size of a stack on Linux and macOS unless `-Xss` or `-XX:ThreadStackSize` says otherwise.
pub(super) const STACK: u64 = 1 << 20;
/// A heap begins at a boundary of regions, of which these are the largest.
const REGION: u64 = 32 << 20;
/// Categories of native memory tracking that are parts of their own here, or that the dump explains.
const OTHERWISE: [&str; 8] =
    ["Java Heap", "Class", "Metaspace", "Thread", "Thread Stack", "Code", "Shared class space", "Other"];

/// Those of them with memory of `malloc` beside their spaces.
const BESIDE: [&str; 4] = ["Class", "Metaspace", "Thread", "Code"];

/// Parts of the resident memory.
pub(super) fn parts(dump: DumpData<'_>, record: &ProcessRecord, native: &Native) -> Vec<ProcessPart> {
    let jvm = record.jvm.clone().unwrap_or_default();
    let resident = record.resident().unwrap_or(0);
    let code = jvm.code.as_ref().map(|code| &*code.segments).unwrap_or_default();
    let known = AddressSpace { heap: heap_range(dump, &jvm), code, stacks: &[stack_size(&jvm)] };
    let has_mappings = !record.mappings.is_empty();
    let mapped = MappedBytes::of(record, &known);
    let mut parts = Vec::new();
    let live = dump.analysis.shown.shallow.0;
    let heap =
        if has_mappings { mapped.heap } else { jvm.heap.as_ref().map_or(live, |heap| heap.committed) }.min(resident);
    let live_resident = live.min(heap);
    let (basis, origin) = if has_mappings {
        (Basis::Measured, "resident pages of the heap")
    } else {
        (Basis::Inferred, "committed memory of the heap; resident pages are not recorded")
    };
    parts.push(ProcessPart::new(PartKind::LiveHeap, Bytes(live_resident), basis).count(dump.analysis.shown.objects));
    parts.push(ProcessPart::new(PartKind::RestOfHeap, Bytes(heap - live_resident), basis).about(origin));
    if has_mappings {
        parts.extend(of_mappings(&mapped, native));
    }
    // What is left is anonymous memory, of which the following are known.
    let mut left = Remainder::of(resident, &parts, has_mappings.then_some(mapped.anonymous));
    if let Some(metaspace) = &jvm.metaspace {
        let classes = dump.heap.classes.iter().count() as u64;
        parts.push(
            ProcessPart::new(PartKind::ClassMetadata, left.take(metaspace.committed), Basis::Measured).count(classes),
        );
    }
    if !has_mappings {
        if let Some(code) = &jvm.code {
            parts.push(ProcessPart::new(PartKind::CompiledCode, left.take(code.used), Basis::Measured));
        }
        let threads = record.threads.or_else(|| category(&jvm, "Thread")?.count);
        let stacks = category(&jvm, "Thread").map(|thread| thread.committed);
        if let Some(stacks) = stacks {
            parts.push(ProcessPart::new(PartKind::ThreadStacks, left.take(stacks), Basis::Measured).count(threads));
        }
    }
    parts.extend(native.parts(&mut left));
    if let Some(tracking) = &jvm.native {
        let own = tracking.categories.iter().filter(|category| !OTHERWISE.contains(&&*category.name));
        let mut own: Vec<&TrackedCategory> = own.collect();
        own.sort_by_key(|category| std::cmp::Reverse(category.committed));
        let names: Vec<&str> = own.iter().take(3).map(|category| &*category.name).collect();
        // What the machine allocates for classes, code and threads is in no space of theirs.
        let beside = tracking.categories.iter().filter(|category| BESIDE.contains(&&*category.name));
        let beside: u64 = beside.filter_map(|category| category.malloc).sum();
        let sum: u64 = own.iter().map(|category| resident_part(category)).sum::<u64>() + beside;
        let about = format!("{}, …: native memory tracking has {}", names.join(", "), Bytes(sum));
        parts.push(ProcessPart::new(PartKind::VirtualMachine, left.take(sum), Basis::Measured).about(about));
    }
    parts.push(unexplained(resident, &parts).about(NOTHING_EXPLAINS));
    parts
}

/// What the mappings tell alone.
pub(super) fn of_mappings(mapped: &MappedBytes, native: &Native) -> Vec<ProcessPart> {
    let part = |kind, bytes| ProcessPart::new(kind, Bytes(bytes), Basis::Measured);
    let files = part(PartKind::MappedFiles, mapped.files).count(mapped.file_count);
    let files = match native.mapped {
        Some((count, bytes)) => files.about(format!("{count} buffers of mapped files have {bytes}; some is resident")),
        None => files,
    };
    vec![
        part(PartKind::Libraries, mapped.libraries),
        files,
        part(PartKind::SharedMemory, mapped.shared),
        part(PartKind::CompiledCode, mapped.code),
        ProcessPart::new(PartKind::ThreadStacks, Bytes(mapped.stacks.0), Basis::Inferred)
            .count(mapped.stacks.1)
            .about("resident pages of mappings with the size of a stack"),
    ]
}

/// Addresses of the heap: as the machine says, else those of the objects.
fn heap_range(dump: DumpData<'_>, jvm: &JvmRecord) -> Option<Range<u64>> {
    let areas = jvm.heap.iter().flat_map(|heap| &heap.areas).filter_map(|area| area.addresses);
    let of_machine = areas.reduce(|(low, high), (start, end)| (low.min(start), high.max(end)));
    let (low, high) = of_machine.or_else(|| address_range(dump))?;
    Some(low..high)
}

/// The lowest and the highest address of an object. The file has them in ascending order.
fn address_range(dump: DumpData<'_>) -> Option<(u64, u64)> {
    let object = |row| heaplens_heap::ObjectId::new(row).map(|object| dump.heap.address(object).0);
    let last = dump.heap.len().checked_sub(1)?;
    Some((object(0)? & !(REGION - 1), object(last)?.checked_add(1)?.next_multiple_of(REGION)))
}

/// Size of the stack of a thread.
pub(super) fn stack_size(jvm: &JvmRecord) -> u64 {
    let flag = jvm.flags.get("ThreadStackSize").and_then(|kilobytes| kilobytes.parse::<u64>().ok());
    flag.filter(|&kilobytes| kilobytes > 0).and_then(|kilobytes| kilobytes.checked_mul(1024)).unwrap_or(STACK)
}

fn category<'a>(jvm: &'a JvmRecord, name: &str) -> Option<&'a TrackedCategory> {
    jvm.native.as_ref()?.category(name)
}

/// What of a category is certainly resident: what `malloc` gave. Tables of the collector are committed as a whole and
/// resident in part; how much is not recorded.
fn resident_part(category: &TrackedCategory) -> u64 {
    match &*category.name {
        "GC" => category.malloc.unwrap_or(category.committed),
        _ => category.committed,
    }
}
