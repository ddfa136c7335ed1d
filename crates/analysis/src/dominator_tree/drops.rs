//! Accumulation points: objects below which retained memory splits into many small parts.
//!
//! From an object down to its largest child, and so on, retained sizes fall a little with each step, until at one
//! object no single child holds most of it any more: there many small objects add up. That object is the *accumulation
//! point*, a collection that grew or the array of one, and its row is a *big drop*. A chain counts as one object with
//! everything below it: else every linked list would be followed to its tail.

use super::chains::{Chain, chain_from};
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Share, Task};
use heaplens_heap::{Analysis, ObjectId};

/// Thresholds of a big drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DropRule {
    /// Percentage of an object's retained size that its largest child must retain for the descent to continue.
    pub percent: u32,
    /// Minimum retained size of examined objects.
    pub least: Bytes,
}

/// Largest child of an object, if it has any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LargestChild {
    /// The child.
    pub child: Option<ObjectId>,
    /// Its retained size.
    pub retained: Bytes,
    /// Number of children.
    pub children: u64,
}

/// A big holder and its accumulation point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BigDrop {
    /// Start of the descent.
    pub holder: ObjectId,
    /// Accumulation point at the end of the descent; may be the holder itself.
    pub point: ObjectId,
    /// The chain that begins at the point.
    pub chain: Option<Chain>,
    /// Largest child of the point.
    pub biggest: LargestChild,
}

impl DropRule {
    /// A child below 70 percent is a drop, as in Eclipse MAT; objects must retain at least 1 percent of the reachable
    /// heap.
    pub fn of(analysis: &Analysis) -> Self {
        Self { percent: 70, least: Bytes((analysis.shown.shallow.0 / 100).max(1)) }
    }

    /// True if an object with this retained size and largest child is a drop.
    pub fn is_drop(self, retained: Bytes, biggest: LargestChild) -> bool {
        let part = u128::from(biggest.retained.0) * 100;
        retained >= self.least && biggest.children > 0 && part < u128::from(retained.0) * u128::from(self.percent)
    }
}

impl LargestChild {
    /// Its share of its parent's retained size.
    pub fn share(self, retained: Bytes) -> Share {
        Share::of(self.retained, retained)
    }
}

/// Largest object directly below another, or below the chain that begins there.
pub fn biggest_below(
    dump: DumpData<'_>,
    object: ObjectId,
    chain: Option<Chain>,
    task: &Task,
) -> Result<LargestChild, Cancelled> {
    let mut biggest = LargestChild::default();
    let mut see = |child: ObjectId| {
        let retained = dump.analysis.retained(child);
        biggest.children += 1;
        if biggest.child.is_none_or(|known| (retained, known) > (biggest.retained, child)) {
            (biggest.child, biggest.retained) = (Some(child), retained);
        }
    };
    if let Some(chain) = chain {
        chain.hanging(dump, task)?.into_iter().filter_map(ObjectId::from_raw).for_each(&mut see);
        // The objects of the chain are below it too, but are no children.
        biggest.children += chain.objects - 1;
        return Ok(biggest);
    }
    for child in dump.analysis.dominator_children(Some(object)) {
        task.checkpoint()?;
        see(child);
    }
    Ok(biggest)
}

/// Descends from `holder` along the largest children to its accumulation point.
pub fn accumulation_point(
    dump: DumpData<'_>,
    holder: ObjectId,
    percent: u32,
    task: &Task,
) -> Result<BigDrop, Cancelled> {
    let rule = DropRule { percent, least: Bytes(0) };
    let mut point = holder;
    loop {
        task.checkpoint()?;
        let chain = chain_from(dump, point, task)?;
        let biggest = biggest_below(dump, point, chain, task)?;
        match biggest.child {
            Some(child) if !rule.is_drop(dump.analysis.retained(point), biggest) => point = child,
            _ => return Ok(BigDrop { holder, point, chain, biggest }),
        }
    }
}

/// All big holders with their accumulation points, largest holder first: the big objects at the top, and below
/// each accumulation point again those of its children that are big enough.
pub fn big_drops(dump: DumpData<'_>, rule: DropRule, task: &Task) -> Result<Vec<BigDrop>, Cancelled> {
    let analysis = dump.analysis;
    let mut drops = Vec::new();
    let mut holders = Vec::new();
    let big = |object: &ObjectId| analysis.retained(*object) >= rule.least;
    for object in analysis.dominator_children(None) {
        task.checkpoint()?;
        holders.extend(Some(object).filter(big));
    }
    while let Some(holder) = holders.pop() {
        let drop = accumulation_point(dump, holder, rule.percent, task)?;
        drops.push(drop);
        match drop.chain {
            Some(chain) => {
                let hanging = chain.hanging(dump, task)?;
                holders.extend(hanging.into_iter().filter_map(ObjectId::from_raw).filter(big));
            }
            None => holders.extend(analysis.dominator_children(Some(drop.point)).filter(big)),
        }
    }
    drops.sort_by_key(|drop| (std::cmp::Reverse(analysis.retained(drop.holder)), drop.holder));
    Ok(drops)
}
