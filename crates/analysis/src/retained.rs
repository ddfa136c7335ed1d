//! Retained set of several objects: the bytes a garbage collection would free if all of them were collected.
//!
//! The dominator tree gives a fast lower bound: the objects that the topmost of them
//! dominate. It misses objects held by two of them together but dominated by neither;
//! the exact result takes one search from the roots that avoids all of them.

use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ExcludedReferences, ObjectId, reach::reached};

/// Retained set of several objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetainedSet {
    /// Number of distinct shown objects in the set.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of the set, itself included.
    pub retained: Bytes,
    /// Number of objects in the retained set.
    pub retained_objects: u64,
    /// Part of it dominated by single objects of the set.
    pub dominated: Bytes,
}

/// Objects that would be freed if all of `objects` were collected, ascending: those that no root reaches without them.
pub fn retained_objects(dump: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let DumpData { heap, analysis, .. } = dump;
    let mut set = Bits::new(heap.len());
    set.extend(objects.iter().filter(|&&object| analysis.is_reachable(object)).map(|object| object.raw()));
    let excluded = ExcludedReferences::objects(set);
    let left = reached(heap, analysis.roots().objects(), analysis.rules.min_strength, &excluded, task)?;
    let mut retained = Vec::new();
    for object in heap.objects() {
        task.checkpoint_at(object.index())?;
        if !left.contains(object.raw()) && analysis.is_reachable(object) {
            retained.push(object);
        }
    }
    Ok(retained)
}

/// Exact retained set of `objects`.
pub fn retained_set(dump: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<RetainedSet, Cancelled> {
    let heap = dump.heap;
    let mut set = Bits::new(heap.len());
    let mut answer = RetainedSet::default();
    for &object in objects.iter().filter(|&&object| dump.analysis.is_reachable(object)) {
        if set.insert(object.raw()) {
            answer.objects += 1;
            answer.shallow += heap.shallow(object);
        }
    }
    answer.dominated = dump.analysis.retained_together(objects.iter().copied());
    let retained = retained_objects(dump, objects, task)?;
    answer.retained_objects = retained.len() as u64;
    answer.retained = retained.into_iter().map(|object| heap.shallow(object)).sum();
    Ok(answer)
}
