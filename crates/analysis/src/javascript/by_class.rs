//! A part of the heap by class: objects retained by a filter, or allocated in an interval.

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashMap;

use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, Totals};

/// Example objects per class.
const FIRST: usize = 20;

/// Objects of a class in the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassPart {
    /// The class.
    pub class: ClassId,
    /// Their number and bytes.
    pub totals: Totals,
    /// Examples, largest retained size first.
    pub first: Vec<ObjectId>,
}

/// Objects with the largest retained sizes, as a min-heap.
type LargestObjects = BinaryHeap<Reverse<(Bytes, Reverse<ObjectId>)>>;

/// Classes of the selected objects, most bytes first, ties by name.
pub fn by_class(
    of: DumpData<'_>,
    objects: impl Iterator<Item = ObjectId>,
    is_meant: impl Fn(&ObjectId) -> bool,
    task: &Task,
) -> Result<Vec<ClassPart>, Cancelled> {
    let mut classes: FxHashMap<ClassId, (Totals, LargestObjects)> = FxHashMap::default();
    for (at, object) in objects.enumerate() {
        task.checkpoint_at(at)?;
        if !is_meant(&object) {
            continue;
        }
        let (totals, most) = classes.entry(of.heap.class_id(object)).or_default();
        totals.add(Totals { objects: 1, shallow: of.heap.shallow(object) });
        let entry = Reverse((of.analysis.retained(object), Reverse(object)));
        if most.len() < FIRST {
            most.push(entry);
        } else if let Some(mut smallest) = most.peek_mut().filter(|smallest| entry < **smallest) {
            *smallest = entry;
        }
    }
    let part = |(class, (totals, most)): (ClassId, (Totals, LargestObjects))| {
        let first = most.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(object)))| object).collect();
        ClassPart { class, totals, first }
    };
    let mut parts: Vec<ClassPart> = classes.into_iter().map(part).collect();
    let name = |part: &ClassPart| &*of.heap.classes.get(part.class).name;
    parts.sort_by(|a, b| {
        let bytes = b.totals.shallow.cmp(&a.totals.shallow);
        bytes.then_with(|| name(a).cmp(name(b))).then(a.class.cmp(&b.class))
    });
    Ok(parts)
}
