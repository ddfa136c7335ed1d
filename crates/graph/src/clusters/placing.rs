//! Dominator tree of all nodes, from clusters and their dominators.
//!
//! In preorder, the nodes that a cluster dominates are one range: its members, and below each of them the clusters it
//! dominates. So every cluster is laid out for itself, in parallel; only the beginnings of clusters follow from each
//! other. Below a node, its children in the cluster come first, then other heads in the order of the search.
//!
//! Everything here is in the order of the search, in which a cluster is near those that it dominates.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::attach::Dominated;
use crate::tree::{NodeShape, SubtreeCounts, Tree};
use crate::{Csr, NONE};
use heaplens_base::storage::{Buffer, MemoryBudget, prefetch};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Nodes of clusters laid out by one thread at a time.
const PIECE: u32 = CHECKPOINT_EVERY as u32;

/// Columns of the tree while they are written.
struct Columns<'a> {
    node: &'a [AtomicU32],
    preorder: &'a [AtomicU32],
    shape: &'a [AtomicU64],
}

impl Columns<'_> {
    #[inline]
    fn set(&self, preorder: u32, node: u32, shape: NodeShape) {
        self.node[preorder as usize].store(node, Relaxed);
        self.preorder[node as usize].store(preorder, Relaxed);
        self.shape[preorder as usize].store(shape.packed(), Relaxed);
    }

    /// Adds all nodes without a preorder number, from `next` on, below the first one, whose subtree they extend.
    fn set_others(&self, next: usize) {
        if self.node.len() <= next {
            return;
        }
        let all = self.preorder.iter().enumerate();
        let others = all.filter(|(_, preorder)| preorder.load(Relaxed) == 0).map(|(node, _)| node as u32);
        for (preorder, node) in (next as u32..self.node.len() as u32).zip(others) {
            self.set(preorder, node, NodeShape { below: 0, depth: 2 });
        }
        self.shape[1].store(NodeShape { below: self.node.len() as u32 - 2, depth: 1 }.packed(), Relaxed);
    }
}

/// Where everything is, in the order of the search.
struct Layout {
    /// By number, position of its first member among those of all numbers, and in the end the number of all members.
    firsts: Buffer<u32>,
    /// By member, number of nodes below it, itself included, and its offset from the head.
    sizes: Buffer<u32>,
    offsets: Buffer<u32>,
    /// By number, [`Start`] of the head.
    starts: Buffer<u64>,
    /// Ranges of numbers for one thread at a time, and the positions of their members.
    pieces: Vec<(Range<usize>, Range<usize>)>,
}

