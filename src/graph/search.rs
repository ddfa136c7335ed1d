//! Depth-first search from a virtual root, kept in search numbers, together
//! with exactly the edges that dominators need.
//!
//! Four facts make the list of edges short.
//!
//! - An edge into a root can be left out: the root is a child of the virtual
//!   root whatever else points at it, and every path through such an edge has a
//!   shorter twin that starts at the root.
//! - An edge that discovers its target is the tree edge itself.
//! - An edge from a later tree than its target's says all that can be said: two
//!   roots lead there, nothing but the virtual root dominates it. One bit per
//!   target keeps that; the target is *detached*.
//! - Edges to hubs are in the group column and are looked up there for the few
//!   hubs that are not detached (see `instances`).
//!
//! What remains, the *crossings*, stays within a tree.
//!
//! Exclusive leaves are left out of the search. Where one has an edge to a hub
//! that counts and is reached already, its parent takes that edge over: every
//! path to the leaf comes through the parent, and the leaf itself dominates
//! nothing, since the tree has a way to the hub without it. A leaf that
//! discovers its hub gets a number like any other node.

use super::NONE;
use super::bits::Bits;
use super::crossings::Crossings;
use super::digraph::Digraph;
use super::marks::{Mark, Marks};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// A depth-first search tree. The virtual root has number 0, nodes follow from
/// 1 in the order of their discovery.
#[derive(Debug)]
pub struct Search {
    /// Node of each number; the virtual root's entry is [`NONE`].
    pub order: Vec<u32>,
    /// Number of each node; 0 where the search did not come: nearly all leaves, and what is unreached.
    pub number: Vec<u32>,
    /// Number of the tree parent, by number.
    pub parent: Vec<u32>,
    /// Edges within a tree that discovered nothing; edges into roots, to hubs and to themselves are left out.
    pub crossings: Crossings,
    /// Numbers that more than one tree leads to.
    pub detached: Bits,
    /// Numbers of the roots, where the trees begin; ascending.
    pub trees: Vec<u32>,
}

impl Search {
    /// How many nodes have a number, the virtual root not counted.
    pub fn reached(&self) -> usize {
        self.order.len() - 1
    }
}

/// The node in hand and what is left of its edges.
struct Step {
    number: u32,
    next: usize,
    end: usize,
}

/// A node above, to which the search comes back: how many of its edges are done.
struct Pending {
    number: u32,
    done: u32,
}

struct Searching {
    order: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
    crossings: Crossings,
    detached: Bits,
    /// Number of the root of the tree under way.
    tree: u32,
}

impl Searching {
    /// An edge that discovered nothing.
    #[inline]
    fn cross(&mut self, from: u32, to: u32) {
        if to < self.tree {
            self.detached.insert(to);
        } else if from > to || (from < to && self.parent[to as usize] != from) {
            // Only ahead can an edge be a repetition of the tree's.
            self.crossings.push(from, to);
        }
    }
}

/// Searches from `roots` in their order; `marks` are those of the graph and
/// these roots. Progress counts nodes.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn search(graph: &Digraph<'_>, roots: &[u32], marks: &Marks, task: &Task) -> Result<Search, Cancelled> {
    let nodes = graph.len();
    // Leaves may be roots after all, or lead to their hubs first.
    let most = nodes - marks.leaves() + (roots.len() + graph.hubs.len()).min(marks.leaves()) + 1;
    let mut found = Searching {
        order: Vec::with_capacity(most),
        number: vec![0; nodes],
        parent: Vec::with_capacity(most),
        crossings: Crossings::new(most),
        detached: Bits::new(most),
        tree: 0,
    };
    found.order.push(NONE);
    found.parent.push(0);
    let mut trees = Vec::new();
    let targets = graph.edges.targets();
    let mut way: Vec<Pending> = Vec::new();
    let (mut since_checkpoint, mut counted) = (0_usize, 1);
    for &root in roots {
        since_checkpoint += 1;
        if found.number[root as usize] != 0 {
            continue;
        }
        found.tree = found.order.len() as u32;
        trees.push(found.tree);
        let hub = graph.hub(root);
        let hub_counts = hub != NONE && marks.of(hub) != Mark::Settled;
        let mut at = discover(graph, marks, &mut found, &mut way, root, 0, hub_counts);
        // The last leaf's hub: a row of leaves of one group asks for it again and again.
        let mut last_hub = (0, 0);
        loop {
            if at.next == at.end {
                let Some(Pending { number, done }) = way.pop() else { break };
                let range = graph.edge_range(found.order[number as usize]);
                at = Step { number, next: range.start + done as usize, end: range.end };
                continue;
            }
            since_checkpoint += 1;
            if since_checkpoint >= CHECKPOINT_EVERY {
                task.advance_checked((found.order.len() - counted) as u64)?;
                (since_checkpoint, counted) = (0, found.order.len());
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
                    last_hub = (at.number, hub);
                    // The first to lead to the hub may be the only one, and dominate it.
                    if found.number[hub as usize] == 0 { (to, true) } else { (hub, false) }
                }
            };
            let number = found.number[to as usize];
            if number != 0 {
                found.cross(at.number, number);
                continue;
            }
            // Who has no edges left need not be come back to: a list is no deep way.
            if at.next < at.end {
                let begin = graph.edge_range(found.order[at.number as usize]).start;
                way.push(Pending { number: at.number, done: (at.next - begin) as u32 });
            }
            at = discover(graph, marks, &mut found, &mut way, to, at.number, hub_counts);
        }
    }
    task.advance_checked((found.order.len() - counted) as u64)?;
    let Searching { mut order, number, mut parent, crossings, detached, .. } = found;
    order.shrink_to_fit();
    parent.shrink_to_fit();
    Ok(Search { order, number, parent, crossings, detached, trees })
}

/// Gives `node` its number, and its hub if that is new, and the hub's, and so on; says where to go on.
#[inline]
fn discover(
    graph: &Digraph<'_>,
    marks: &Marks,
    found: &mut Searching,
    way: &mut Vec<Pending>,
    mut node: u32,
    mut from: u32,
    mut hub_counts: bool,
) -> Step {
    loop {
        let number = found.order.len() as u32;
        found.number[node as usize] = number;
        found.order.push(node);
        found.parent.push(from);
        let range = graph.edge_range(node);
        let step = Step { number, next: range.start, end: range.end };
        if !hub_counts {
            return step;
        }
        let hub = graph.hub(node);
        match found.number[hub as usize] {
            0 => {
                if step.next < step.end {
                    way.push(Pending { number, done: 0 });
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
