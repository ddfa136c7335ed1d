//! Chains: runs of objects of one class, each of which is the only one of that class directly below the one before. A
//! linked list of five million nodes is one row, and objects held by its nodes are below the chain.
//!
//! Other objects below a node do not matter for whether it is a chain: in a list every node holds its element, and that
//! may be of any size. It is below the chain as a whole, so that nothing is lost and all sums are exact.

use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Analysis, Heap, ObjectId};

/// Minimum length of a chain.
pub const CHAIN_AT_LEAST: u64 = 4;

/// Number of objects from which a run is followed in one pass down and back.
const LONG: u64 = 64;

/// A run of objects of one class, each dominated by the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chain {
    /// The head, which dominates all the others.
    pub head: ObjectId,
    /// The tail, which all the others dominate.
    pub last: ObjectId,
    /// Number of objects in the chain.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
}

impl Chain {
    /// Appends the object below the tail.
    fn add(&mut self, heap: &Heap, after: ObjectId) {
        self.last = after;
        self.objects += 1;
        self.shallow += heap.shallow(after);
    }

    /// True if the object is part of the chain.
    pub fn contains(&self, analysis: &Analysis, object: ObjectId) -> bool {
        analysis.dominates(self.head, object) && analysis.dominates(object, self.last)
    }

    /// Objects of the chain, the head first.
    pub fn members(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let mut members = Vec::with_capacity(self.objects as usize);
        let mut at = Some(self.head);
        while let Some(object) = at {
            task.checkpoint()?;
            members.push(object.raw());
            at = if object == self.last { None } else { next(dump, object, task)? };
        }
        Ok(members)
    }

    /// Objects directly below one of the chain's objects that are not part of the chain.
    pub fn hanging(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<u32>, Cancelled> {
        // Nothing but the chain itself: avoids walking down a long list.
        if dump.analysis.dominated_count(self.head) + 1 == self.objects {
            return Ok(Vec::new());
        }
        let class = dump.heap.class_id(self.head);
        let (mut hanging, mut at) = (Vec::new(), Some(self.head));
        while let Some(object) = at.take() {
            for child in dump.analysis.dominator_children(Some(object)) {
                task.checkpoint()?;
                if object != self.last && dump.heap.class_id(child) == class {
                    at = Some(child);
                } else {
                    hanging.push(child.raw());
                }
            }
        }
        Ok(hanging)
    }
}

/// The only object of its class directly below `object`.
pub fn next(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    let class = dump.heap.class_id(object);
    let mut only = None;
    for child in dump.analysis.dominator_children(Some(object)) {
        task.checkpoint()?;
        if dump.heap.class_id(child) == class && only.replace(child).is_some() {
            return Ok(None);
        }
    }
    Ok(only)
}

/// The chain that begins at `head`, if it is long enough. Time is linear in the children of its objects.
pub fn chain_from(dump: DumpData<'_>, head: ObjectId, task: &Task) -> Result<Option<Chain>, Cancelled> {
    let heap = dump.heap;
    if dump.analysis.dominated_count(head) + 1 < CHAIN_AT_LEAST {
        return Ok(None);
    }
    let mut chain = Chain { head, last: head, objects: 1, shallow: heap.shallow(head) };
    while let Some(after) = next(dump, chain.last, task)? {
        chain.add(heap, after);
        if chain.objects == LONG {
            for row in rest(dump, after, task)? {
                ObjectId::from_raw(row).into_iter().for_each(|object| chain.add(heap, object));
            }
            break;
        }
    }
    Ok((chain.objects >= CHAIN_AT_LEAST).then_some(chain))
}

/// Continues the chain below one of its objects in one pass down and back. On the way down the first object of the
/// class below each is taken; on the way back its uniqueness is checked.
fn rest(dump: DumpData<'_>, from: ObjectId, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let class = dump.heap.class_id(from);
    let (mut rest, mut is_over) = (Vec::new(), false);
    let Some(mut descent) = dump.analysis.descent(from) else { return Ok(rest) };
    while let Some((row, depth)) = descent.step() {
        task.checkpoint()?;
        let is_of_class = ObjectId::from_raw(row).is_some_and(|object| dump.heap.class_id(object) == class);
        // Everything above belongs to the run; other objects are skipped.
        let above = depth as usize - 1;
        if is_of_class && above == rest.len() && !is_over {
            rest.push(row);
            continue;
        }
        if is_of_class && above < rest.len() {
            // A second object of the class below an object of the run ends it there.
            rest.truncate(above);
            is_over = true;
        }
        descent.pass();
    }
    Ok(rest)
}