impl Dominated {
    /// The dominator tree of a graph of `nodes` nodes. With `all`, unreachable nodes are below the first one. Progress
    /// counts nodes, twice.
    pub fn into_tree(
        self,
        nodes: usize,
        all: bool,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<(Tree, SubtreeCounts), Cancelled> {
        let (layout, reached) = self.lay_out(budget, task)?;
        let count = if all { nodes + 1 } else { reached };
        let (mut node, mut shape) = (budget.scratch::<u32>(count), budget.scratch::<u64>(count));
        let mut preorder = budget.buffer::<u32>(nodes);
        let columns = Columns { node: node.shared(), preorder: preorder.shared(), shape: shape.shared() };
        columns.node[0].store(NONE, Relaxed);
        columns.shape[0].store(NodeShape { below: count as u32 - 1, depth: 0 }.packed(), Relaxed);
        layout.pieces.par_iter().with_max_len(1).try_for_each(|(numbers, members)| {
            let mut depths = Vec::new();
            for number in numbers.clone() {
                self.prefetch(number);
                let (start, cluster) = (Start::of(layout.starts[number]), self.order[number]);
                let own = layout.firsts[number] as usize..layout.firsts[number + 1] as usize;
                let laid_out = layout.sizes[own.clone()].iter().zip(&layout.offsets[own]);
                set_depths(self.members.parents(cluster), &mut depths);
                for (((&size, &offset), &node), depth) in laid_out.zip(self.members.of(cluster)).zip(&depths) {
                    let shape = NodeShape { below: size - 1, depth: start.depth + depth };
                    columns.set(start.offset + offset, node, shape);
                }
            }
            task.advance_checked(members.len() as u64)
        })?;
        columns.set_others(reached);
        drop((layout, self));
        Tree::of_columns(node, preorder, shape, budget, task)
    }

    /// Where everything is, and the number of preorder numbers of reachable nodes.
    fn lay_out(&self, budget: &MemoryBudget, task: &Task) -> Result<(Layout, usize), Cancelled> {
        let positions = || {
            let firsts = self.firsts(budget);
            let totals = self.totals(&firsts, budget);
            (firsts, totals)
        };
        let ((firsts, totals), children) = rayon::join(positions, || self.children(budget));
        let members = firsts[firsts.len() - 1] as usize;
        let (mut sizes, mut offsets) = (budget.scratch::<u32>(members), budget.scratch::<u32>(members));
        let mut starts = budget.scratch::<u64>(self.above.len());
        let pieces = pieces(&firsts);
        let parts: Vec<_> = split(&mut sizes, &pieces).zip(split(&mut offsets, &pieces)).zip(&pieces).collect();
        let relative: &[AtomicU64] = starts.shared();
        parts.into_par_iter().with_max_len(1).try_for_each(|((sizes, offsets), (numbers, members))| {
            let mut depths = Vec::new();
            for number in numbers.clone() {
                self.prefetch(number);
                let own = firsts[number] as usize - members.start..firsts[number + 1] as usize - members.start;
                let columns = (&mut sizes[own.clone()], &mut offsets[own]);
                self.lay_out_one(number, columns, &mut depths, (&children, &totals), relative);
            }
            task.advance_checked(members.len() as u64)
        })?;
        self.absolute(&mut starts, &totals);
        Ok((Layout { firsts, sizes, offsets, starts, pieces }, totals[0] as usize))
    }

    /// Number of nodes dominated by each number, itself included.
    fn totals(&self, firsts: &[u32], budget: &MemoryBudget) -> Buffer<u32> {
        let mut totals = budget.scratch::<u32>(self.order.len());
        totals.iter_mut().zip(firsts.windows(2)).for_each(|(total, members)| *total = members[1] - members[0]);
        // The virtual root has no members.
        totals[0] = 1;
        for number in (1..totals.len()).rev() {
            totals[self.above[number] as usize] += totals[number];
        }
        totals
    }

    fn firsts(&self, budget: &MemoryBudget) -> Buffer<u32> {
        let mut firsts = budget.scratch::<u32>(self.order.len() + 1);
        (firsts[0], firsts[1]) = (0, 0);
        for (number, &cluster) in self.order.iter().enumerate().skip(1) {
            firsts[number + 1] = firsts[number] + self.members.range(cluster).len() as u32;
        }
        firsts
    }

    /// Loads the members of a later number in the background.
    #[inline]
    fn prefetch(&self, number: usize) {
        const AHEAD: usize = 8;
        if let Some(&cluster) = self.order.get(number + AHEAD) {
            let first = self.members.starts[cluster as usize] as usize;
            prefetch(&self.members.parents, first);
            prefetch(&self.members.nodes, first);
        }
    }

    /// By number, the numbers that it immediately dominates; none for the virtual root.
    fn children(&self, budget: &MemoryBudget) -> Csr {
        let numbers = self.above.len();
        let mut degrees = budget.buffer::<u32>(numbers + 1);
        self.above[1..].iter().filter(|&&above| above != 0).for_each(|&above| degrees[above as usize] += 1);
        let mut left = budget.scratch::<u32>(numbers);
        left.copy_from_slice(&degrees[..numbers]);
        let positions = Csr::layout_in_place(degrees, budget);
        let mut children = budget.scratch::<u32>(positions.total());
        for number in (1..numbers).rev() {
            let above = self.above[number] as usize;
            if above != 0 {
                left[above] -= 1;
                children[positions.of(above) + left[above] as usize] = number as u32;
            }
        }
        positions.with(children)
    }

    /// Sets the number of nodes below each member of a cluster, itself included, and its offset from the head; and
    /// where the clusters below begin, relative to the head.
    fn lay_out_one(
        &self,
        number: usize,
        (sizes, offsets): (&mut [u32], &mut [u32]),
        depths: &mut Vec<u32>,
        (children, totals): (&Csr, &[u32]),
        starts: &[AtomicU64],
    ) {
        let (parents, children) = (self.members.parents(self.order[number]), children.row(number as u32));
        sizes.fill(1);
        for &child in children {
            sizes[self.positions[child as usize] as usize] += totals[child as usize];
        }
        for position in (1..sizes.len()).rev() {
            sizes[parents[position] as usize] += sizes[position];
        }
        // First the offset of the next child, in the end that of the first node after the subtree.
        offsets[0] = 1;
        for position in 1..offsets.len() {
            let of_parent = &mut offsets[parents[position] as usize];
            let own = *of_parent;
            *of_parent += sizes[position];
            offsets[position] = own + 1;
        }
        if !children.is_empty() {
            set_depths(parents, depths);
        }
        for &child in children {
            let position = self.positions[child as usize] as usize;
            let start = Start { offset: offsets[position], depth: depths[position] + 1 };
            starts[child as usize].store(start.packed(), Relaxed);
            offsets[position] += totals[child as usize];
        }
        offsets.iter_mut().zip(sizes).for_each(|(offset, size)| *offset -= *size);
    }

    /// Makes starts relative to the virtual root: preorder number and depth of each head.
    fn absolute(&self, starts: &mut [u64], totals: &[u32]) {
        let mut next = 1;
        for number in 1..starts.len() {
            let above = self.above[number] as usize;
            let start = if above == 0 {
                next += totals[number];
                Start { offset: next - totals[number], depth: 1 }
            } else {
                let (own, of_above) = (Start::of(starts[number]), Start::of(starts[above]));
                Start { offset: own.offset + of_above.offset, depth: own.depth + of_above.depth }
            };
            starts[number] = start.packed();
        }
    }
}

/// Where a head begins, relative to the head of the cluster that dominates it.
struct Start {
    offset: u32,
    depth: u32,
}

impl Start {
    #[inline]
    fn packed(&self) -> u64 {
        u64::from(self.depth) << 32 | u64::from(self.offset)
    }

