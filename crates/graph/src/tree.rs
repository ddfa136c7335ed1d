//! Rooted tree in preorder: preorder number 0 is the root's, and every subtree is a range of preorder numbers. So the
//! children of a node are found by skipping from subtree to subtree, *is below* is a comparison, and sums over subtrees
//! are differences.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

pub use super::parentheses::NodeWalk;
use super::{
    NONE,
    descent::Descent,
    parentheses::Parentheses,
    sums::{SumSlices, Sums},
};
use heaplens_base::storage::{Buffer, Column, ForwardColumn, MemoryBudget, StoredAnalysis};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

const NODE: &str = "tree.node";
const PREORDER: &str = "tree.place";

/// Maximum number of totals of groups computed at once: those of every part of the tree.
const GROUPS_AT_ONCE: usize = 4_000_000;
/// Maximum number of levels climbed to a child with which a part of a list of children begins: below a long list, fewer
/// parts are better than a climb for each.
const LEVELS: u32 = 1_000;

/// Tree over nodes of a graph. The root is not one of them.
pub struct Tree {
    /// Node at each preorder number; [`NONE`] for the root's.
    node: Column<u32>,
    /// Preorder number of each node; 0 if it is not in the tree.
    preorder: Column<u32>,
    shape: Parentheses,
}

/// Nodes of a tree, for access to preorder numbers in ascending order.
pub struct ForwardNodes<'a> {
    nodes: ForwardColumn<'a, u32>,
    known: usize,
}

impl ForwardNodes<'_> {
    /// The node at a preorder number; `None` for the root's.
    #[inline]
    pub fn node(&mut self, preorder: u32) -> Option<u32> {
        self.nodes.get(preorder as usize).filter(|&node| (node as usize) < self.known)
    }
}

/// Step of a traversal of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeStep {
    /// Enters a child of the current node.
    Into(u32),
    /// Leaves the current node.
    OutOf,
}

/// Number of nodes below each preorder number; a column only while the tree is built.
pub struct SubtreeCounts(Buffer<u64>);

/// Position of a node in the shape of a tree.
#[derive(Clone, Copy)]
pub(super) struct NodeShape {
    /// Number of nodes below, and of ancestors.
    pub(super) below: u32,
    pub(super) depth: u32,
}

impl NodeShape {
    #[inline]
    pub(super) fn packed(self) -> u64 {
        u64::from(self.depth) << 32 | u64::from(self.below)
    }

    #[inline]
    fn of(packed: u64) -> Self {
        Self { below: packed as u32, depth: (packed >> 32) as u32 }
    }
}

impl SubtreeCounts {
    #[inline]
    fn at(&self, preorder: usize) -> u32 {
        NodeShape::of(self.0[preorder]).below
    }
}

impl Tree {
    /// The tree with these columns: node at each preorder number, preorder number of each node, and [`NodeShape`] at
    /// each preorder number.
    pub(super) fn of_columns(
        node: Buffer<u32>,
        preorder: Buffer<u32>,
        shapes: Buffer<u64>,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, SubtreeCounts), Cancelled> {
        let shape = Parentheses::new(node.len() as u32, begins(&shapes, budget, task)?, budget, task)?;
        Ok((Self { node: node.into(), preorder: preorder.into(), shape }, SubtreeCounts(shapes)))
    }

    /// Writes the tree to the column file.
    #[must_use]
    pub fn keep(self, budget: &MemoryBudget) -> Self {
        Self { node: budget.keep(NODE, self.node), preorder: budget.keep(PREORDER, self.preorder), shape: self.shape }
    }

    /// Loads a stored tree.
    pub fn find(stored: &StoredAnalysis) -> Option<Self> {
        let (node, preorder): (Column<u32>, _) = (stored.column(NODE)?, stored.column(PREORDER)?);
        let shape = Parentheses::find(stored, u32::try_from(node.len()).ok()?)?;
        Some(Self { node, preorder, shape })
    }

    /// Number of preorder numbers, including that of the root.
    pub fn size(&self) -> u32 {
        self.node.len() as u32
    }

    /// Preorder number of a node; `None` if it is not in the tree.
    #[inline]
    pub fn preorder(&self, node: u32) -> Option<u32> {
        self.preorder.get(node as usize).filter(|&preorder| preorder != 0 && preorder < self.size())
    }

    /// Loads the preorder number of a node in the background.
    #[inline]
    pub fn prefetch_preorder(&self, node: u32) {
        self.preorder.prefetch(node as usize);
    }

    /// The nodes at all preorder numbers, [`NONE`] for the root's.
    pub fn nodes(&self) -> &[u32] {
        self.node.all()
    }

