//! Native memory owned by objects of the heap: direct byte buffers, by their `capacity` and `cleaner` fields.

use super::rows::shown_of;
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Field, Value};

/// Native memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutsideHeap {
    /// Number of shown direct buffers that own their memory.
    pub direct_buffers: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// Counts direct buffers. Views of other buffers own nothing, and mapped files are no memory of the
/// process: neither counts. `None` if the sizes are only in the dump file, and it is missing.
pub fn outside_heap(dump: DumpData<'_>, task: &Task) -> Result<Option<OutsideHeap>, Cancelled> {
    let mut answer = OutsideHeap::default();
    let class = dump.heap.classes.named("java.nio.DirectByteBuffer");
    let Some(class) = class.filter(|&class| dump.analysis.class_totals(class).objects > 0) else {
        return Ok(Some(answer));
    };
    for buffer in shown_of(dump, |of| of == class, task)? {
        task.checkpoint()?;
        match capacity(&dump.contents.fields(dump.heap, buffer).unwrap_or_default()) {
            Some(Value::Int(bytes)) => {
                answer.direct_buffers += 1;
                answer.bytes += Bytes(u64::try_from(bytes).unwrap_or(0));
            }
            Some(Value::Unavailable) => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(answer))
}

/// Size of a buffer, if it owns its memory.
fn capacity(fields: &[Field]) -> Option<Value> {
    let value = |class: &str, name: &str| {
        fields.iter().find(|f| f.name == name && f.declared_by == class).map(|field| field.value)
    };
    // The cleaner frees the memory, so a buffer with a cleaner owns it.
    let owns = value("java.nio.DirectByteBuffer", "cleaner").is_some_and(|cleaner| cleaner != Value::Null);
    let is_mapped = value("java.nio.MappedByteBuffer", "fd").and_then(Value::object).is_some();
    if owns && !is_mapped { value("java.nio.Buffer", "capacity") } else { None }
}
