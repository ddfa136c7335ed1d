//! Combined weight of groups of nodes in a tree, each weight counted once: a node below another one of its group adds
//! nothing, so the topmost ones are summed.

use rayon::prelude::*;

use super::{NONE, Tree, sums::Sums};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Number of preorder numbers whose groups are looked up in parallel before they are processed.
const AT_ONCE: usize = 16 * CHECKPOINT_EVERY;

/// For each group, the sum over the subtrees of its topmost members. Group numbers of at least `groups` mean "no
/// group".
pub fn group_totals(
    tree: &Tree,
    sums: &Sums,
    group_of: impl Fn(u32) -> u32 + Sync,
    groups: usize,
    task: &Task,
) -> Result<Vec<u64>, Cancelled> {
    let nodes = tree.nodes();
    let mut totals = vec![0_u64; groups];
    // End of the subtree of the topmost member seen last: a member before it is inside that subtree.
    let mut covered_to = vec![0_u32; groups];
    let (mut walk, mut sums) = (tree.walk(), sums.forward());
    let mut group_at = Vec::new();
    for nodes in nodes.chunks(AT_ONCE) {
        // Groups of nodes are read at random; the rest proceeds from preorder number to preorder number.
        let blocks = nodes.par_iter().with_min_len(CHECKPOINT_EVERY / 4);
        // The root of the tree is no node.
        blocks.map(|&node| if node == NONE { NONE } else { group_of(node) }).collect_into_vec(&mut group_at);
        task.checkpoint()?;
        for &group in &group_at {
            let Some(preorder) = walk.step() else { return Ok(totals) };
            let group = group as usize;
            let Some(covered_to) = covered_to.get_mut(group) else { continue };
            if preorder >= *covered_to {
                let end = preorder + walk.below() + 1;
                totals[group] = totals[group].saturating_add(sums.of(preorder..end));
                *covered_to = end;
            }
        }
    }
    Ok(totals)
}

/// Sum over the subtrees of the topmost of `nodes`; nodes outside the tree are ignored.
pub fn total(tree: &Tree, sums: &Sums, nodes: impl Iterator<Item = u32>) -> u64 {
    let mut preorders: Vec<u32> = nodes.filter_map(|node| tree.preorder(node)).collect();
    preorders.sort_unstable();
    let (mut total, mut covered_to) = (0_u64, 0);
    for preorder in preorders {
        if preorder >= covered_to {
            covered_to = preorder + tree.below(preorder) + 1;
            total = total.saturating_add(sums.of(preorder..covered_to));
        }
    }
    total
}