    /// Preorder numbers of all nodes, 0 for those outside the tree.
    pub fn preorders(&self) -> &[u32] {
        self.preorder.all()
    }

    /// The node at a preorder number; `None` for the root's.
    #[inline]
    pub fn node(&self, preorder: u32) -> Option<u32> {
        self.node.get(preorder as usize).filter(|&node| (node as usize) < self.preorder.len())
    }

    /// Sequential reader of the nodes.
    pub fn forward(&self) -> ForwardNodes<'_> {
        ForwardNodes { nodes: self.node.forward(), known: self.preorder.len() }
    }

    /// Depth-first traversal, child by child: into a node, and out of it again after all nodes below it. The root is
    /// omitted.
    pub fn steps(&self) -> impl Iterator<Item = TreeStep> {
        let nodes = self.node.all();
        let mut preorder = 0_usize;
        // Without the beginning and end of the root.
        self.shape.steps().skip(1).take((2 * nodes.len()).saturating_sub(2)).map(move |begins| {
            if !begins {
                return TreeStep::OutOf;
            }
            preorder += 1;
            TreeStep::Into(nodes.get(preorder).copied().unwrap_or(NONE))
        })
    }

    /// The preorder number of the parent; the root is its own.
    pub fn parent(&self, preorder: u32) -> u32 {
        self.shape.parent(preorder)
    }

    /// Number of nodes below the one at a preorder number.
    #[inline]
    pub fn below(&self, preorder: u32) -> u32 {
        self.shape.below(preorder, self.shape.begin(preorder))
    }

    /// Children of the node at a preorder number: the node of each, and the preorder numbers of its subtree, its own
    /// first. A child is followed by its own subtree, then the next child.
    pub fn subtrees(&self, preorder: u32) -> impl Iterator<Item = (u32, Range<u32>)> {
        let begin = self.shape.begin(preorder);
        self.subtrees_from(begin + 1, preorder + 1..preorder + self.shape.below(preorder, begin) + 1)
    }

    /// The same for the siblings whose subtrees are a range of preorder numbers, as [`Tree::split`] finds it.
    pub fn subtrees_at(&self, preorders: Range<u32>) -> impl Iterator<Item = (u32, Range<u32>)> {
        let begin = if preorders.is_empty() { 0 } else { self.shape.begin(preorders.start) };
        self.subtrees_from(begin, preorders)
    }

    /// Siblings from the one that begins at a bit.
    fn subtrees_from(&self, mut bit: u64, preorders: Range<u32>) -> impl Iterator<Item = (u32, Range<u32>)> {
        let (mut next, end) = (preorders.start, preorders.end);
        let (mut shape, mut nodes) = (self.shape.forward(), self.forward());
        let preorders = std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            let below = shape.below(child, bit);
            next += below + 1;
            bit += 2 * (u64::from(below) + 1);
            Some(child..next)
        });
        preorders.filter_map(move |preorders| Some((nodes.node(preorders.start)?, preorders)))
    }

    /// The preorder numbers below a node, in ranges of at least `length` if there are so many, each of the subtrees of
    /// some of its children.
    pub fn split(&self, preorder: u32, length: u32) -> Vec<Range<u32>> {
        let all = preorder + 1..preorder + self.below(preorder) + 1;
        let later = all.clone().step_by(length.max(1) as usize).skip(1).filter_map(|at| self.child_from(preorder, at));
        let mut bounds: Vec<u32> = std::iter::once(all.start).chain(later).chain([all.end]).collect();
        bounds.dedup();
        bounds.windows(2).map(|part| part[0]..part[1]).collect()
    }

    /// The preorder number of the first child of a node that is at or after a preorder number below it, or the end of
    /// its subtree; `None` if the preorder number is so deep that finding out takes long.
    fn child_from(&self, parent: u32, preorder: u32) -> Option<u32> {
        let mut at = preorder;
        for _ in 0..LEVELS {
            let above = self.parent(at);
            if above == parent {
                return Some(if at == preorder { preorder } else { at + self.below(at) + 1 });
            }
            at = above;
        }
        None
    }

    /// Walk down from the node at a preorder number, and back up.
    pub fn descent(&self, preorder: u32) -> Descent<'_> {
        Descent::new(
            self.preorders().len(),
            preorder,
            self.shape.begin(preorder),
            self.shape.forward(),
            self.node.forward(),
        )
    }

    /// Iterator over all preorder numbers in order. For a tree from a stored analysis, this reads and checks its shape.
    pub fn walk(&self) -> NodeWalk<'_> {
        self.shape.walk()
    }

    /// For each group, the sum over the subtrees of its topmost members: the combined weight of the members, each
    /// counted once. A member below another member of its group adds nothing. Group numbers of at least `groups` mean
    /// "no group".
    pub fn group_totals(
        &self,
        below: &SubtreeCounts,
        sums: &Sums,
        group_of: impl Fn(u32) -> u32 + Sync,
        groups: usize,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let nodes = self.node.all();
        // Random reads in parallel first; the rest is sequential by preorder number.
        let mut group_at = budget.scratch::<u32>(nodes.len());
        let blocks = group_at.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).zip(nodes.par_chunks(CHECKPOINT_EVERY));
        blocks.try_for_each(|(groups, nodes)| {
            task.checkpoint()?;
            for (group, &node) in groups.iter_mut().zip(nodes) {
                *group = if node == NONE { NONE } else { group_of(node) };
            }
            Ok(())
        })?;
        let parts = rayon::current_num_threads().min(GROUPS_AT_ONCE / groups.max(1)).max(1);
        let length = nodes.len().div_ceil(parts).max(CHECKPOINT_EVERY);
        totals_by_part((&group_at[..], below), sums, groups, length, task)
    }
}

