//! Accumulation points: where what is held stops being in one piece.
//!
//! From an object down to its biggest child, and so on, retained sizes fall a
//! little with each step, until at one object no single child holds most of it
//! any more: there many small things add up. That object is the *accumulation
//! point*, a collection that grew or the array of one, and its row is a *big
//! drop*. A chain counts as one object with what hangs off it: else every
//! linked list would be followed to its tail.

use super::chains::{Chain, chain_from};
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::{Bytes, Share};

/// What counts as a drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropRule {
    /// Hundredths of what an object retains that its biggest child must retain for the object to be passed on the way down.
    pub percent: u32,
    /// Objects that retain less are not looked at.
    pub least: Bytes,
}

/// The biggest child of an object, if it has any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Biggest {
    /// The child.
    pub child: Option<ObjectId>,
    /// What it retains.
    pub retained: Bytes,
    /// How many children there are.
    pub children: u64,
}

/// A big holder and where what it holds accumulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BigDrop {
    /// The topmost object of the way down.
    pub holder: ObjectId,
    /// The accumulation point at its end; may be the holder itself.
    pub point: ObjectId,
    /// The chain that begins at the point.
    pub chain: Option<Chain>,
    /// What is biggest below the point.
    pub biggest: Biggest,
}

impl DropRule {
    /// Below 70 percent it is a drop, as in Eclipse MAT; at least a hundredth of all that is reachable counts.
    pub fn of(analyzed: &Analyzed) -> Self {
        Self { percent: 70, least: Bytes((analyzed.shown.shallow.0 / 100).max(1)) }
    }

    /// Whether an object that retains so much, with this biggest child, is a drop.
    pub fn is_drop(self, retained: Bytes, biggest: Biggest) -> bool {
        let part = u128::from(biggest.retained.0) * 100;
        retained >= self.least && biggest.children > 0 && part < u128::from(retained.0) * u128::from(self.percent)
    }
}

impl Biggest {
    /// Its part of what the object above retains.
    pub fn share(self, retained: Bytes) -> Share {
        Share::of(self.retained, retained)
    }
}

/// The biggest object directly below another, or hanging off the chain that begins there.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn biggest_below(
    heap: &Heap,
    analyzed: &Analyzed,
    object: ObjectId,
    chain: Option<Chain>,
    task: &Task,
) -> Result<Biggest, Cancelled> {
    let mut biggest = Biggest::default();
    let mut see = |child: ObjectId| {
        let retained = analyzed.retained(child);
        biggest.children += 1;
        if biggest.child.is_none_or(|known| (retained, known) > (biggest.retained, child)) {
            (biggest.child, biggest.retained) = (Some(child), retained);
        }
    };
    if let Some(chain) = chain {
        chain.hanging(heap, analyzed, task)?.into_iter().filter_map(ObjectId::from_raw).for_each(&mut see);
        // The objects of the chain are below it too, though none of them is a child.
        biggest.children += chain.objects - 1;
        return Ok(biggest);
    }
    for (at, child) in analyzed.dominator_children(Some(object)).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        see(child);
    }
    Ok(biggest)
}

/// Goes down from `holder` along what is biggest to where it accumulates.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn accumulation_point(
    heap: &Heap,
    analyzed: &Analyzed,
    holder: ObjectId,
    percent: u32,
    task: &Task,
) -> Result<BigDrop, Cancelled> {
    let rule = DropRule { percent, least: Bytes(0) };
    let mut point = holder;
    loop {
        task.checkpoint()?;
        let chain = chain_from(heap, analyzed, point, task)?;
        let biggest = biggest_below(heap, analyzed, point, chain, task)?;
        match biggest.child {
            Some(child) if !rule.is_drop(analyzed.retained(point), biggest) => point = child,
            _ => return Ok(BigDrop { holder, point, chain, biggest }),
        }
    }
}

/// All big holders with their accumulation points, biggest holder first: the big objects at the top, and below
/// each accumulation point again those of its children that are big enough.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn big_drops(heap: &Heap, analyzed: &Analyzed, rule: DropRule, task: &Task) -> Result<Vec<BigDrop>, Cancelled> {
    let mut drops = Vec::new();
    let mut holders = Vec::new();
    let big = |object: &ObjectId| analyzed.retained(*object) >= rule.least;
    for (at, object) in analyzed.dominator_children(None).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        holders.extend(Some(object).filter(big));
    }
    while let Some(holder) = holders.pop() {
        let drop = accumulation_point(heap, analyzed, holder, rule.percent, task)?;
        drops.push(drop);
        match drop.chain {
            Some(chain) => {
                let hanging = chain.hanging(heap, analyzed, task)?;
                holders.extend(hanging.into_iter().filter_map(ObjectId::from_raw).filter(big));
            }
            None => holders.extend(analyzed.dominator_children(Some(drop.point)).filter(big)),
        }
    }
    drops.sort_by_key(|drop| (std::cmp::Reverse(analyzed.retained(drop.holder)), drop.holder));
    Ok(drops)
}
