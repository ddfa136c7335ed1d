//! What nodes of a tree hold together, every weight counted once: a node below
//! another of its group adds nothing, so the topmost ones are summed.

use super::sums::Sums;
use super::tree::Tree;
use crate::task::{Cancelled, Task};

/// For each group, the sum of the subtrees of its topmost members. Groups past `groups` are none.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn group_totals(
    tree: &Tree,
    sums: &Sums,
    group_of: impl Fn(u32) -> u32,
    groups: usize,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let nodes = tree.nodes();
    let mut totals = vec![0_u64; groups];
    // First place behind the topmost member last seen: a member before that is inside its subtree.
    let mut covered_to = vec![0_u32; groups];
    for block in task.blocks(nodes.len()) {
        // The root of the tree is no node.
        for place in block?.filter(|&place| place > 0) {
            let group = group_of(nodes[place]) as usize;
            let Some(covered_to) = covered_to.get_mut(group) else { continue };
            let place = place as u32;
            if place >= *covered_to {
                let end = place + tree.below(place) + 1;
                totals[group] = totals[group].saturating_add(sums.of(place..end));
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
