//! Breadth-first distances and one shortest-path tree.

use std::collections::VecDeque;

use super::NONE;
use super::bits::Bits;
use super::digraph::Digraph;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Distances from a set of roots, and for each node the node before it on one
/// shortest path.
#[derive(Debug, Default)]
pub struct Distances {
    /// Edges from the nearest root; [`NONE`] where no root reaches.
    pub distance: Vec<u32>,
    /// The node before on the path; [`NONE`] for roots and where no root reaches.
    pub before: Vec<u32>,
}

/// Breadth-first search from `roots`, in their order. Of several shortest
/// paths the tree keeps the one found first: by order of the roots, then by
/// order of the edges, so equal input gives equal paths.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn distances(graph: &Digraph<'_>, roots: &[u32], task: &Task) -> Result<Distances, Cancelled> {
    let nodes = graph.len();
    let mut distance = vec![NONE; nodes];
    let mut before = vec![NONE; nodes];
    let mut frontier: Vec<u32> = Vec::new();
    for &root in roots {
        if distance[root as usize] == NONE {
            distance[root as usize] = 0;
            frontier.push(root);
        }
    }
    let mut next = Vec::new();
    let mut depth = 0;
    let mut since_checkpoint = 0;
    while !frontier.is_empty() {
        depth += 1;
        for &node in &frontier {
            for to in graph.successors(node) {
                if distance[to as usize] == NONE {
                    distance[to as usize] = depth;
                    before[to as usize] = node;
                    next.push(to);
                }
            }
            since_checkpoint += 1;
            if since_checkpoint == CHECKPOINT_EVERY {
                task.checkpoint()?;
                since_checkpoint = 0;
            }
        }
        frontier.clear();
        std::mem::swap(&mut frontier, &mut next);
    }
    Ok(Distances { distance, before })
}

/// Goes on where `found` ends, along the edges that `graph` leaves out
/// (`skip_first`) of the nodes in `loose`: what no path of the graph's own edges
/// reaches gets the length of a shortest path by way of them. Returns the
/// nodes found so.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn extend_loosely(
    graph: &Digraph<'_>,
    loose: &Bits,
    found: &mut Distances,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let mut only_loosely = Bits::new(graph.len());
    let end = |node: u32| graph.edges.row(node).first().copied();
    let mut sources: Vec<u32> = loose.iter().filter(|&n| found.distance[n as usize] != NONE).collect();
    task.checkpoint()?;
    sources.sort_by_key(|&n| found.distance[n as usize]);
    // Two queues, each nearest first; the nearer head goes first, so what is found is found nearest first.
    let mut sources = sources.into_iter().peekable();
    let mut queue: VecDeque<u32> = VecDeque::new();
    let mut steps = 0_usize;
    loop {
        let source = sources.peek().map(|&n| found.distance[n as usize]);
        let queued = queue.front().map(|&n| found.distance[n as usize]);
        let from = match (source, queued) {
            (Some(s), q) if q.is_none_or(|q| s <= q) => sources.next(),
            _ => queue.pop_front(),
        };
        let Some(from) = from else { return Ok(only_loosely) };
        // A source's own edges were followed before.
        let own = only_loosely.contains(from).then(|| graph.successors(from)).into_iter().flatten();
        for to in own.chain(end(from).filter(|_| loose.contains(from))) {
            if found.distance[to as usize] == NONE {
                found.distance[to as usize] = found.distance[from as usize] + 1;
                found.before[to as usize] = from;
                only_loosely.insert(to);
                queue.push_back(to);
            }
        }
        steps += 1;
        if steps.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
    }
}
