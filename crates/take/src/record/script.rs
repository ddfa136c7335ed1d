//! What a JavaScript engine says of itself, by its inspector.

use heaplens_base::Task;
use heaplens_process::{HeapSpace, ProcessRecord, ScriptRecord};
use serde_json::Value;

use super::gap;
use crate::inspector::{EngineFigures, InspectorTarget, engine_figures};

/// Asks the engine of `target`.
pub(crate) fn record_script(target: &InspectorTarget, record: &mut ProcessRecord, task: &Task) {
    let EngineFigures { usage, process, workers } = match engine_figures(target, task) {
        Ok(figures) => figures,
        Err(error) => return gap(record, "figures of the engine", error.to_string()),
    };
    let number = |value: &Value, at: &str| value.pointer(at).and_then(Value::as_f64).map(|number| number as u64);
    let mut script = ScriptRecord {
        heap_total: number(&usage, "/totalSize"),
        heap_used: number(&usage, "/usedSize"),
        array_buffers: number(&usage, "/backingStorageSize"),
        workers,
        ..ScriptRecord::default()
    };
    if process.is_object() {
        script.resident = number(&process, "/memory/rss");
        script.heap_total = number(&process, "/memory/heapTotal").or(script.heap_total);
        script.heap_used = number(&process, "/memory/heapUsed").or(script.heap_used);
        script.external = number(&process, "/memory/external");
        script.array_buffers = number(&process, "/memory/arrayBuffers").or(script.array_buffers);
        script.heap_limit = number(&process, "/heap/heap_size_limit");
        script.malloced = number(&process, "/heap/malloced_memory");
        script.spaces = spaces(process.get("spaces"));
        record.pid = record.pid.or_else(|| number(&process, "/pid").and_then(|pid| u32::try_from(pid).ok()));
        record.runtime = process.get("version").and_then(Value::as_str).map(|version| format!("Node.js {version}"));
    } else {
        gap(record, "memory outside the heap", "the engine shows its heap only; a browser has tools of its own for it");
    }
    record.script = Some(script);
}

/// Spaces that have memory, as `v8.getHeapSpaceStatistics()` lists them.
fn spaces(value: Option<&Value>) -> Vec<HeapSpace> {
    let bytes = |space: &Value, key: &str| space.get(key).and_then(Value::as_f64).unwrap_or(0.0) as u64;
    let spaces = value.and_then(Value::as_array).into_iter().flatten().map(|space| HeapSpace {
        name: space.get("space_name").and_then(Value::as_str).unwrap_or_default().to_owned(),
        size: bytes(space, "space_size"),
        used: bytes(space, "space_used_size"),
    });
    spaces.filter(|space| space.size > 0 || space.used > 0).collect()
}
