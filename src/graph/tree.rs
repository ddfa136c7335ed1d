//! A rooted tree given by parents, and sums over its subtrees.
//!
//! Nodes are given in an order in which parents come before their children
//! (any search order is one), so every sum is one pass over an array.

use crate::task::{Cancelled, Task};

/// A tree over search numbers; 0 is the virtual root.
#[derive(Debug)]
pub struct Tree {
    /// Parent of each number; the root's own entry is 0.
    pub parent: Vec<u32>,
    /// Numbers in the subtree below each number, itself excluded.
    pub below: Vec<u32>,
    /// Sum of the weights in the subtree, itself included.
    pub weight: Vec<u64>,
}

impl Tree {
    /// Sums `weight_of` (by number; that of 0 is not asked) up the tree.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn new(parent: Vec<u32>, weight_of: impl Fn(u32) -> u64, task: &Task) -> Result<Self, Cancelled> {
        let count = parent.len();
        let mut weight = vec![0_u64; count];
        let mut below = vec![0_u32; count];
        for block in task.blocks(count).rev() {
            for n in block?.rev() {
                if n == 0 {
                    break;
                }
                weight[n] = weight[n].saturating_add(weight_of(n as u32));
                let p = parent[n] as usize;
                weight[p] = weight[p].saturating_add(weight[n]);
                below[p] += below[n] + 1;
            }
        }
        Ok(Self { parent, below, weight })
    }

    /// Preorder place of each number *in this tree*: a subtree is the range
    /// `place[n]..=place[n] + below[n]`.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn places(&self, task: &Task) -> Result<Vec<u32>, Cancelled> {
        let count = self.parent.len();
        let mut place = vec![0_u32; count];
        // Where the next child of each number goes.
        let mut next = vec![1_u32; count];
        for block in task.blocks(count) {
            for n in block? {
                if n == 0 {
                    continue;
                }
                let p = self.parent[n] as usize;
                place[n] = next[p];
                next[p] += self.below[n] + 1;
                next[n] = place[n] + 1;
            }
        }
        Ok(place)
    }

    /// For each group, the sum of the subtrees of its topmost members: what
    /// the members hold together, every weight counted once. A member below
    /// another member of its group adds nothing. `number_at` is the inverse of
    /// [`Tree::places`].
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn group_totals(
        &self,
        number_at: &[u32],
        group_of: impl Fn(u32) -> u32,
        groups: usize,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let mut totals = vec![0_u64; groups];
        // First place after the topmost member last seen; going by place, a node
        // before that is inside its subtree.
        let mut covered_to = vec![0_u32; groups];
        for block in task.blocks(number_at.len()) {
            for p in block? {
                if p == 0 {
                    continue;
                }
                let n = number_at[p];
                let group = group_of(n) as usize;
                if p as u32 >= covered_to[group] {
                    totals[group] = totals[group].saturating_add(self.weight[n as usize]);
                    covered_to[group] = p as u32 + self.below[n as usize] + 1;
                }
            }
        }
        Ok(totals)
    }
}

/// The number at each place, given the place of each number.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn numbers_at(places: &[u32], task: &Task) -> Result<Vec<u32>, Cancelled> {
    let mut number_at = vec![0_u32; places.len()];
    for block in task.blocks(places.len()) {
        for n in block? {
            number_at[places[n] as usize] = n as u32;
        }
    }
    Ok(number_at)
}

/// Places of the children of the node at `place`, which has `below` nodes under
/// it. `below_at` says how many nodes are under the one at a place: behind a
/// child comes its own subtree, then the next child.
pub fn child_places(place: u32, below: u32, below_at: impl Fn(u32) -> u32) -> impl Iterator<Item = u32> {
    let end = place + below;
    let mut next = place + 1;
    std::iter::from_fn(move || {
        let child = (next <= end).then_some(next)?;
        next += below_at(child) + 1;
        Some(child)
    })
}
