//! Questions about the dominator tree of an analysis.

use std::ops::Range;

use rayon::prelude::*;

use super::{Analysis, ClassId, ObjectId};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::{NONE, TreeStep, descent::Descent, groups};

/// A child in the dominator tree, with what its subtree holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subtree {
    /// The child.
    pub object: ObjectId,
    /// Its position in the preorder; the positions of what it dominates follow.
    pub preorder: u32,
    /// Number of objects that it dominates, itself excluded.
    pub dominated: u32,
    /// Its retained size.
    pub retained: Bytes,
}

impl Analysis {
    /// The object at a position of the preorder ([`Analysis::preorder`]); `None` past its end.
    pub fn at_preorder(&self, preorder: u32) -> Option<ObjectId> {
        self.dominance.tree.node(preorder).and_then(ObjectId::from_raw)
    }

    /// Sum of the shallow sizes of the objects at a range of positions.
    pub fn bytes_of(&self, preorders: Range<u32>) -> Bytes {
        self.dominance.bytes_at(preorders)
    }

    /// Objects at a range of positions of the preorder, with their shallow sizes.
    pub fn objects_at(&self, preorders: Range<u32>) -> impl Iterator<Item = (ObjectId, Bytes)> {
        let (mut nodes, mut sums) = (self.dominance.tree.forward(), self.dominance.sums.forward());
        preorders.filter_map(move |preorder| {
            let object = nodes.node(preorder).and_then(ObjectId::from_raw)?;
            Some((object, Bytes(sums.of(preorder..preorder + 1))))
        })
    }

    /// Depth-first traversal of the dominator tree, over the rows of all shown objects.
    pub fn tree_steps(&self) -> impl Iterator<Item = TreeStep> {
        let (tree, top) = (&self.dominance.tree, self.dominance.top);
        // The root is entered first and left last.
        tree.steps().skip(usize::from(top != 0)).take(2 * tree.below(top) as usize)
    }

    /// Immediate dominator; `None` for the topmost objects, for the root of a snapshot ([`Analysis::top`]), and for
    /// unreachable objects.
    pub fn immediate_dominator(&self, object: ObjectId) -> Option<ObjectId> {
        let tree = &self.dominance.tree;
        let above = tree.parent(tree.preorder(object.raw())?);
        tree.node(above).filter(|_| above != self.dominance.top).and_then(ObjectId::from_raw)
    }

    /// Number of objects that the object dominates, itself excluded.
    pub fn dominated_count(&self, object: ObjectId) -> u64 {
        let tree = &self.dominance.tree;
        tree.preorder(object.raw()).map_or(0, |preorder| tree.below(preorder).into())
    }

    /// Objects whose immediate dominator is `parent` (`None`: the virtual root), in no particular order.
    pub fn dominator_children(&self, parent: Option<ObjectId>) -> impl Iterator<Item = ObjectId> {
        self.subtrees(parent).filter_map(|(node, _)| ObjectId::from_raw(node))
    }

    /// The same, each with its retained size.
    pub fn dominator_children_with_retained(
        &self,
        parent: Option<ObjectId>,
    ) -> impl Iterator<Item = (ObjectId, Bytes)> {
        self.dominator_subtrees(parent).map(|child| (child.object, child.retained))
    }

    /// The same, each with its subtree: for many children far cheaper than separate lookups.
    pub fn dominator_subtrees(&self, parent: Option<ObjectId>) -> impl Iterator<Item = Subtree> {
        self.with_sums(self.subtrees(parent))
    }

    /// The positions of all that an object dominates (`None`: the virtual root), in ranges of at least `length` for
    /// [`Analysis::dominator_subtrees_at`], each of the subtrees of some of its children.
    pub fn split_children(&self, parent: Option<ObjectId>, length: u32) -> Vec<Range<u32>> {
        self.preorder_of(parent).map_or_else(Vec::new, |preorder| self.dominance.tree.split(preorder, length))
    }

    /// Objects at the top of a range of positions, in the order of the tree, each with its subtree.
    pub fn dominator_subtrees_at(&self, preorders: Range<u32>) -> impl Iterator<Item = Subtree> {
        self.with_sums(self.dominance.tree.subtrees_at(preorders))
    }

