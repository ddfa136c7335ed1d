//! Native memory owned through `NativeAllocationRegistry`: a cleaner refers to the object, and by way of its action to
//! the registry, whose size is recorded. The same rule is Perfetto's.

use rustc_hash::FxHashMap;

use super::contents::GraphContents;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::native::{NativeKind, NativeMemory};
use heaplens_heap::{Field, Heap, ObjectId, ObjectValues, Value};

const CLEANER: &str = "sun.misc.Cleaner";
const REFERENCE: &str = "java.lang.ref.Reference";
const THUNK: &str = "libcore.util.NativeAllocationRegistry$CleanerThunk";
/// Flag in a size: the memory belongs to `malloc`. All sizes are even.
const MALLOC: i64 = 1;

/// Native bytes registered for each object; `registries` has the size in each registry.
pub(super) fn registered(
    heap: &Heap,
    contents: &GraphContents,
    registries: &FxHashMap<ObjectId, i64>,
    task: &Task,
) -> Result<Vec<NativeMemory>, Cancelled> {
    let mut owned = Vec::new();
    if registries.is_empty() {
        return Ok(owned);
    }
    let is_cleaner: Vec<bool> = heap.classes.all().iter().map(|class| &*class.name == CLEANER).collect();
    let rows = heap.class_rows();
    for block in task.blocks(heap.len()) {
        let of = |row: usize| rows.get(row as u32).and_then(|class| is_cleaner.get(class.index()).copied());
        let cleaners = block?.filter(|&row| of(row) == Some(true)).filter_map(ObjectId::new);
        owned.extend(cleaners.filter_map(|cleaner| of_cleaner(heap, contents, registries, cleaner)));
    }
    Ok(owned)
}

fn object(fields: &[Field], class: &str, name: &str) -> Option<ObjectId> {
    fields.iter().find(|field| field.name == name && field.declared_by == class)?.value.object()
}

fn of_cleaner(
    heap: &Heap,
    contents: &GraphContents,
    registries: &FxHashMap<ObjectId, i64>,
    cleaner: ObjectId,
) -> Option<NativeMemory> {
    let fields = contents.fields(heap, cleaner).ok()?;
    // A cleaner that has run points at itself.
    if fields.iter().any(|field| field.name == "next" && field.value == Value::Object(cleaner)) {
        return None;
    }
    let (owner, thunk) = (object(&fields, REFERENCE, "referent")?, object(&fields, CLEANER, "thunk")?);
    let registry = object(&contents.fields(heap, thunk).ok()?, THUNK, "this$0")?;
    let size = registries.get(&registry)? & !MALLOC;
    u64::try_from(size).ok().filter(|&size| size > 0).map(|size| NativeMemory {
        object: owner,
        kind: NativeKind::Registered,
        bytes: Bytes(size),
    })
}
