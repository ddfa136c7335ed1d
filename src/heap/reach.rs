//! What is reached from some roots when some objects are not there. One search of the
//! references: exact where the dominator tree, which knows single objects, is not.

use super::classes::Strength;
use super::facts::Heap;
use super::ids::ObjectId;
use crate::graph::bits::Bits;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// The objects that `roots` reach along references no weaker than `weakest`, not through `barred` ones, which are
/// not among them.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn reached(heap: &Heap, roots: &[u32], weakest: Strength, barred: &Bits, task: &Task) -> Result<Bits, Cancelled> {
    let skip = heap.referents_beyond(weakest);
    let mut reached = Bits::new(heap.len());
    let mut waiting = Vec::new();
    // A stored analysis that is damaged may name a row that is none.
    let mut meet = |row: u32, waiting: &mut Vec<ObjectId>| {
        if (row as usize) < heap.len() && !barred.contains(row) && reached.insert(row) {
            waiting.extend(ObjectId::from_raw(row));
        }
    };
    roots.iter().for_each(|&root| meet(root, &mut waiting));
    let mut steps = 0_usize;
    while let Some(object) = waiting.pop() {
        steps += 1;
        if steps.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        heap.class(object).object.into_iter().for_each(|class| meet(class.raw(), &mut waiting));
        let references = heap.references(object);
        let first = usize::from(skip.as_ref().is_some_and(|skip| skip.contains(object.raw())));
        references.iter().skip(first).for_each(|&to| meet(to, &mut waiting));
    }
    Ok(reached)
}
