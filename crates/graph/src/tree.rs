//! Rooted tree in preorder: place 0 is the root's, and every subtree is a range of places. So the children of a node
//! are found by skipping from subtree to subtree, *is below* is a comparison, and sums over subtrees are differences.

use std::ops::Range;

use rayon::prelude::*;

pub use super::parentheses::NodeWalk;
use super::{NONE, descent::Descent, parentheses::Parentheses, sums::Sums};
use heaplens_base::storage::{Buffer, Column, ForwardColumn, MemoryBudget, StoredAnalysis};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

const NODE: &str = "tree.node";
const PLACE: &str = "tree.place";

/// Maximum number of totals of groups computed at once: those of every part of the tree.
const GROUPS_AT_ONCE: usize = 4_000_000;
/// Maximum number of ancestors visited where a part of the tree begins.
const ANCESTORS: u32 = 100_000;

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
pub struct SubtreeCounts(Buffer<u32>);

impl Tree {
    /// Builds the tree in which `parents[n]` is the parent of number `n`, and `order[n]` the node with that number.
    /// Parents come before their children; number 0 is the root. `nodes` bounds the nodes.
    pub fn new(
        nodes: usize,
        order: impl Into<Column<u32>>,
        parents: impl Into<Column<u32>>,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, SubtreeCounts), Cancelled> {
        let (order, parents) = (order.into(), parents.into());
        let below = sizes_below(parents.all(), space, task)?;
        let place = places(parents.all(), &below, space, task)?;
        let places = &place[..];
        let (of_nodes, shape) = rayon::join(
            || {
                let (node, place) = rayon::join(
                    || scattered(places, order.all(), space, task),
                    || place_of_nodes(nodes, order.all(), places, space, task),
                );
                Ok((Column::from(node?), Column::from(place?)))
            },
            || {
                let words = begins(parents.all(), places, space, task)?;
                Parentheses::new(places.len() as u32, words, space, task)
            },
        );
        let ((node, place_of), shape) = (of_nodes?, shape?);
        drop((order, parents));
        let below = SubtreeCounts(scattered(places, &below, space, task)?);
        Ok((Self { node, place: place_of, shape }, below))
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
        let end = place + self.shape.below(place, begin);
        let (mut next, mut bit) = (place + 1, begin + 1);
        let (mut shape, mut nodes) = (self.shape.forward(), self.forward());
        let places = std::iter::from_fn(move || {
            let child = (next <= end).then_some(next)?;
            let below = shape.below(child, bit);
            next += below + 1;
            bit += 2 * (u64::from(below) + 1);
            Some(child..next)
        });
        places.filter_map(move |places| Some((nodes.node(places.start)?, places)))
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
        SubtreeCounts(below): SubtreeCounts,
        sums: &Sums,
        group_of: impl Fn(u32) -> u32 + Sync,
        groups: usize,
        space: &MemoryBudget,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let (nodes, below) = (self.node.all(), &below[..]);
        // Random reads in parallel first; the rest is sequential by place.
        let mut group_at = space.scratch::<u32>(nodes.len());
        let blocks = group_at.par_chunks_mut(CHECKPOINT_EVERY).zip(nodes.par_chunks(CHECKPOINT_EVERY));
        blocks.try_for_each(|(groups, nodes)| {
            task.checkpoint()?;
            for (group, &node) in groups.iter_mut().zip(nodes) {
                *group = if node == NONE { NONE } else { group_of(node) };
            }
            Ok(())
        })?;
        let parts = rayon::current_num_threads().min(GROUPS_AT_ONCE / groups.max(1)).max(1);
        let length = nodes.len().div_ceil(parts).max(CHECKPOINT_EVERY);
        self.totals_by_part((&group_at[..], below), sums, groups, length, task)
    }

    /// Group totals by parts of `length` places, in parallel. Each begins as if the places before it had been visited:
    /// only subtrees of ancestors of its first place reach into it.
    fn totals_by_part(
        &self,
        (group_at, below): (&[u32], &[u32]),
        sums: &Sums,
        groups: usize,
        length: usize,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let all = 0..group_at.len();
        let starts: Vec<usize> = all.clone().step_by(length).collect();
        let covered = |&start: &usize| self.covered_at(start as u32, group_at, below, groups);
        let covered: Option<Vec<Vec<u32>>> = starts.par_iter().map(covered).collect();
        let range = |start: usize| start..(start + length).min(all.end);
        let parts = match covered {
            Some(covered) => starts.into_iter().map(range).zip(covered).collect(),
            None => vec![(all.clone(), vec![0; groups])],
        };
        let of_part = |(places, covered)| part_totals(places, covered, (group_at, below), sums, task);
        let add = |mut totals: Vec<u64>, part: Vec<u64>| {
            totals.iter_mut().zip(part).for_each(|(total, more)| *total = total.saturating_add(more));
            Ok(totals)
        };
        parts.into_par_iter().map(of_part).try_reduce(|| vec![0; groups], add)
    }

