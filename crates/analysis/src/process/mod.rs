//! The process around the heap: how much memory it has, which parts there are, and what of it the heap explains.
//!
//! With a record of the process ([`DumpData::record`]) the parts add up to its resident memory, and what no part explains is
//! said to be unexplained. Without one, only what the dump tells is listed, and the size of the process is not known.
//! Each part says how its bytes are known ([`Basis`]).

mod class_metadata;
mod dump_only;
mod growth;
mod holders;
mod jvm;
mod mappings;
mod native;
mod part;
mod remainder;
mod script;
mod words;

pub use self::class_metadata::class_metadata;
pub use self::growth::{PartChange, ProcessGrowth};
pub use self::part::{Basis, PartKind, ProcessPart};

use self::native::Native;
use crate::answers::{DumpData, Question};
use crate::native_owners::{NativeOwner, NativeOwnersQuestion};
use heaplens_base::{Bytes, Cancelled, Task};
pub use heaplens_process::Descriptors;
use heaplens_process::{Gap, Limits};

/// The heap in the process, from the file to what is live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeapAmounts {
    /// Size of the file.
    pub file: Bytes,
    /// Reachable objects.
    pub live: Bytes,
    /// Objects of the dump that no GC root reaches.
    pub unreachable: Bytes,
    /// In use before the dump, garbage included.
    pub used: Option<Bytes>,
    /// Committed memory.
    pub committed: Option<Bytes>,
    /// Largest size.
    pub limit: Option<Bytes>,
    /// Resident memory.
    pub resident: Option<Bytes>,
}

/// The memory of a process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// Resident memory of the process; `None` if it was not recorded.
    pub resident: Option<Bytes>,
    /// Resident memory before the dump, and when it was larger.
    pub peak: Option<Bytes>,
    /// The parts, largest first, and what is unexplained last.
    pub parts: Vec<ProcessPart>,
    /// The heap.
    pub heap: HeapAmounts,
    /// Who holds native memory, most bytes first.
    pub owners: Vec<NativeOwner>,
    /// Limits of its container.
    pub limits: Option<Limits>,
    /// Number of threads: as the system counts them, else those of the dump.
    pub threads: Option<u64>,
    /// Its open files, sockets and others, and the limit of them.
    pub descriptors: Option<Descriptors>,
    /// The error that ended it, if one was recorded.
    pub failure: Option<String>,
    /// Where the record is from; empty without one.
    pub sources: Vec<String>,
    /// What is not recorded, and how to get it.
    pub gaps: Vec<Gap>,
}

/// How much memory has the process, and which parts?
#[derive(Clone, PartialEq, Eq)]
pub struct ProcessQuestion;

impl Question for ProcessQuestion {
    type Answer = ProcessMemory;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<ProcessMemory, Cancelled> {
        process(dump, task)
    }
}

/// The memory of the process of a dump.
///
/// # Errors
/// When `task` is cancelled.
pub fn process(dump: DumpData<'_>, task: &Task) -> Result<ProcessMemory, Cancelled> {
    let owners = dump.intermediate(&NativeOwnersQuestion, task)?;
    let native = Native::of(dump, &owners);
    let mut memory = match dump.record {
        Some(record) if record.resident().is_some() => {
            let is_script = record.script.is_some() || dump.heap.snapshot().is_some();
            let parts = match (record.android.is_empty(), is_script) {
                (false, _) => android(record),
                (true, true) => script::parts(dump, record, &native),
                (true, false) => jvm::parts(dump, record, &native),
            };
            ProcessMemory { resident: record.resident().map(Bytes), parts, ..ProcessMemory::default() }
        }
        _ => ProcessMemory { parts: dump_only::parts(dump, &native, task)?, ..ProcessMemory::default() },
    };
    memory.parts.retain(|part| part.bytes > Bytes(0));
    memory.parts.sort_by_key(|part| (part.kind == PartKind::Unexplained, std::cmp::Reverse(part.bytes)));
    memory.owners = owners.to_vec();
    for part in &mut memory.parts {
        part.holder = holders::holder(part.kind, dump, &owners, task)?;
    }
    memory.heap = heap_amounts(dump, &memory);
    let Some(record) = dump.record else {
        memory.gaps = vec![dump_only::no_record(dump)];
        return Ok(memory);
    };
    memory.peak = record.memory.as_ref().and_then(|memory| memory.peak_resident).map(Bytes);
    memory.limits.clone_from(&record.limits);
    memory.threads = record.threads;
    memory.descriptors.clone_from(&record.descriptors);
    memory.failure.clone_from(&record.failure);
    memory.sources.clone_from(&record.sources);
    memory.gaps.clone_from(&record.gaps);
    if memory.resident.is_none() {
        memory.gaps.insert(0, dump_only::no_record(dump));
    }
    Ok(memory)
}

/// The live heap and the amounts around it.
fn heap_amounts(dump: DumpData<'_>, memory: &ProcessMemory) -> HeapAmounts {
    let part = |kind| memory.parts.iter().find(|part| part.kind == kind).map(|part| part.bytes);
    let jvm = dump.record.and_then(|record| record.jvm.as_ref());
    let heap = jvm.and_then(|jvm| jvm.heap.as_ref());
    let script = dump.record.and_then(|record| record.script.as_ref());
    let flag = |name: &str| jvm.and_then(|jvm| jvm.flags.get(name)?.parse().ok());
    HeapAmounts {
        file: Bytes(dump.heap.origin.file_bytes),
        live: native::live_heap(dump),
        unreachable: dump.analysis.unreachable.shallow,
        used: heap.map(|heap| heap.used).or(script.and_then(|script| script.heap_used)).map(Bytes),
        committed: heap.map(|heap| heap.committed).or(script.and_then(|script| script.heap_total)).map(Bytes),
        limit: flag("MaxHeapSize").or(script.and_then(|script| script.heap_limit)).map(Bytes),
        resident: memory.resident.and(match (part(PartKind::LiveHeap), part(PartKind::RestOfHeap)) {
            (None, None) => None,
            (live, rest) => Some(live.unwrap_or_default() + rest.unwrap_or_default()),
        }),
    }
}

/// Categories of Android, which add up to the process.
fn android(record: &heaplens_process::ProcessRecord) -> Vec<ProcessPart> {
    let part = |(name, bytes): &(String, u64)| {
        ProcessPart::new(PartKind::Category, Bytes(*bytes), Basis::Measured).about(name.clone())
    };
    let mut parts: Vec<ProcessPart> = record.android.iter().map(part).collect();
    parts.push(remainder::unexplained(record.resident().unwrap_or(0), &parts));
    parts
}