/// Group totals by parts of `length` preorder numbers, in parallel. Each begins as if the preorder numbers before it
/// had been visited: only subtrees of ancestors of its first preorder number reach into it.
fn totals_by_part(
    (group_at, below): (&[u32], &SubtreeCounts),
    sums: &Sums,
    groups: usize,
    length: usize,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let starts: Vec<usize> = (0..group_at.len()).step_by(length).collect();
    let sums = sums.slices();
    let of_part = |start: usize| {
        let covered = covered_at(start, group_at, below, groups, task)?;
        part_totals(start..(start + length).min(group_at.len()), covered, (group_at, below), sums, task)
    };
    let add = |mut totals: Vec<u64>, part: Vec<u64>| {
        totals.iter_mut().zip(part).for_each(|(total, more)| *total = total.saturating_add(more));
        Ok(totals)
    };
    starts.into_par_iter().map(of_part).try_reduce(|| vec![0; groups], add)
}

/// By group, the end of the subtree of its topmost member among the ancestors of a preorder number. They are found on
/// the way down from the root, past the siblings before each.
fn covered_at(
    preorder: usize,
    group_at: &[u32],
    below: &SubtreeCounts,
    groups: usize,
    task: &Task,
) -> Result<Vec<u32>, Cancelled> {
    let (mut covered_to, mut at, mut steps) = (vec![0; groups], 0, 0);
    while at < preorder {
        let end = at + below.at(at) as usize + 1;
        if end > preorder {
            if let Some(covered_to) = covered_to.get_mut(group_at[at] as usize) {
                *covered_to = (end as u32).max(*covered_to);
            }
            at += 1;
        } else {
            at = end;
        }
        steps += 1;
        task.checkpoint_at(steps)?;
    }
    Ok(covered_to)
}

/// Sums over the subtrees of the topmost members of each group in a range of preorder numbers. `covered_to` has the
/// ends of the subtrees that reach into it.
fn part_totals(
    preorders: Range<usize>,
    mut covered_to: Vec<u32>,
    (group_at, below): (&[u32], &SubtreeCounts),
    sums: SumSlices<'_>,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let mut totals = vec![0_u64; covered_to.len()];
    for preorder in preorders {
        task.checkpoint_at(preorder)?;
        let group = group_at[preorder] as usize;
        // End of the subtree of the topmost member seen last; a later node before that preorder number is inside its
        // subtree.
        let Some(covered_to) = covered_to.get_mut(group) else { continue };
        if preorder as u32 >= *covered_to {
            let end = preorder as u32 + below.at(preorder) + 1;
            totals[group] = totals[group].saturating_add(sums.of(preorder as u32..end));
            *covered_to = end;
        }
    }
    Ok(totals)
}

