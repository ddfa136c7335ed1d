//! The head of a structure, reached by climbing from its parts.

use crate::answers::DumpData;

use super::promises;
use crate::naming::{Namer, is_inside};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, Role, split_class};

/// Maximum number of steps to a head; a longer chain has its head here.
const STEPS: usize = 1 << 24;
/// Distance between objects on the way up whose head is remembered.
const APART: usize = 16;
/// Classes of V8 that are parts of an object or a collection.
const PARTS: [&str; 4] = ["(array)", "(internal array)", "(object elements)", "(object properties)"];

/// The object that a structure begins at: the collection of a node, the first link of a chain, the cache of a segment.
/// The object itself if it is not part of another.
pub(crate) fn head(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<ObjectId, Cancelled> {
    let (mut at, mut passed) = (object, Vec::new());
    for step in 0..STEPS {
        task.checkpoint()?;
        // Most heads are near: finding them is faster than a lookup. A long chain is climbed once.
        if step > 0 && step % APART == 0 {
            if let Some(known) = namer.index.head_above(at) {
                at = known;
                break;
            }
            passed.push(at);
        }
        match above(namer, at) {
            Some(above) => at = above,
            None => break,
        }
    }
    if !passed.is_empty() {
        namer.index.put_head(&passed, at);
    }
    Ok(at)
}

/// The object that `object` is a part of; `None` if it is a whole of its own.
fn above(namer: Namer<'_>, object: ObjectId) -> Option<ObjectId> {
    namer.analysis.immediate_dominator(object).filter(|&above| is_part(namer, object, above))
}

/// True if `object` is a part of its dominator `above`.
pub(super) fn is_part(namer: Namer<'_>, object: ObjectId, above: ObjectId) -> bool {
    let Namer { dump: DumpData { heap, contents, .. }, index } = namer;
    if heap.classes.of_object(object).is_some() || heap.classes.of_object(above).is_some() {
        return false;
    }
    let (id, id_above) = (heap.class_id(object), heap.class_id(above));
    let (class, class_above) = (heap.classes.get(id), heap.classes.get(id_above));
    let is_plain_above = class_above.kind == ClassKind::Plain;
    match class.kind {
        _ if heap.snapshot().is_some() => {
            let is_link = id == id_above && !index.is_runtime(id);
            let is_promise = || promises::is_link(namer, object) && promises::is_link(namer, above);
            PARTS.contains(&&*class.name) || is_link || is_promise()
        }
        ClassKind::Plain => {
            let is_collection = contents.role(id) == Role::Collection;
            let is_link = id == id_above && !is_collection;
            let is_node = !is_collection && is_inside(&class.name);
            let is_wrapped = is_collection && contents.role(id_above) == Role::Collection && {
                let outer = contents.logical(heap, above, 0..0);
                outer.is_some_and(|outer| outer.internals.contains(&object))
            };
            let of_library = || index.is_library(id) && is_of_library(namer, object, above);
            is_link || is_node || is_wrapped || of_library()
        }
        // An array in a field of the application is the structure that its source names.
        _ => !(is_plain_above && (index.is_application(id_above) || index.is_thread(above))),
    }
}

/// True if an object of a library is a part of the object or array above it.
fn is_of_library(namer: Namer<'_>, object: ObjectId, above: ObjectId) -> bool {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let (class, class_above) = (heap.class(object), heap.class(above));
    if class_above.kind != ClassKind::Plain {
        // Segments, stripes, buckets.
        return class_above.name.strip_suffix("[]") == Some(&*class.name);
    }
    let is_half = analysis.retained(object).0.saturating_mul(2) >= analysis.retained(above).0;
    index.is_library(heap.class_id(above)) && split_class(&class.name).0 == split_class(&class_above.name).0 && is_half
}

/// True of the engine's storage of an object or a collection, in V8 snapshots.
pub(crate) fn is_storage(namer: Namer<'_>, object: ObjectId) -> bool {
    namer.heap.snapshot().is_some() && PARTS.contains(&&*namer.heap.class(object).name)
}