    #[inline]
    fn of(packed: u64) -> Self {
        Self { offset: packed as u32, depth: (packed >> 32) as u32 }
    }
}

/// Ranges of numbers with about [`PIECE`] members, and the positions of these.
fn pieces(firsts: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
    let numbers = firsts.len() - 1;
    let mut pieces = Vec::new();
    let mut begin = 1;
    while begin < numbers {
        let past = firsts.partition_point(|&first| first < firsts[begin].saturating_add(PIECE));
        let end = past.clamp(begin + 1, numbers);
        pieces.push((begin..end, firsts[begin] as usize..firsts[end] as usize));
        begin = end;
    }
    pieces
}

/// Number of ancestors of each position in its cluster.
fn set_depths(parents: &[u32], depths: &mut Vec<u32>) {
    depths.clear();
    depths.push(0);
    for &parent in &parents[1..] {
        depths.push(depths[parent as usize] + 1);
    }
}

/// A part of `values` for the members of each piece.
fn split<'a>(
    values: &'a mut Buffer<u32>,
    pieces: &[(Range<usize>, Range<usize>)],
) -> impl Iterator<Item = &'a mut [u32]> {
    let mut left = &mut values[..];
    pieces.iter().map(move |(_, members)| {
        let (part, rest) = std::mem::take(&mut left).split_at_mut(members.len());
        left = rest;
        part
    })
}
