//! Who holds a set of objects: of each the nearest dominator that is not in
//! the set itself, and of how many it is that.

use std::collections::HashMap;

use crate::graph::bits::Bits;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// A holder, and what of the set it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The dominator; `None` where GC roots hold objects from several sides.
    pub object: Option<ObjectId>,
    /// How many objects of the set it is the nearest holder of.
    pub objects: u64,
}

/// Who holds an object that no other dominates, in words: GC roots, if it is one; several objects, none of which alone
/// keeps it alive; or nobody.
pub fn beside_dominators(is_root: bool, is_reachable: bool) -> &'static str {
    match (is_root, is_reachable) {
        (true, _) => "GC roots",
        (false, true) => "several objects",
        (false, false) => "nothing",
    }
}

/// A set of objects in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldSet {
    /// The shown objects of the set, each once.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
    /// What single objects of the set dominate, each byte once: a collection without them frees at least that.
    pub dominated: Bytes,
    /// Its holders, those of most objects first, then by address.
    pub holders: Vec<Holder>,
}

/// Who holds `objects`, and what they are in numbers. Follows dominators only, so it costs little more than to
/// look at each object once.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn holders(heap: &Heap, analyzed: &Analyzed, objects: &[ObjectId], task: &Task) -> Result<HeldSet, Cancelled> {
    let mut set = Bits::new(heap.len());
    let mut answer = HeldSet::default();
    for (at, &object) in objects.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if analyzed.is_reachable(object) && set.insert(object.raw()) {
            answer.objects += 1;
            answer.shallow += heap.shallow(object);
        }
    }
    answer.dominated = analyzed.retained_together(objects.iter().copied());
    // Of a chain that is selected as a whole every object has the same holder: what was found is kept.
    let mut found: HashMap<ObjectId, Option<ObjectId>> = HashMap::new();
    let mut counts: HashMap<Option<ObjectId>, u64> = HashMap::new();
    let mut way = Vec::new();
    let mut counted = Bits::new(heap.len());
    for (at, &object) in objects.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if !set.contains(object.raw()) || !counted.insert(object.raw()) {
            continue;
        }
        let mut next = analyzed.immediate_dominator(object);
        let holder = loop {
            match next {
                Some(inside) if set.contains(inside.raw()) => match found.get(&inside) {
                    Some(&holder) => break holder,
                    None => {
                        way.push(inside);
                        next = analyzed.immediate_dominator(inside);
                    }
                },
                holder => break holder,
            }
        };
        found.extend(way.drain(..).map(|inside| (inside, holder)));
        *counts.entry(holder).or_default() += 1;
    }
    answer.holders = counts.into_iter().map(|(object, objects)| Holder { object, objects }).collect();
    answer.holders.sort_by_key(|holder| (std::cmp::Reverse(holder.objects), holder.object));
    Ok(answer)
}
