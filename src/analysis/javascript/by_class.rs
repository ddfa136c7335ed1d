//! A part of the heap by class: what somebody keeps, what was allocated in a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Opened;
use crate::heap::ids::{ClassId, ObjectId};
use crate::heap::totals::Totals;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Objects that are told of a class.
const FIRST: usize = 20;

/// The objects of a class that are in the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassPart {
    /// The class.
    pub class: ClassId,
    /// How many, and their bytes.
    pub totals: Totals,
    /// The first of them, most retained first.
    pub first: Vec<ObjectId>,
}

/// Those that retain most, the least of them on top.
type Most = BinaryHeap<Reverse<(Bytes, Reverse<ObjectId>)>>;

/// The classes of those of some objects that are meant, most bytes first, equal ones by name.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn by_class(
    of: Opened<'_>,
    objects: impl Iterator<Item = ObjectId>,
    is_meant: impl Fn(&ObjectId) -> bool,
    task: &Task,
) -> Result<Vec<ClassPart>, Cancelled> {
    let mut classes: FxHashMap<ClassId, (Totals, Most)> = FxHashMap::default();
    for (nth, object) in objects.enumerate() {
        if nth % CHECKPOINT_EVERY == 0 {
            task.checkpoint()?;
        }
        if !is_meant(&object) {
            continue;
        }
        let (totals, most) = classes.entry(of.heap.class_id(object)).or_default();
        totals.add(Totals { objects: 1, shallow: of.heap.shallow(object) });
        let entry = Reverse((of.analyzed.retained(object), Reverse(object)));
        if most.len() < FIRST {
            most.push(entry);
        } else if let Some(mut least) = most.peek_mut().filter(|least| entry < **least) {
            *least = entry;
        }
    }
    let part = |(class, (totals, most)): (ClassId, (Totals, Most))| {
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
