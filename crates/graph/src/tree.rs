//! Rooted tree in preorder: place 0 is the root's, and every subtree is a range of places. So the children of a node
//! are found by skipping from subtree to subtree, *is below* is a comparison, and sums over subtrees are differences.

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
const PLACE: &str = "tree.place";

/// Maximum number of totals of groups computed at once: those of every part of the tree.
const GROUPS_AT_ONCE: usize = 4_000_000;
/// Maximum number of levels climbed to a child with which a part of a list of children begins: below a long list, fewer
/// parts are better than a climb for each.
const LEVELS: u32 = 1_000;

/// Tree over nodes of a graph. The root is not one of them.
pub struct Tree {
    /// Node at each place; [`NONE`] for the root's.
    node: Column<u32>,
    /// Place of each node; 0 if it is not in the tree.
    place: Column<u32>,
    shape: Parentheses,
}

/// Nodes of a tree, for access to places in ascending order.
pub struct ForwardNodes<'a> {
    nodes: ForwardColumn<'a, u32>,
    known: usize,
}

impl ForwardNodes<'_> {
    /// The node at a place; `None` for the root's.
    #[inline]
    pub fn node(&mut self, place: u32) -> Option<u32> {
        self.nodes.get(place as usize).filter(|&node| (node as usize) < self.known)
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

/// Number of nodes below each place; a column only while the tree is built.
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
    fn at(&self, place: usize) -> u32 {
        NodeShape::of(self.0[place]).below
    }
}

impl Tree {
    /// The tree with these columns: node at each place, place of each node, and [`NodeShape`] at each place.
    pub(super) fn of_columns(
        node: Buffer<u32>,
        place: Buffer<u32>,
        shapes: Buffer<u64>,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, SubtreeCounts), Cancelled> {
        let shape = Parentheses::new(node.len() as u32, begins(&shapes, space, task)?, space, task)?;
        Ok((Self { node: node.into(), place: place.into(), shape }, SubtreeCounts(shapes)))
    }

    /// Writes the tree to the column file.
    #[must_use]
    pub fn keep(self, space: &MemoryBudget) -> Self {
        Self { node: space.keep(NODE, self.node), place: space.keep(PLACE, self.place), shape: self.shape }
    }

    /// Loads a stored tree.
    pub fn find(stored: &StoredAnalysis) -> Option<Self> {
        let (node, place): (Column<u32>, _) = (stored.column(NODE)?, stored.column(PLACE)?);
        let shape = Parentheses::find(stored, u32::try_from(node.len()).ok()?)?;
        Some(Self { node, place, shape })
    }

    /// Number of places, including that of the root.
    pub fn places(&self) -> u32 {
        self.node.len() as u32
    }

    /// Place of a node; `None` if it is not in the tree.
    #[inline]
    pub fn place(&self, node: u32) -> Option<u32> {
        self.place.get(node as usize).filter(|&place| place != 0 && place < self.places())
    }

    /// Loads the place of a node in the background.
    #[inline]
    pub fn prefetch_place(&self, node: u32) {
        self.place.prefetch(node as usize);
    }

    /// The nodes at all places, [`NONE`] for the root's.
    pub fn nodes(&self) -> &[u32] {
        self.node.all()
    }

    /// Places of all nodes, 0 for those outside the tree.
    pub fn all_places(&self) -> &[u32] {
        self.place.all()
    }

    /// The node at a place; `None` for the root's.
    #[inline]
    pub fn node(&self, place: u32) -> Option<u32> {
        self.node.get(place as usize).filter(|&node| (node as usize) < self.place.len())
    }

