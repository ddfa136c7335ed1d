//! Parallel reachability from some nodes. Only the set of reached nodes is computed, so nodes may be visited in any
//! order with the same result.
//!
//! A thread takes some of the waiting nodes and continues from them on its own for a while, depth first; then its
//! waiting nodes are redistributed. So a list of millions is as cheap as a bushy graph.

use rayon::prelude::*;

use super::Bits;
use super::bits::SharedBits;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Number of waiting nodes up to which one thread continues alone.
const FEW: usize = 1 << 11;
/// Number of waiting nodes that justifies a separate task.
const PIECE: usize = 1 << 8;

/// The nodes found so far, and those of them that one thread has still to follow.
pub struct ReachedNodes<'a> {
    nodes: usize,
    reached: &'a SharedBits,
    waiting: Vec<u32>,
}

impl ReachedNodes<'_> {
    /// Adds the target of an edge; one past the end is ignored.
    #[inline]
    pub fn meet(&mut self, node: u32) {
        if (node as usize) < self.nodes && self.reached.insert(node) {
            self.waiting.push(node);
        }
    }

    /// Follows waiting nodes until there is none, or more than `most`, or it is time to check for cancellation.
    fn go_on(&mut self, most: usize, follow: &impl Fn(u32, &mut Self)) -> u64 {
        let mut steps = 0;
        while steps < CHECKPOINT_EVERY as u64 && self.waiting.len() <= most {
            let Some(node) = self.waiting.pop() else { break };
            follow(node, self);
            steps += 1;
        }
        steps
    }
}

/// Nodes of `0..nodes` reachable from `begin`, itself included; `follow` is called with a node and must meet all its
/// successors. Progress counts nodes.
pub fn reach(
    nodes: usize,
    begin: &[u32],
    follow: impl Fn(u32, &mut ReachedNodes<'_>) + Sync,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let reached = SharedBits::new(nodes);
    let follow = |node: u32, reached_nodes: &mut ReachedNodes<'_>| follow(node, reached_nodes);
    let mut reached_nodes = ReachedNodes { nodes, reached: &reached, waiting: Vec::new() };
    begin.iter().for_each(|&node| reached_nodes.meet(node));
    while !reached_nodes.waiting.is_empty() {
        if reached_nodes.waiting.len() <= FEW {
            task.advance_checked(reached_nodes.go_on(FEW, &follow))?;
            continue;
        }
        let shares = rayon::current_num_threads() * 4;
        let pieces =
            reached_nodes.waiting.par_chunks(reached_nodes.waiting.len().div_ceil(shares).max(PIECE)).with_max_len(1);
        let left = pieces.map(|piece| {
            let mut own = ReachedNodes { nodes, reached: &reached, waiting: piece.to_vec() };
            task.advance_checked(own.go_on(usize::MAX, &follow))?;
            Ok(own.waiting)
        });
        reached_nodes.waiting = left.collect::<Result<Vec<_>, Cancelled>>()?.concat();
    }
    drop(reached_nodes);
    Ok(reached.into_bits())
}
