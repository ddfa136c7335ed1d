//! Depth-first search from a virtual root, kept in search numbers, together
//! with exactly the edges that dominators need.
//!
//! Two facts make the list of edges short. An edge into a root can be left
//! out: the root is a child of the virtual root whatever else points at it,
//! and every path through such an edge has a shorter twin that starts at the
//! root. And an edge that discovers its target is the tree edge itself. What
//! remains, the *crossings*, is a third to a half of the edges of real heaps.

use super::NONE;
use super::digraph::Digraph;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Number of a root whose turn has not come: roots are settled before the search.
const ROOT: u32 = NONE;

/// Crossings a chunk holds; chunks keep growth from copying, and are freed one by one.
const CHUNK: usize = 1 << 20;

/// A depth-first search tree. The virtual root has number 0, nodes follow from
/// 1 in the order of their discovery.
#[derive(Debug)]
pub struct Search {
    /// Node of each number; the virtual root's entry is [`NONE`].
    pub order: Vec<u32>,
    /// Number of each node; 0 where the search did not come.
    pub number: Vec<u32>,
    /// Number of the tree parent, by number.
    pub parent: Vec<u32>,
    /// Edges that discovered nothing, as numbers `(from, to)`, in chunks; edges
    /// into roots, loops and repetitions of tree edges are left out.
    pub crossings: Vec<Vec<(u32, u32)>>,
}

impl Search {
    /// How many nodes were reached, the virtual root not counted.
    pub fn reached(&self) -> usize {
        self.order.len() - 1
    }
}

/// One node on the way down: what is left of its edges.
struct Step {
    number: u32,
    next: usize,
    end: usize,
}

/// Searches from `roots` in their order. Progress counts nodes.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn search(graph: &Digraph<'_>, roots: &[u32], task: &Task) -> Result<Search, Cancelled> {
    let nodes = graph.len();
    let mut number = vec![0_u32; nodes];
    let mut order = Vec::with_capacity(nodes + 1);
    let mut parent = Vec::with_capacity(nodes + 1);
    order.push(NONE);
    parent.push(0);
    for &root in roots {
        number[root as usize] = ROOT;
    }
    let targets = graph.edges.targets();
    let mut crossings = Crossings::default();
    let mut way: Vec<Step> = Vec::new();
    let mut since_checkpoint = 0;
    // Nodes whose parent is the virtual root; an edge into one is never a crossing.
    let mut is_root = super::bits::Bits::new(nodes);
    for &root in roots {
        is_root.insert(root);
    }
    for &root in roots {
        if number[root as usize] != ROOT {
            continue;
        }
        let mut discovered = Some((root, 0_u32));
        loop {
            if let Some((node, from)) = discovered.take() {
                let n = order.len() as u32;
                number[node as usize] = n;
                order.push(node);
                parent.push(from);
                since_checkpoint += 1;
                if since_checkpoint == CHECKPOINT_EVERY {
                    task.advance_checked(CHECKPOINT_EVERY as u64)?;
                    since_checkpoint = 0;
                }
                let range = graph.edge_range(node);
                way.push(Step { number: n, next: range.start, end: range.end });
                let hub = graph.hub(node);
                if hub != NONE && !is_root.contains(hub) {
                    match number[hub as usize] {
                        0 => {
                            discovered = Some((hub, n));
                            continue;
                        }
                        to => crossings.push(n, to, &parent),
                    }
                }
            }
            let Some(step) = way.last_mut() else { break };
            if step.next == step.end {
                way.pop();
                continue;
            }
            let to = targets[step.next];
            step.next += 1;
            match number[to as usize] {
                0 => discovered = Some((to, step.number)),
                ROOT => {}
                n => {
                    if !is_root.contains(to) {
                        crossings.push(step.number, n, &parent);
                    }
                }
            }
        }
    }
    task.advance_checked(since_checkpoint as u64)?;
    order.shrink_to_fit();
    parent.shrink_to_fit();
    Ok(Search { order, number, parent, crossings: crossings.chunks })
}

#[derive(Default)]
struct Crossings {
    chunks: Vec<Vec<(u32, u32)>>,
}

impl Crossings {
    #[inline]
    fn push(&mut self, from: u32, to: u32, parent: &[u32]) {
        if from == to || parent[to as usize] == from {
            return;
        }
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push((from, to)),
            _ => {
                // The first chunk of a small graph stays small.
                let room = if self.chunks.is_empty() { 16 } else { CHUNK };
                let mut chunk = Vec::with_capacity(room);
                chunk.push((from, to));
                self.chunks.push(chunk);
            }
        }
    }
}