    /// Sequential reader of the nodes.
    pub fn forward(&self) -> ForwardNodes<'_> {
        ForwardNodes { nodes: self.node.forward(), known: self.place.len() }
    }

    /// Depth-first traversal, child by child: into a node, and out of it again after all nodes below it. The root is
    /// omitted.
    pub fn steps(&self) -> impl Iterator<Item = TreeStep> {
        let nodes = self.node.all();
        let mut place = 0_usize;
        // Without the beginning and end of the root.
        self.shape.steps().skip(1).take((2 * nodes.len()).saturating_sub(2)).map(move |begins| {
            if !begins {
                return TreeStep::OutOf;
            }
            place += 1;
            TreeStep::Into(nodes.get(place).copied().unwrap_or(NONE))
        })
    }

    /// The place of the parent; the root is its own.
    pub fn parent(&self, place: u32) -> u32 {
        self.shape.parent(place)
    }

    /// Number of nodes below the one at a place.
    #[inline]
    pub fn below(&self, place: u32) -> u32 {
        self.shape.below(place, self.shape.begin(place))
    }

    /// Children of the node at a place: the node of each, and the places of its subtree, its own first. A child is
    /// followed by its own subtree, then the next child.
    pub fn subtrees(&self, place: u32) -> impl Iterator<Item = (u32, Range<u32>)> {
        let begin = self.shape.begin(place);
        self.subtrees_from(begin + 1, place + 1..place + self.shape.below(place, begin) + 1)
    }

    /// The same for the siblings whose subtrees are a range of places, as [`Tree::split`] finds it.
    pub fn subtrees_at(&self, places: Range<u32>) -> impl Iterator<Item = (u32, Range<u32>)> {
        let begin = if places.is_empty() { 0 } else { self.shape.begin(places.start) };
        self.subtrees_from(begin, places)
    }

    /// Siblings from the one that begins at a bit.
    fn subtrees_from(&self, mut bit: u64, places: Range<u32>) -> impl Iterator<Item = (u32, Range<u32>)> {
        let (mut next, end) = (places.start, places.end);
        let (mut shape, mut nodes) = (self.shape.forward(), self.forward());
        let places = std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            let below = shape.below(child, bit);
            next += below + 1;
            bit += 2 * (u64::from(below) + 1);
            Some(child..next)
        });
        places.filter_map(move |places| Some((nodes.node(places.start)?, places)))
    }

    /// The places below a node, in ranges of at least `length` if there are so many, each of the subtrees of some of its
    /// children.
    pub fn split(&self, place: u32, length: u32) -> Vec<Range<u32>> {
        let all = place + 1..place + self.below(place) + 1;
        let later = all.clone().step_by(length.max(1) as usize).skip(1).filter_map(|at| self.child_from(place, at));
        let mut bounds: Vec<u32> = std::iter::once(all.start).chain(later).chain([all.end]).collect();
        bounds.dedup();
        bounds.windows(2).map(|part| part[0]..part[1]).collect()
    }

    /// The place of the first child of a node that is at or after a place below it, or the end of its subtree; `None` if
    /// the place is so deep that finding out takes long.
    fn child_from(&self, parent: u32, place: u32) -> Option<u32> {
        let mut at = place;
        for _ in 0..LEVELS {
            let above = self.parent(at);
            if above == parent {
                return Some(if at == place { place } else { at + self.below(at) + 1 });
            }
            at = above;
        }
        None
    }

    /// Walk down from the node at a place, and back up.
    pub fn descent(&self, place: u32) -> Descent<'_> {
        Descent::new(self.all_places().len(), place, self.shape.begin(place), self.shape.forward(), self.node.forward())
    }

    /// Iterator over all places in order. For a tree from a stored analysis, this reads and checks its shape.
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
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let nodes = self.node.all();
        // Random reads in parallel first; the rest is sequential by place.
        let mut group_at = space.scratch::<u32>(nodes.len());
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

/// Group totals by parts of `length` places, in parallel. Each begins as if the places before it had been visited:
/// only subtrees of ancestors of its first place reach into it.
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

