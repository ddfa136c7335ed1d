//! What a set of objects retains: what a collection would free if all of them
//! went at once.
//!
//! The dominator tree gives a bound in no time: what the topmost of them
//! dominate. What two of them hold, and neither of them alone, it leaves out;
//! the exact answer takes one search from the roots that goes by none of them.

use crate::graph::bits::Bits;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::left_out::LeftOut;
use crate::heap::reach::reached;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// What a set of objects retains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RetainedSet {
    /// The shown objects of the set, each once.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
    /// What would be freed without them, themselves included.
    pub retained: Bytes,
    /// How many objects that is.
    pub retained_objects: u64,
    /// The part of it that single objects of the set dominate.
    pub dominated: Bytes,
}

/// What `objects` retain together, exactly.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn retained_set(
    heap: &Heap,
    analyzed: &Analyzed,
    objects: &[ObjectId],
    task: &Task,
) -> Result<RetainedSet, Cancelled> {
    let mut set = Bits::new(heap.len());
    let mut answer = RetainedSet::default();
    for &object in objects.iter().filter(|&&object| analyzed.is_reachable(object)) {
        if set.insert(object.raw()) {
            answer.objects += 1;
            answer.shallow += heap.shallow(object);
        }
    }
    answer.dominated = analyzed.retained_together(objects.iter().copied());
    let left = reached(heap, analyzed.roots().objects(), analyzed.rules.weakest, &LeftOut::objects(set), task)?;
    for (row, object) in heap.objects().enumerate() {
        if row.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if !left.contains(object.raw()) && analyzed.is_reachable(object) {
            answer.retained_objects += 1;
            answer.retained += heap.shallow(object);
        }
    }
    Ok(answer)
}
