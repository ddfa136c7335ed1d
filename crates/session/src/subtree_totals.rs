//! Bytes below an object of the dominator tree by a property of the objects, whatever a chart has space for.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::OpenDump;
use crate::compared_outline::BaselineWeight;
use heaplens_analysis::diff::MatchStatus;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Shallow bytes by key of the objects that `root` dominates, itself included; of all for `None`.
pub fn totals_below<K: Ord + Send>(
    dump: &OpenDump,
    root: Option<ObjectId>,
    key: impl Fn(ObjectId) -> Option<K> + Sync,
    task: &Task,
) -> Result<BTreeMap<K, u64>, Cancelled> {
    let (heap, analysis) = (&dump.heap, &dump.analysis);
    task.step("Summing the colours of the chart", Unit::Objects, heap.len() as u64);
    let is_below = |object: &ObjectId| match root {
        Some(root) => analysis.dominates(root, *object),
        None => analysis.is_reachable(*object),
    };
    let of_block = |block: Result<std::ops::Range<usize>, Cancelled>| {
        let block = block?;
        let mut totals = BTreeMap::new();
        task.advance(block.len() as u64);
        for object in block.filter_map(ObjectId::new).filter(&is_below) {
            if let Some(key) = key(object) {
                *totals.entry(key).or_default() += heap.shallow(object).0;
            }
        }
        Ok(totals)
    };
    task.par_blocks(heap.len()).map(of_block).try_reduce(BTreeMap::new, |one, other| Ok(added(one, other)))
}

/// Shallow bytes by change of their objects, in a comparison: of the objects that `root` dominates, and of those that
/// its match dominated and that were removed. `role` is given the retained size in both heaps.
pub fn changes_below<K: Ord + Send>(
    dump: &OpenDump,
    root: Option<ObjectId>,
    role: impl Fn(BaselineWeight, u64) -> K + Sync,
    task: &Task,
) -> Result<BTreeMap<K, u64>, Cancelled> {
    let Some((before, comparison)) = dump.compared() else { return Ok(BTreeMap::new()) };
    let matches = &comparison.matches;
    let change = |object: ObjectId| {
        let was = match matches.match_status_of_after(object) {
            MatchStatus::Matched(old, _) => BaselineWeight::Weighed(before.analysis.retained(old).0),
            MatchStatus::Alone => BaselineWeight::Absent,
            MatchStatus::Unknown => BaselineWeight::Unknown,
        };
        Some(role(was, dump.analysis.retained(object).0))
    };
    let now = totals_below(dump, root, change, task)?;
    let old = root.map(|root| matches.before(root));
    if old == Some(None) {
        return Ok(now);
    }
    let is_gone = |object| matches.match_status_of_before(object) == MatchStatus::Alone;
    let removed = |object| is_gone(object).then(|| role(BaselineWeight::Gone, 0));
    Ok(added(now, totals_below(before, old.flatten(), removed, task)?))
}

fn added<K: Ord>(mut one: BTreeMap<K, u64>, other: BTreeMap<K, u64>) -> BTreeMap<K, u64> {
    for (key, bytes) in other {
        *one.entry(key).or_default() += bytes;
    }
    one
}
