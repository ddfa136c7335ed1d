//! What nodes of a tree hold together, every weight counted once: a node below
//! another of its group adds nothing, so the topmost ones are summed.

use rayon::prelude::*;

use super::NONE;
use super::sums::Sums;
use super::tree::Tree;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Places whose groups are looked up at once.
const STRIP: usize = 1 << 20;

/// For each group, the sum of the subtrees of its topmost members. Groups past `groups` are none.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn group_totals(
    tree: &Tree,
    sums: &Sums,
    group_of: impl Fn(u32) -> u32 + Sync,
    groups: usize,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let nodes = tree.nodes();
    let mut group_at = vec![NONE; STRIP.min(nodes.len())];
    let mut totals = vec![0_u64; groups];
    // First place behind the topmost member last seen: a member before that is inside its subtree.
    let mut covered_to = vec![0_u32; groups];
    for (first, strip) in (0..).step_by(STRIP).zip(nodes.chunks(STRIP)) {
        // Read at random, on all cores; what follows has to go from place to place.
        let blocks = group_at.par_chunks_mut(CHECKPOINT_EVERY).zip(strip.par_chunks(CHECKPOINT_EVERY));
        blocks.try_for_each(|(groups, nodes)| {
            task.checkpoint()?;
            groups.iter_mut().zip(nodes).for_each(|(group, &node)| *group = group_of(node));
            Ok(())
        })?;
        // The root of the tree is no node.
        for (place, &group) in (first..).zip(&group_at[..strip.len()]).filter(|&(place, _)| place > 0) {
            let Some(covered_to) = covered_to.get_mut(group as usize) else { continue };
            if place >= *covered_to {
                let end = place + tree.below(place) + 1;
                totals[group as usize] = totals[group as usize].saturating_add(sums.of(place..end));
                *covered_to = end;
            }
        }
    }
    Ok(totals)
}

/// The sum of the subtrees of the topmost of `nodes`; those that are not in the tree have none.
pub fn total(tree: &Tree, sums: &Sums, nodes: impl Iterator<Item = u32>) -> u64 {
    let mut places: Vec<u32> = nodes.filter_map(|node| tree.place(node)).collect();
    places.sort_unstable();
    let (mut total, mut covered_to) = (0_u64, 0);
    for place in places {
        if place >= covered_to {
            covered_to = place + tree.below(place) + 1;
            total = total.saturating_add(sums.of(place..covered_to));
        }
    }
    total
}
