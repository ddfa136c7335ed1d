//! Nodes whose dominator is known before any search: *exclusive leaves*.
//!
//! A leaf with exactly one incoming edge is dominated by the source of that edge, is reachable if the source is, and is
//! one step further from the roots. In a heap these are the arrays inside strings and lists, and boxed values in maps:
//! often half of all objects. They need no number in the search, no record in semi-NCA and no place in a queue; an edge
//! to one costs a bit test.
//!
//! The edge from a leaf to the hub of its group does not interfere: the parent takes it over where necessary (see
//! [`super::search`]).

use rayon::prelude::*;

use super::{Bits, Digraph, search::Search};
use heaplens_base::{Cancelled, Task, storage::Buffer};

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
    single.words_mut().par_chunks_mut(1024).enumerate().try_for_each(|(chunk, words)| {
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

/// Numbers the reached leaves after the nodes of the search, in order, and sets their dominators: their parents. A
/// parent's number is below that of its leaves, as in the search. `parent_of` is called in the order of the leaves.
pub fn append_leaves(
    search: &mut Search,
    idoms: &mut Buffer<u32>,
    leaves: &Bits,
    mut parent_of: impl FnMut(u32) -> Option<u32>,
    task: &Task,
) -> Result<(), Cancelled> {
    let core = search.order.len();
    let mut count = core;
    // Upper limit, since some leaves have a number already.
    let most = search.number.len() + 1;
    search.order.set_len(most);
    idoms.set_len(most);
    let (order, number, parents) = (&mut search.order[..], &search.number[..], &mut idoms[..]);
    for (at, leaf) in leaves.iter().enumerate() {
        task.checkpoint_at(at)?;
        let parent = parent_of(leaf).map_or(0, |parent| number[parent as usize]);
        // Some have a number: those that led to their hub first, or were added as roots.
        if parent != 0 && number[leaf as usize] == 0 {
            order[count] = leaf;
            parents[count] = parent;
            count += 1;
        }
    }
    search.order.set_len(count);
    idoms.set_len(count);
    Ok(())
}