    /// By group, the end of the subtree of its topmost member among the ancestors of a place; `None` if the place is so
    /// deep that visiting them takes longer than visiting all places before it.
    fn covered_at(&self, place: u32, group_at: &[u32], below: &[u32], groups: usize) -> Option<Vec<u32>> {
        let (mut covered_to, mut at) = (vec![0; groups], place);
        for _ in 0..ANCESTORS {
            if at == 0 {
                return Some(covered_to);
            }
            at = self.parent(at);
            if let Some(covered_to) = covered_to.get_mut(group_at[at as usize] as usize) {
                *covered_to = (*covered_to).max(at + below[at as usize] + 1);
            }
        }
        None
    }
}

/// Sums over the subtrees of the topmost members of each group in a range of places. `covered_to` has the ends of the
/// subtrees that reach into it.
fn part_totals(
    places: Range<usize>,
    mut covered_to: Vec<u32>,
    (group_at, below): (&[u32], &[u32]),
    sums: &Sums,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let mut totals = vec![0_u64; covered_to.len()];
    for place in places {
        task.checkpoint_at(place)?;
        let group = group_at[place] as usize;
        // End of the subtree of the topmost member seen last; a later node before that place is inside its subtree.
        let Some(covered_to) = covered_to.get_mut(group) else { continue };
        if place as u32 >= *covered_to {
            let end = place as u32 + below[place] + 1;
            totals[group] = totals[group].saturating_add(sums.of(place as u32..end));
            *covered_to = end;
        }
    }
    Ok(totals)
}

/// Distributes values by place; nothing for the root.
fn scattered(places: &[u32], values: &[u32], space: &MemoryBudget, task: &Task) -> Result<Buffer<u32>, Cancelled> {
    let mut column = space.scratch::<u32>(places.len());
    let slots = &mut column[..];
    for block in task.blocks(places.len()) {
        for n in block? {
            slots[places[n] as usize] = values[n];
        }
    }
    Ok(column)
}

/// The place of each node, given node and place of each number.
fn place_of_nodes(
    nodes: usize,
    order: &[u32],
    places: &[u32],
    space: &MemoryBudget,
    task: &Task,
) -> Result<Buffer<u32>, Cancelled> {
    let mut column = space.buffer::<u32>(nodes);
    let slots = &mut column[..];
    for block in task.blocks(places.len()) {
        for n in block?.filter(|&n| n > 0) {
            slots[order[n] as usize] = places[n];
        }
    }
    Ok(column)
}

/// Number of nodes below each number.
fn sizes_below(parents: &[u32], space: &MemoryBudget, task: &Task) -> Result<Buffer<u32>, Cancelled> {
    let mut below = space.buffer::<u32>(parents.len());
    let sizes = &mut below[..];
    for block in task.blocks(parents.len()).rev() {
        for n in block?.rev().filter(|&n| n > 0) {
            sizes[parents[n] as usize] += sizes[n] + 1;
        }
    }
    Ok(below)
}

/// The place of each number.
fn places(parents: &[u32], below: &[u32], space: &MemoryBudget, task: &Task) -> Result<Buffer<u32>, Cancelled> {
    // Place of the next child of each number; in the end, after its whole subtree.
    let mut next = space.scratch::<u32>(parents.len());
    let places = &mut next[..];
    for block in task.blocks(parents.len()) {
        for n in block? {
            if n == 0 {
                places[0] = 1;
                continue;
            }
            let of_parent = &mut places[parents[n] as usize];
            let own = *of_parent;
            *of_parent += below[n] + 1;
            places[n] = own + 1;
        }
    }
    let blocks = places.par_chunks_mut(CHECKPOINT_EVERY).zip(below.par_chunks(CHECKPOINT_EVERY));
    blocks.try_for_each(|(places, below)| {
        task.checkpoint()?;
        places.iter_mut().zip(below).for_each(|(place, below)| *place -= below + 1);
        Ok(())
    })?;
    Ok(next)
}

/// Bits with a 1 where each node begins, for [`Parentheses`]: before it come the two bits of every node at an earlier
/// place, except for the end bits of its ancestors.
fn begins(parents: &[u32], places: &[u32], space: &MemoryBudget, task: &Task) -> Result<Buffer<u64>, Cancelled> {
    let mut words = space.buffer::<u64>((2 * parents.len()).div_ceil(64));
    let mut depths = space.scratch::<u32>(parents.len());
    let (bits, depths) = (&mut words[..], &mut depths[..]);
    for block in task.blocks(parents.len()) {
        for n in block? {
            depths[n] = if n == 0 { 0 } else { depths[parents[n] as usize] + 1 };
            let bit = 2 * u64::from(places[n]) - u64::from(depths[n]);
            bits[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Parts of any length have the totals of the definition: each member's subtree, unless it is below another one.
    #[test]
    fn totals_are_the_same_in_parts_of_any_length() {
        let (space, task) = (MemoryBudget::default(), Task::new());
        for seed in 1..40 {
            let size = 2 + seed as usize * 3;
            let (parents, groups) = random(seed, size);
            let order: Vec<u32> = std::iter::once(NONE).chain(0..size as u32 - 1).collect();
            let (tree, below) = Tree::new(size - 1, order, parents, &space, &task).expect("not cancelled");
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
                let totals = tree.totals_by_part((&group_at, &below.0), &sums, 4, length, &task);
                assert_eq!(totals.as_ref(), Ok(&expected), "seed {seed}, parts of {length}");
            }
        }
    }
}