    fn with_sums(&self, subtrees: impl Iterator<Item = (u32, Range<u32>)>) -> impl Iterator<Item = Subtree> {
        let mut sums = self.dominance.sums.forward();
        subtrees.filter_map(move |(node, preorders)| {
            let (preorder, dominated) = (preorders.start, preorders.end - preorders.start - 1);
            Some(Subtree {
                object: ObjectId::from_raw(node)?,
                preorder,
                dominated,
                retained: Bytes(sums.of(preorders)),
            })
        })
    }

    /// Children of an object in the tree as nodes, with the positions of the subtree of each.
    fn subtrees(&self, parent: Option<ObjectId>) -> impl Iterator<Item = (u32, Range<u32>)> {
        self.preorder_of(parent).into_iter().flat_map(|preorder| self.dominance.tree.subtrees(preorder))
    }

    /// Position of an object, or of the parent of the topmost ones.
    fn preorder_of(&self, parent: Option<ObjectId>) -> Option<u32> {
        // Unreachable objects have no children; only `None` yields those of the top.
        parent.map_or(Some(self.dominance.top), |object| self.dominance.tree.preorder(object.raw()))
    }

    /// Walk down the dominator tree from an object, and back up. `None` if unreachable.
    pub fn descent(&self, object: ObjectId) -> Option<Descent<'_>> {
        let tree = &self.dominance.tree;
        tree.preorder(object.raw()).map(|preorder| tree.descent(preorder))
    }

    /// True if every path to `object` passes `dominator`; an object dominates itself.
    pub fn dominates(&self, dominator: ObjectId, object: ObjectId) -> bool {
        let tree = &self.dominance.tree;
        let (Some(above), Some(preorder)) = (self.preorder(dominator), self.preorder(object)) else { return false };
        // The size of the subtree is the slower question: most objects are before the dominator.
        above <= preorder && preorder <= above + tree.below(above)
    }

    /// Combined retained size of some objects according to the dominator tree; each byte counts once. A lower bound:
    /// objects retained only by several of them together are not counted. [`super::reach`] computes the exact size.
    pub fn retained_together(&self, objects: impl IntoIterator<Item = ObjectId>) -> Bytes {
        Bytes(groups::total(&self.dominance.tree, &self.dominance.sums, objects.into_iter().map(ObjectId::raw)))
    }

    /// For each of some distinct objects, index in the list of its nearest dominator among them;
    /// [`heaplens_graph::NONE`] if there is none.
    pub fn nearest_among(&self, objects: &[ObjectId], task: &Task) -> Result<Vec<u32>, Cancelled> {
        let tree = &self.dominance.tree;
        let mut preorders: Vec<(u32, u32)> =
            (0..).zip(objects).filter_map(|(at, object)| Some((tree.preorder(object.raw())?, at))).collect();
        task.checkpoint()?;
        preorders.par_sort_unstable();
        let mut nearest = vec![NONE; objects.len()];
        // Candidates above the current position, with the end of the subtree of each.
        let mut above: Vec<(u32, u32)> = Vec::new();
        for block in preorders.chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            for &(preorder, at) in block {
                while above.pop_if(|&mut (end, _)| end < preorder).is_some() {}
                nearest[at as usize] = above.last().map_or(NONE, |&(_, dominator)| dominator);
                above.push((preorder + tree.below(preorder), at));
            }
        }
        Ok(nearest)
    }

    /// Combined retained size of the objects of each group of a partition, computed in one walk over the shown objects.
    /// Group numbers of at least `groups` mean "no group".
    pub fn retained_by_group(
        &self,
        group_of: impl Fn(ObjectId) -> u32 + Sync,
        groups: usize,
        task: &Task,
    ) -> Result<Vec<Bytes>, Cancelled> {
        let group_of = |node| ObjectId::from_raw(node).map_or(NONE, &group_of);
        let totals = groups::group_totals(&self.dominance.tree, &self.dominance.sums, group_of, groups, task)?;
        Ok(totals.into_iter().map(Bytes).collect())
    }

    /// Combined retained size of all shown objects of a class; each byte counts once.
    pub fn class_retained(&self, class: ClassId) -> Bytes {
        Bytes(self.dominance.class_retained.get(class.index()).copied().unwrap_or_default())
    }
}