/// Bits with a 1 where each node begins, for [`Parentheses`]: before it come the two bits of every node at an earlier
/// preorder number, except for the end bits of its ancestors.
fn begins(shapes: &[u64], budget: &MemoryBudget, task: &Task) -> Result<Buffer<u64>, Cancelled> {
    let mut words = budget.buffer::<u64>((2 * shapes.len()).div_ceil(64));
    let bits: &[AtomicU64] = words.shared();
    task.par_blocks(shapes.len()).try_for_each(|block| {
        let mut current = (0, 0_u64);
        for preorder in block? {
            let bit = 2 * preorder as u64 - u64::from(NodeShape::of(shapes[preorder]).depth);
            let at = (bit / 64) as usize;
            if at != current.0 {
                // Blocks share words where they meet.
                bits[current.0].fetch_or(current.1, Relaxed);
                current = (at, 0);
            }
            current.1 |= 1 << (bit % 64);
        }
        bits[current.0].fetch_or(current.1, Relaxed);
        Ok(())
    })?;
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clusters::attach::Dominated;
    use crate::{Bits, Clusters, Csr, Digraph, Marks, dominators::immediate_dominators, search::search};

    /// A tree whose node `n - 1` is below node `parents[n] - 1`, or below the virtual root for 0.
    fn tree_below(parents: &[u32], budget: &MemoryBudget, task: &Task) -> Result<(Tree, SubtreeCounts), Cancelled> {
        let nodes = parents.len() - 1;
        let edges = (1..).zip(&parents[1..]).filter(|&(_, &parent)| parent != 0);
        let edges: Vec<(u32, u32)> = edges.map(|(number, &parent)| (parent - 1, number - 1)).collect();
        let roots: Vec<u32> = (0..nodes as u32).filter(|&node| parents[node as usize + 1] == 0).collect();
        let (edges, single) = (Csr::from_edges(nodes, &edges), edges.iter().map(|&(_, to)| to));
        let mut is_single = Bits::new(nodes);
        is_single.extend(single);
        let graph = Digraph::plain(&edges);
        let marks = Marks::new(&graph, &roots, &Bits::default(), task)?;
        let (clusters, heads) = Clusters::find(&graph, &roots, &is_single, &marks, budget, task)?;
        let mut searched = search(clusters.exits(), &heads, budget, task)?;
        let above = immediate_dominators(&mut searched, budget, task)?;
        Dominated::find(clusters, searched, above, &graph, budget, task)?.into_tree(nodes, false, budget, task)
    }

    /// A tree whose number `n` has a parent before it, and its preorder numbers' groups.
    fn random(seed: u64, size: usize) -> (Vec<u32>, Vec<u32>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below.max(1) as u64) as u32
        };
        let parents = (0..size).map(|n| if n < 2 { 0 } else { next(n).max(next(n)) }).collect();
        (parents, (0..size).map(|_| next(4)).collect())
    }

    /// Children found part by part are the same, in the same order.
    #[test]
    fn children_are_the_same_in_parts_of_any_length() {
        let (budget, task) = (MemoryBudget::default(), Task::new());
        for seed in 1..40 {
            let (parents, _) = random(seed, 2 + seed as usize * 3);
            let (tree, _) = tree_below(&parents, &budget, &task).expect("not cancelled");
            for preorder in 0..tree.size() {
                let all: Vec<_> = tree.subtrees(preorder).collect();
                for length in [1, 2, 3, 50] {
                    let again = tree.split(preorder, length).into_iter().flat_map(|part| tree.subtrees_at(part));
                    assert_eq!(again.collect::<Vec<_>>(), all, "seed {seed}, place {preorder}, parts of {length}");
                }
            }
        }
    }

    /// Parts of any length have the totals of the definition: each member's subtree, unless it is below another one.
    #[test]
    fn totals_are_the_same_in_parts_of_any_length() {
        let (budget, task) = (MemoryBudget::default(), Task::new());
        for seed in 1..40 {
            let size = 2 + seed as usize * 3;
            let (parents, groups) = random(seed, size);
            let (tree, below) = tree_below(&parents, &budget, &task).expect("not cancelled");
            let sums = Sums::new(size, |preorder| u64::from(preorder) + 1, &budget, &task).expect("not cancelled");
            let group_at: Vec<u32> = (0..size as u32)
                .map(|preorder| tree.node(preorder).map_or(NONE, |node| groups[node as usize]))
                .collect();
            let is_topmost = |preorder: u32| {
                let mut above = tree.parent(preorder);
                while above != 0 && group_at[above as usize] != group_at[preorder as usize] {
                    above = tree.parent(above);
                }
                above == 0
            };
            let mut expected = vec![0; 4];
            for preorder in (1..size as u32).filter(|&preorder| is_topmost(preorder)) {
                expected[group_at[preorder as usize] as usize] +=
                    sums.of(preorder..preorder + tree.below(preorder) + 1);
            }
            for length in [1, 2, 3, 7, size] {
                let totals = totals_by_part((&group_at, &below), &sums, 4, length, &task);
                assert_eq!(totals.as_ref(), Ok(&expected), "seed {seed}, parts of {length}");
            }
        }
    }
}
