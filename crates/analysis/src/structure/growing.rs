//! Collections whose storage a method has in a local variable: `HashMap.resize`, `ArrayList.grow`. A virtual machine runs out
//! of memory mostly where something grows, so this is the usual state of a large collection in a dump of an
//! `OutOfMemoryError`: two references lead to the storage, and the collection does not dominate it.

use crate::naming::Namer;
use heaplens_heap::reach::{Holder, holders};
use heaplens_heap::{ClassKind, ExcludedReferences, ObjectId, ReferenceKind, Role};

/// Maximum number of holders that are looked at.
const HOLDERS: usize = 16;

/// The collection whose storage an array is, if besides it only local variables hold the array.
pub(crate) fn growing_collection(namer: Namer<'_>, array: ObjectId) -> Option<ObjectId> {
    let (heap, contents) = (namer.heap, namer.contents);
    let is_array = heap.snapshot().is_none() && heap.class(array).kind == ClassKind::ObjectArray;
    if !is_array || !namer.analysis.roots().of(array).is_empty() {
        return None;
    }
    let nothing = ExcludedReferences::default();
    let mut collection = None;
    for (at, holder) in holders(heap, contents, namer.analysis, array, &nothing).enumerate() {
        let Holder::Object(from) = holder else { return None };
        if at == HOLDERS {
            return None;
        }
        if is_local(namer, from, array) {
            continue;
        }
        let has = |of: ObjectId| {
            contents.role(heap.class_id(of)) == Role::Collection
                && contents.logical(heap, of, 0..0).is_some_and(|logical| logical.own_backing().contains(&array))
        };
        if collection.is_some() || !has(from) {
            return None;
        }
        collection = Some(from);
    }
    collection
}

/// True if a thread refers to an object by local variables only.
fn is_local(namer: Namer<'_>, from: ObjectId, to: ObjectId) -> bool {
    let names = namer.contents.reference_names(namer.heap, from, to, HOLDERS);
    !names.is_empty() && names.iter().all(|name| name.kind == ReferenceKind::Local)
}
