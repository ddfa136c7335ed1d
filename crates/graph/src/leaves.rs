//! Nodes whose dominator is known before any search: *exclusive leaves*.
//!
//! A leaf with exactly one incoming edge is dominated by the source of that edge, is reachable if the source is, and is
//! one step further from the roots. In a heap these are the arrays inside strings and lists, and boxed values in maps:
//! often half of all objects. They need no place in a queue; an edge to one costs a bit test.

use rayon::prelude::*;

use super::{Bits, Digraph};
use heaplens_base::{Cancelled, Task};

/// The exclusive leaves: nodes without explicit edges that exactly one explicit
/// edge points at (`single`, as [`super::transpose::transpose_into`] finds
/// them, all edges counted), and that are neither root nor hub. That edge must
/// count under every rule: it may not be the first of a node in `skippable`.
///
/// Their parent is the one node in their row of the transposed graph.
pub fn exclusive_leaves(
    graph: &Digraph<'_>,
    mut single: Bits,
    roots: &[u32],
    skippable: &Bits,
    task: &Task,
) -> Result<Bits, Cancelled> {
    single.words_mut().par_chunks_mut(1024).with_max_len(1).enumerate().try_for_each(|(chunk, words)| {
        task.checkpoint()?;
        for (at, word) in words.iter_mut().enumerate() {
            let first = (chunk * 1024 + at) as u32 * 64;
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                if !graph.edges.range(first + bit).is_empty() {
                    *word &= !(1 << bit);
                }
            }
        }
        Ok(())
    })?;
    let mut leaves = single;
    let hubs = graph.hubs.iter().filter(|&&hub| hub != super::NONE);
    roots.iter().chain(hubs).for_each(|&node| leaves.remove(node));
    for (at, node) in skippable.iter().enumerate() {
        task.checkpoint_at(at)?;
        graph.edges.row(node).first().iter().for_each(|&&first| leaves.remove(first));
    }
    Ok(leaves)
}
