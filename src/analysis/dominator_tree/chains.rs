//! Chains: runs of objects of one class, each of which is the only one of that
//! class directly below the one before. A linked list of five million nodes is
//! one row, and what its nodes hold hangs off the chain.
//!
//! What else hangs below a node does not matter for whether it is a chain: in a
//! list every node holds its element, and that may be of any size. It hangs off
//! the chain as a whole, so that nothing is lost and all sums are exact.

use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// A run of fewer objects is not folded.
pub const CHAIN_AT_LEAST: u64 = 4;

/// From so many objects on a run is followed in one way down and back.
const LONG: u64 = 64;

/// A run of objects of one class, each dominated by the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// The first, which dominates all the others.
    pub head: ObjectId,
    /// The last, which all the others dominate.
    pub last: ObjectId,
    /// How many they are.
    pub objects: u64,
    /// What they take by themselves, together.
    pub shallow: Bytes,
}

impl Chain {
    /// Adds the object below the last.
    fn add(&mut self, heap: &Heap, after: ObjectId) {
        self.last = after;
        self.objects += 1;
        self.shallow += heap.shallow(after);
    }

    /// Whether the object is one of the run.
    pub fn contains(&self, analyzed: &Analyzed, object: ObjectId) -> bool {
        analyzed.dominates(self.head, object) && analyzed.dominates(object, self.last)
    }

    /// The objects of the run, the first one first.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn members(&self, heap: &Heap, analyzed: &Analyzed, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let mut members = Vec::with_capacity(self.objects as usize);
        let mut at = Some(self.head);
        while let Some(object) = at {
            if members.len().is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            members.push(object.raw());
            at = if object == self.last { None } else { next(heap, analyzed, object, task)? };
        }
        Ok(members)
    }

    /// What hangs off the run: directly below one of its objects, and not of the run itself.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn hanging(&self, heap: &Heap, analyzed: &Analyzed, task: &Task) -> Result<Vec<u32>, Cancelled> {
        // Nothing but the run itself: the way down a long list is not gone for nothing.
        if analyzed.dominated(self.head) + 1 == self.objects {
            return Ok(Vec::new());
        }
        let class = heap.class_id(self.head);
        let (mut hanging, mut at, mut seen) = (Vec::new(), Some(self.head), 0_usize);
        while let Some(object) = at.take() {
            for child in analyzed.dominator_children(Some(object)) {
                if object != self.last && heap.class_id(child) == class {
                    at = Some(child);
                } else {
                    hanging.push(child.raw());
                }
                seen += 1;
                if seen.is_multiple_of(CHECKPOINT_EVERY) {
                    task.checkpoint()?;
                }
            }
        }
        Ok(hanging)
    }
}

/// The only object of its class directly below `object`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn next(heap: &Heap, analyzed: &Analyzed, object: ObjectId, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    let class = heap.class_id(object);
    let mut only = None;
    for (at, child) in analyzed.dominator_children(Some(object)).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if heap.class_id(child) == class && only.replace(child).is_some() {
            return Ok(None);
        }
    }
    Ok(only)
}

/// The chain that begins at `head`, if it is long enough to be folded. Costs what is directly below its objects.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn chain_from(heap: &Heap, analyzed: &Analyzed, head: ObjectId, task: &Task) -> Result<Option<Chain>, Cancelled> {
    if analyzed.dominated(head) + 1 < CHAIN_AT_LEAST {
        return Ok(None);
    }
    let mut chain = Chain { head, last: head, objects: 1, shallow: heap.shallow(head) };
    while let Some(after) = next(heap, analyzed, chain.last, task)? {
        chain.add(heap, after);
        if chain.objects == LONG {
            for row in rest(heap, analyzed, after, task)? {
                ObjectId::from_raw(row).into_iter().for_each(|object| chain.add(heap, object));
            }
            break;
        }
    }
    Ok((chain.objects >= CHAIN_AT_LEAST).then_some(chain))
}

/// How the chain goes on below one of its objects, in one way down and back. On the way down the first object of the
/// class below each is taken; on the way back it shows whether it was the only one.
fn rest(heap: &Heap, analyzed: &Analyzed, from: ObjectId, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let class = heap.class_id(from);
    let (mut rest, mut is_over, mut seen) = (Vec::new(), false, 0_usize);
    let Some(mut descent) = analyzed.descent(from) else { return Ok(rest) };
    while let Some((row, depth)) = descent.step() {
        seen += 1;
        if seen.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let is_of_class = ObjectId::from_raw(row).is_some_and(|object| heap.class_id(object) == class);
        // All above it is of the run: whatever is not is passed over.
        let above = depth as usize - 1;
        if is_of_class && above == rest.len() && !is_over {
            rest.push(row);
            continue;
        }
        if is_of_class && above < rest.len() {
            // The second below one of the run, which ends there.
            rest.truncate(above);
            is_over = true;
        }
        descent.pass();
    }
    Ok(rest)
}
