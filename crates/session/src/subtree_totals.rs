//! Bytes below an object of the dominator tree by a property of the objects, whatever a chart has space for.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::OpenDump;
use crate::compared_outline::BaselineWeight;
use heaplens_analysis::diff::MatchStatus;
use heaplens_analysis::dominator_tree::{GroupedTree, TreeRow};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Part of a dominator tree: positions of its objects in the preorder, ascending and disjoint.
pub struct TreePart {
    preorders: Vec<Range<u32>>,
    /// The object with its subtree, if it is one; its match in the baseline had the objects that were removed.
    root: Option<ObjectId>,
    is_whole: bool,
}

impl TreePart {
    /// What is below a row of the grouped tree, its own objects included; the whole heap for `None`.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn below(dump: &OpenDump, row: Option<TreeRow>, task: &Task) -> Result<Self, Cancelled> {
        let analysis = &dump.analysis;
        Ok(match row {
            None => Self { preorders: Vec::new(), root: None, is_whole: true },
            Some(TreeRow::Object(root)) => Self::of(dump, Some(root)),
            Some(TreeRow::Group(group)) => {
                let members = GroupedTree::new(dump.data(), task)?.members(group.id.part, task)?;
                let mut preorders: Vec<_> = members.into_iter().filter_map(|object| analysis.subtree(object)).collect();
                task.checkpoint()?;
                preorders.par_sort_unstable_by_key(|range| range.start);
                Self { preorders, root: None, is_whole: false }
            }
        })
    }

    /// An object and what it dominates; everything for `None`.
    fn of(dump: &OpenDump, root: Option<ObjectId>) -> Self {
        let preorders = root.and_then(|root| dump.analysis.subtree(root)).into_iter().collect();
        Self { preorders, root, is_whole: root.is_none() }
    }

    fn contains(&self, dump: &OpenDump, object: ObjectId) -> bool {
        let Some(preorder) = dump.analysis.preorder(object) else { return false };
        let after = self.preorders.partition_point(|range| range.start <= preorder);
        let is_below = || self.preorders[..after].last().is_some_and(|range| range.contains(&preorder));
        if self.is_whole { dump.analysis.is_reachable(object) } else { is_below() }
    }

    /// True if a single object dominates all of the part.
    pub fn has_root(&self) -> bool {
        self.root.is_some()
    }

    /// True if `object` is at the top of the part.
    pub fn is_at_top(&self, dump: &OpenDump, object: ObjectId) -> bool {
        let Some(preorder) = dump.analysis.preorder(object) else { return false };
        self.preorders.binary_search_by_key(&preorder, |range| range.start).is_ok()
    }
}

/// Shallow bytes by key of the objects of a part.
pub fn totals_below<K: Ord + Send>(
    dump: &OpenDump,
    part: &TreePart,
    key: impl Fn(ObjectId) -> Option<K> + Sync,
    task: &Task,
) -> Result<BTreeMap<K, u64>, Cancelled> {
    let heap = &dump.heap;
    task.step("Summing the colours of the chart", Unit::Objects, heap.len() as u64);
    let of_block = |block: Result<Range<usize>, Cancelled>| {
        let block = block?;
        let mut totals = BTreeMap::new();
        task.advance(block.len() as u64);
        for object in block.filter_map(ObjectId::new).filter(|&object| part.contains(dump, object)) {
            if let Some(key) = key(object) {
                *totals.entry(key).or_default() += heap.shallow(object).0;
            }
        }
        Ok(totals)
    };
    task.par_blocks(heap.len()).map(of_block).try_reduce(BTreeMap::new, |one, other| Ok(added(one, other)))
}

/// Shallow bytes by change of their objects, in a comparison: of the objects of a part, and of those that the match of
/// its root dominated and that were removed. `role` is given the retained size in both heaps.
pub fn changes_below<K: Ord + Send>(
    dump: &OpenDump,
    part: &TreePart,
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
    let now = totals_below(dump, part, change, task)?;
    let old = part.root.and_then(|root| matches.before(root));
    if old.is_none() && !part.is_whole {
        return Ok(now);
    }
    let is_gone = |object| matches.match_status_of_before(object) == MatchStatus::Alone;
    let removed = |object| is_gone(object).then(|| role(BaselineWeight::Gone, 0));
    Ok(added(now, totals_below(before, &TreePart::of(before, old), removed, task)?))
}

fn added<K: Ord>(mut one: BTreeMap<K, u64>, other: BTreeMap<K, u64>) -> BTreeMap<K, u64> {
    for (key, bytes) in other {
        *one.entry(key).or_default() += bytes;
    }
    one
}
