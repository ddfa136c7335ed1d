//! Breadth-first distances and one shortest-path tree.

use super::NONE;
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
