//! Native memory owned through `NativeAllocationRegistry`: a cleaner refers to the object, and the registry has the
//! size for all objects of its kind.

use crate::{hprof::peek::Peek, hprof::record_access::HprofContents};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::native::{NativeKind, NativeMemory};
use heaplens_heap::{Heap, ObjectId, Value};

const CLEANER: &str = "sun.misc.Cleaner";
const THUNK: &str = "libcore.util.NativeAllocationRegistry$CleanerThunk";
const REGISTRY: &str = "libcore.util.NativeAllocationRegistry";
/// Flag in a size: the memory belongs to `malloc`. All sizes are even.
const MALLOC: i64 = 1;

/// Native bytes registered for each object; an object may have several registrations.
pub(in crate::hprof) fn registered(
    heap: &Heap,
    contents: &HprofContents,
    task: &Task,
) -> Result<Vec<NativeMemory>, Cancelled> {
    let Some(cleaner) = heap.classes.named(CLEANER).filter(|_| heap.classes.named(REGISTRY).is_some()) else {
        return Ok(Vec::new());
    };
    let (rows, mut owned) = (heap.class_rows(), Vec::new());
    for block in task.blocks(heap.len()) {
        let cleaners = block?.filter(|&row| rows.get(row as u32) == Some(cleaner)).filter_map(ObjectId::new);
        owned.extend(cleaners.filter_map(|cleaner| of_cleaner(Peek { contents, heap }, cleaner)));
    }
    Ok(owned)
}

fn of_cleaner(peek: Peek<'_>, object: ObjectId) -> Option<NativeMemory> {
    let cleaner = peek.fields(object, CLEANER)?;
    // A cleaner that has run points at itself.
    if cleaner.get("next") == Some(Value::Object(object)) {
        return None;
    }
    let (owner, thunk) = (cleaner.object(&["referent"])?, cleaner.object(&["thunk"])?);
    if peek.class_name(thunk) != THUNK {
        return None;
    }
    let registry = peek.fields(thunk, THUNK)?.object(&["this$0"])?;
    let size = peek.fields(registry, REGISTRY)?.integer("size")? & !MALLOC;
    u64::try_from(size).ok().filter(|&size| size > 0).map(|size| NativeMemory {
        object: owner,
        kind: NativeKind::Registered,
        bytes: Bytes(size),
    })
}