/// By group, the end of the subtree of its topmost member among the ancestors of a place. They are found on the way down
/// from the root, past the siblings before each.
fn covered_at(
    place: usize,
    group_at: &[u32],
    below: &SubtreeCounts,
    groups: usize,
    task: &Task,
) -> Result<Vec<u32>, Cancelled> {
    let (mut covered_to, mut at, mut steps) = (vec![0; groups], 0, 0);
    while at < place {
        let end = at + below.at(at) as usize + 1;
        if end > place {
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

/// Sums over the subtrees of the topmost members of each group in a range of places. `covered_to` has the ends of the
/// subtrees that reach into it.
fn part_totals(
    places: Range<usize>,
    mut covered_to: Vec<u32>,
    (group_at, below): (&[u32], &SubtreeCounts),
    sums: SumSlices<'_>,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let mut totals = vec![0_u64; covered_to.len()];
    for place in places {
        task.checkpoint_at(place)?;
        let group = group_at[place] as usize;
        // End of the subtree of the topmost member seen last; a later node before that place is inside its subtree.
        let Some(covered_to) = covered_to.get_mut(group) else { continue };
        if place as u32 >= *covered_to {
            let end = place as u32 + below.at(place) + 1;
            totals[group] = totals[group].saturating_add(sums.of(place as u32..end));
            *covered_to = end;
        }
    }
    Ok(totals)
}

/// Bits with a 1 where each node begins, for [`Parentheses`]: before it come the two bits of every node at an earlier
/// place, except for the end bits of its ancestors.
fn begins(shapes: &[u64], space: &MemoryBudget, task: &Task) -> Result<Buffer<u64>, Cancelled> {
    let mut words = space.buffer::<u64>((2 * shapes.len()).div_ceil(64));
    let bits: &[AtomicU64] = words.shared();
    task.par_blocks(shapes.len()).try_for_each(|block| {
        let mut current = (0, 0_u64);
        for place in block? {
            let bit = 2 * place as u64 - u64::from(NodeShape::of(shapes[place]).depth);
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
    fn tree_below(parents: &[u32], space: &MemoryBudget, task: &Task) -> Result<(Tree, SubtreeCounts), Cancelled> {
        let nodes = parents.len() - 1;
        let edges = (1..).zip(&parents[1..]).filter(|&(_, &parent)| parent != 0);
        let edges: Vec<(u32, u32)> = edges.map(|(number, &parent)| (parent - 1, number - 1)).collect();
        let roots: Vec<u32> = (0..nodes as u32).filter(|&node| parents[node as usize + 1] == 0).collect();
        let (edges, single) = (Csr::from_edges(nodes, &edges), edges.iter().map(|&(_, to)| to));
        let mut is_single = Bits::new(nodes);
        is_single.extend(single);
        let graph = Digraph::plain(&edges);
        let marks = Marks::new(&graph, &roots, &Bits::default(), task)?;
        let (clusters, heads) = Clusters::find(&graph, &roots, &is_single, &marks, space, task)?;
        let mut found = search(clusters.exits(), &heads, space, task)?;
        let above = immediate_dominators(&mut found, space, task)?;
        Dominated::find(clusters, found, above, &graph, space, task)?.into_tree(nodes, false, space, task)
    }

    /// A tree whose number `n` has a parent before it, and its places' groups.
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
        let (space, task) = (MemoryBudget::default(), Task::new());
        for seed in 1..40 {
            let (parents, _) = random(seed, 2 + seed as usize * 3);
            let (tree, _) = tree_below(&parents, &space, &task).expect("not cancelled");
            for place in 0..tree.places() {
                let all: Vec<_> = tree.subtrees(place).collect();
                for length in [1, 2, 3, 50] {
                    let again = tree.split(place, length).into_iter().flat_map(|part| tree.subtrees_at(part));
                    assert_eq!(again.collect::<Vec<_>>(), all, "seed {seed}, place {place}, parts of {length}");
                }
            }
        }
    }

    /// Parts of any length have the totals of the definition: each member's subtree, unless it is below another one.
    #[test]
    fn totals_are_the_same_in_parts_of_any_length() {
        let (space, task) = (MemoryBudget::default(), Task::new());
        for seed in 1..40 {
            let size = 2 + seed as usize * 3;
            let (parents, groups) = random(seed, size);
            let (tree, below) = tree_below(&parents, &space, &task).expect("not cancelled");
            let sums = Sums::new(size, |place| u64::from(place) + 1, &space, &task).expect("not cancelled");
            let group_at: Vec<u32> =
                (0..size as u32).map(|place| tree.node(place).map_or(NONE, |node| groups[node as usize])).collect();
            let is_topmost = |place: u32| {
                let mut above = tree.parent(place);
                while above != 0 && group_at[above as usize] != group_at[place as usize] {
                    above = tree.parent(above);
                }
                above == 0
            };
            let mut expected = vec![0; 4];
            for place in (1..size as u32).filter(|&place| is_topmost(place)) {
                expected[group_at[place as usize] as usize] += sums.of(place..place + tree.below(place) + 1);
            }
            for length in [1, 2, 3, 7, size] {
                let totals = totals_by_part((&group_at, &below), &sums, 4, length, &task);
                assert_eq!(totals.as_ref(), Ok(&expected), "seed {seed}, parts of {length}");
            }
        }
    }
}
