//! Diagnostic reports of Node (`process.report`, `--report-on-fatalerror`). Environment and command line are not read.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::machine::{Limits, MachineMemory, MemoryTotals};
use crate::record::{ProcessRecord, RecordKind};
use crate::script::{HeapSpace, ScriptRecord};

/// Reads a report.
pub(super) fn read(name: &str, report: &Value) -> ProcessRecord {
    let mut record = ProcessRecord { kind: Some(RecordKind::JavaScript), ..ProcessRecord::new(name) };
    let number = |at: &str| report.pointer(at).and_then(number);
    let text = |at: &str| report.pointer(at).and_then(Value::as_str);
    record.pid = number("/header/processId").and_then(|pid| u32::try_from(pid).ok());
    record.runtime = text("/header/nodejsVersion").map(|version| format!("Node.js {version}"));
    record.recorded_at_millis = text("/header/dumpEventTimeStamp").and_then(|millis| millis.parse().ok());
    let is_failure = matches!(text("/header/trigger"), Some("FatalError" | "OOMError" | "Exception"));
    record.failure = text("/header/event").filter(|_| is_failure).map(str::to_owned);
    let memory = MemoryTotals {
        resident: number("/resourceUsage/rss"),
        peak_resident: number("/resourceUsage/maxRss"),
        ..MemoryTotals::default()
    };
    record.memory = (memory != MemoryTotals::default()).then_some(memory);
    // All bits are set without a limit.
    let limit = number("/resourceUsage/constrained_memory").filter(|&limit| limit > 0 && limit < u64::MAX >> 1);
    record.limits = limit.map(|limit| Limits { memory: Some(limit), ..Limits::default() });
    record.machine = number("/resourceUsage/total_memory")
        .map(|total| MachineMemory { total, available: number("/resourceUsage/free_memory") });
    let workers = report.get("workers").and_then(Value::as_array);
    record.script = Some(ScriptRecord {
        resident: number("/resourceUsage/rss"),
        heap_total: number("/javascriptHeap/totalMemory"),
        heap_used: number("/javascriptHeap/usedMemory"),
        heap_limit: number("/javascriptHeap/memoryLimit").or_else(|| number("/javascriptHeap/heapSizeLimit")),
        external: number("/javascriptHeap/externalMemory"),
        malloced: number("/javascriptHeap/mallocedMemory"),
        workers: workers.map(|workers| workers.len() as u64),
        workers_heap: workers.map(|workers| {
            let totals = workers.iter().filter_map(|worker| worker.pointer("/javascriptHeap/totalCommittedMemory"));
            totals.filter_map(self::number).fold(0, u64::saturating_add)
        }),
        spaces: spaces(report.pointer("/javascriptHeap/heapSpaces")),
        handles: handles(report.get("libuv")),
        ..ScriptRecord::default()
    });
    record
}

/// A number of bytes; large ones are written as floats by some versions.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u64))
}

fn spaces(value: Option<&Value>) -> Vec<HeapSpace> {
    let spaces = value.and_then(Value::as_object).into_iter().flatten();
    let bytes = |space: &Value, key: &str| space.get(key).and_then(number).unwrap_or(0);
    let spaces = spaces.map(|(name, space)| HeapSpace {
        name: name.clone(),
        size: bytes(space, "memorySize"),
        used: bytes(space, "used"),
    });
    spaces.filter(|space| space.size > 0 || space.used > 0).collect()
}

/// Handles of libuv by type.
fn handles(value: Option<&Value>) -> BTreeMap<String, u64> {
    let mut handles = BTreeMap::new();
    for handle in value.and_then(Value::as_array).into_iter().flatten() {
        if let Some(kind) = handle.get("type").and_then(Value::as_str).filter(|&kind| kind != "loop") {
            *handles.entry(kind.to_owned()).or_insert(0) += 1;
        }
    }
    handles
}
