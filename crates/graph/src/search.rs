//! Depth-first search from a virtual root, stored in search numbers, together with exactly the edges that dominators
//! need.
//!
//! Four facts keep the list of edges short.
//!
//! - An edge into a root can be omitted: the root is a child of the virtual root regardless of other edges, and every
//!   path through such an edge has a shorter equivalent that starts at the root.
//! - An edge that discovers its target is the tree edge itself.
//! - An edge from a later tree than its target's is conclusive: two roots lead there, so only the virtual root
//!   dominates it. One bit per target records that; the target is *detached*.
//! - Edges to hubs are in the group column and are looked up there for the few
//!   hubs that are not detached (see `instances`).
//!
//! What remains, the *crossings*, stays within a tree.
//!
//! Exclusive leaves are omitted from the search. If one has an edge to a hub that counts and is already reached, its
//! parent takes over that edge: every path to the leaf passes the parent, and the leaf itself dominates nothing, since
//! the tree has a path to the hub without it. A leaf that discovers its hub gets a number like any other node.

use super::{Bits, Digraph, Marks, NONE, crossings::Crossings, marks::Mark, visits::Visits};
use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// A depth-first search tree. The virtual root has number 0, nodes follow from
/// 1 in the order of their discovery.
pub struct Search {
    /// Node of each number; the virtual root's entry is [`NONE`]. Has spare capacity for the leaves.
    pub order: Buffer<u32>,
    /// Number of each node; 0 if the search did not visit it: nearly all leaves, and unreachable nodes.
    pub number: Buffer<u32>,
    /// Number of the tree parent, by number. Has spare capacity for the leaves.
    pub parent: Buffer<u32>,
    /// Non-tree edges within a tree; edges into roots, to hubs and self-loops are omitted.
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

/// Search, with its per-node data.
pub struct ExploredGraph {
    order: Buffer<u32>,
    visits: Visits,
    parent: Buffer<u32>,
    crossings: Crossings,
    detached: Bits,
    trees: Vec<u32>,
}

impl ExploredGraph {
    /// Number of nodes with a number, without the virtual root.
    pub fn reached(&self) -> usize {
        self.order.len() - 1
    }

    /// Results that remain useful once the edges are not needed; releases the memory of the rest.
    #[must_use]
    pub fn finish(self, space: &MemoryBudget) -> Search {
        let Self { order, visits, parent, crossings, detached, trees } = self;
        Search { order, number: visits.into_numbers(space), parent, crossings, detached, trees }
    }
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
        } else if from > to || (from < to && self.parent[to as usize] != from) {
            // Only forward edges can be repetitions of tree edges.
            self.crossings.push(from, to);
        }
    }
}

/// Searches from `roots` in order; `marks` must be those of the graph and these roots. Progress counts nodes.
pub fn search(
    graph: &Digraph<'_>,
    roots: &[u32],
    marks: &Marks,
    space: &MemoryBudget,
    task: &Task,
) -> Result<ExploredGraph, Cancelled> {
    let nodes = graph.len();
    // Leaves may turn out to be roots, or lead to their hubs first.
    let most = nodes - marks.leaves() + (roots.len() + graph.hubs.len()).min(marks.leaves()) + 1;
    // Pages that are never written cost nothing.
    let (mut order, mut parent) = (space.scratch::<u32>(nodes + 1), space.scratch::<u32>(nodes + 1));
    let mut found = SearchState {
        count: 1,
        order: &mut order,
        visits: Visits::new(graph.edges, space, task)?,
        parent: &mut parent,
        crossings: Crossings::new(most),
        detached: Bits::new(most),
        tree: 0,
    };
    (found.order[0], found.parent[0]) = (NONE, 0);
    let mut trees = Vec::new();
    let targets = graph.edges.targets();
    let mut way: Vec<StackEntry> = Vec::new();
    let (mut since_checkpoint, mut counted) = (0_usize, 1);
    for &root in roots {
        since_checkpoint += 1;
        if found.visits.number(root) != 0 {
            continue;
        }
        found.tree = found.count as u32;
        trees.push(found.tree);
        let hub = graph.hub(root);
        let hub_counts = hub != NONE && marks.of(hub) != Mark::Settled;
        let mut at = discover(graph, marks, &mut found, &mut way, root, 0, hub_counts);
        // Hub of the last leaf: a row of leaves of one group needs it repeatedly.
        let mut last_hub = (0, 0);
        loop {
            if at.next == at.end {
                let Some(StackEntry { number, done }) = way.pop() else { break };
                let range = found.visits.edge_range(found.order[number as usize], graph.skip_first);
                at = EdgeCursor { number, next: range.start + done as usize, end: range.end };
                continue;
            }
            since_checkpoint += 1;
            if since_checkpoint >= CHECKPOINT_EVERY {
                task.advance_checked((found.count - counted) as u64)?;
                (since_checkpoint, counted) = (0, found.count);
            }
            let to = targets[at.next];
            at.next += 1;
            let (to, hub_counts) = match marks.of(to) {
                Mark::Settled => continue,
                Mark::Plain => (to, false),
                Mark::WithHub => (to, true),
                Mark::LeafWithHub => {
                    let hub = graph.hub(to);
                    if last_hub == (at.number, hub) {
                        continue;
                    }
                    // The first one to lead to the hub may be the only one, and dominate it.
                    if found.visits.number(hub) == 0 {
                        (to, true)
                    } else {
                        last_hub = (at.number, hub);
                        (hub, false)
                    }
                }
            };
            let number = found.visits.number(to);
            if number != 0 {
                found.cross(at.number, number);
                continue;
            }
            // Nodes without remaining edges leave the stack early, so a linked list does not make it deep.
            if at.next < at.end {
                let begin = found.visits.edge_range(found.order[at.number as usize], graph.skip_first).start;
                way.push(StackEntry { number: at.number, done: (at.next - begin) as u32 });
            }
            at = discover(graph, marks, &mut found, &mut way, to, at.number, hub_counts);
        }
    }
    task.advance_checked((found.count - counted) as u64)?;
    let SearchState { count, visits, crossings, detached, .. } = found;
    order.set_len(count);
    parent.set_len(count);
    Ok(ExploredGraph { order, visits, parent, crossings, detached, trees })
}

/// Numbers `node`, its hub if that is new, the hub of that hub, and so on; returns the node at which to continue.
#[inline]
fn discover(
    graph: &Digraph<'_>,
    marks: &Marks,
    found: &mut SearchState<'_>,
    way: &mut Vec<StackEntry>,
    mut node: u32,
    mut from: u32,
    mut hub_counts: bool,
) -> EdgeCursor {
    loop {
        let number = found.count as u32;
        found.visits.set_number(node, number);
        found.order[found.count] = node;
        found.parent[found.count] = from;
        found.count += 1;
        let range = found.visits.edge_range(node, graph.skip_first);
        let step = EdgeCursor { number, next: range.start, end: range.end };
        if !hub_counts {
            return step;
        }
        let hub = graph.hub(node);
        match found.visits.number(hub) {
            0 => {
                if step.next < step.end {
                    way.push(StackEntry { number, done: 0 });
                }
                (node, from, hub_counts) = (hub, number, marks.of(hub) == Mark::WithHub);
            }
            to => {
                if to < found.tree {
                    found.detached.insert(to);
                }
                return step;
            }
        }
    }
}
