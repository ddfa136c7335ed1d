//! Depth-first search from a virtual root, stored in search numbers, together with exactly the edges that dominators
//! need.
//!
//! Three facts keep the list of edges short.
//!
//! - An edge into a root can be omitted: the root is a child of the virtual root regardless of other edges, and every
//!   path through such an edge has a shorter equivalent that starts at the root.
//! - An edge that discovers its target is the tree edge itself.
//! - An edge from a later tree than its target's is conclusive: two roots lead there, so only the virtual root
//!   dominates it. One bit per target records that; the target is *detached*.
//!
//! What remains, the *crossings*, stays within a tree.

use super::{Bits, NONE, Rows, crossings::Crossings, visits::Visits};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// A depth-first search tree. The virtual root has number 0, nodes follow from
/// 1 in the order of their discovery.
pub struct Search {
    /// Node of each number; the virtual root's entry is [`NONE`].
    pub order: Buffer<u32>,
    /// Number of each node; 0 if it is unreachable.
    pub number: Buffer<u32>,
    /// Number of the tree parent, by number.
    pub parent: Buffer<u32>,
    /// Non-tree edges within a tree; edges into roots and self-loops are omitted.
    pub crossings: Crossings,
    /// Numbers reachable from more than one tree.
    pub detached: Bits,
    /// Numbers of the roots of trees, ascending.
    pub trees: Vec<u32>,
}

impl Search {
    /// Number of nodes with a number, without the virtual root.
    pub fn reached(&self) -> usize {
        self.order.len() - 1
    }
}

/// Number of edges ahead of the current one of which the targets are prefetched.
const SOON: usize = 8;

/// Current node and its remaining edges.
struct EdgeCursor {
    number: u32,
    next: usize,
    end: usize,
}

/// Ancestor on the stack, and the number of its finished edges.
struct StackEntry {
    number: u32,
    done: u32,
}

struct SearchState<'a> {
    /// Number of numbers assigned.
    count: usize,
    order: &'a mut [u32],
    visits: Visits,
    parent: &'a mut [u32],
    crossings: Crossings,
    detached: Bits,
    /// Number of the root of the current tree.
    tree: u32,
}

impl SearchState<'_> {
    /// Edge to a known node.
    #[inline]
    fn cross(&mut self, from: u32, to: u32) {
        if to < self.tree {
            self.detached.insert(to);
        } else if (from > to || (from < to && self.parent[to as usize] != from)) && !self.detached.contains(to) {
            // Only forward edges can be repetitions of tree edges.
            self.crossings.push(from, to);
        }
    }

    /// Numbers a node; returns its edges.
    #[inline]
    fn discover(&mut self, node: u32, from: u32, targets: &[u32]) -> EdgeCursor {
        let number = self.count as u32;
        self.visits.set_number(node, number);
        self.order[self.count] = node;
        self.parent[self.count] = from;
        self.count += 1;
        let range = self.visits.edge_range(node);
        targets[range.start..range.end.min(range.start + SOON)].iter().for_each(|&to| self.visits.prefetch(to));
        EdgeCursor { number, next: range.start, end: range.end }
    }
}

/// Searches the graph of `edges` from `roots` in order; no edge may lead to a root. Progress counts nodes.
pub fn search(edges: Rows<'_>, roots: &[u32], budget: &MemoryBudget, task: &Task) -> Result<Search, Cancelled> {
    let nodes = edges.rows();
    // Pages that are never written cost nothing.
    let (mut order, mut parent) = (budget.scratch::<u32>(nodes + 1), budget.scratch::<u32>(nodes + 1));
    let mut state = SearchState {
        count: 1,
        order: &mut order,
        visits: Visits::new(edges, budget, task)?,
        parent: &mut parent,
        crossings: Crossings::new(nodes + 1),
        detached: Bits::new(nodes + 1),
        tree: 0,
    };
    (state.order[0], state.parent[0]) = (NONE, 0);
    let mut trees = Vec::new();
    let targets = edges.targets();
    let mut stack: Vec<StackEntry> = Vec::new();
    let (mut since_checkpoint, mut counted) = (0_usize, 1);
    for &root in roots {
        since_checkpoint += 1;
        if state.visits.number(root) != 0 {
            continue;
        }
        state.tree = state.count as u32;
        trees.push(state.tree);
        let mut at = state.discover(root, 0, targets);
        loop {
            if at.next == at.end {
                let Some(StackEntry { number, done }) = stack.pop() else { break };
                let range = state.visits.edge_range(state.order[number as usize]);
                at = EdgeCursor { number, next: range.start + done as usize, end: range.end };
                continue;
            }
            since_checkpoint += 1;
            if since_checkpoint >= CHECKPOINT_EVERY {
                task.advance_checked((state.count - counted) as u64)?;
                (since_checkpoint, counted) = (0, state.count);
            }
            let to = targets[at.next];
            at.next += 1;
            if let Some(&soon) = targets.get(at.next + SOON) {
                state.visits.prefetch(soon);
            }
            let number = state.visits.number(to);
            if number != 0 {
                state.cross(at.number, number);
                continue;
            }
            // Nodes without remaining edges leave the stack early, so a linked list does not make it deep.
            if at.next < at.end {
                let begin = state.visits.edge_range(state.order[at.number as usize]).start;
                stack.push(StackEntry { number: at.number, done: (at.next - begin) as u32 });
                state.visits.prefetch_edges(targets[at.next], targets);
            }
            at = state.discover(to, at.number, targets);
        }
    }
    task.advance_checked((state.count - counted) as u64)?;
    let SearchState { count, visits, crossings, detached, .. } = state;
    order.set_len(count);
    parent.set_len(count);
    Ok(Search { order, number: visits.into_numbers(budget), parent, crossings, detached, trees })
}
