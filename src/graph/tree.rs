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
        let mut weight: Vec<u64> = (0..count as u32).map(|n| if n == 0 { 0 } else { weight_of(n) }).collect();
        let mut below = vec![0_u32; count];
        task.checkpoint()?;
        for n in (1..count).rev() {
            let p = parent[n] as usize;
            weight[p] = weight[p].saturating_add(weight[n]);
            below[p] += below[n] + 1;
        }
        task.checkpoint()?;
        Ok(Self { parent, below, weight })
    }

    /// Preorder place of each number *in this tree*: a subtree is the range
    /// `place[n]..=place[n] + below[n]`.
    pub fn places(&self) -> Vec<u32> {
        let count = self.parent.len();
        let mut place = vec![0_u32; count];
        // Where the next child of each number goes.
        let mut next = vec![1_u32; count];
        for n in 1..count {
            let p = self.parent[n] as usize;
            place[n] = next[p];
            next[p] += self.below[n] + 1;
            next[n] = place[n] + 1;
        }
        place
    }

    /// For each group, the sum of the subtrees of its topmost members: what
    /// the members hold together, every weight counted once. A member below
    /// another member of its group adds nothing. `number_at` is the inverse of
    /// [`Tree::places`].
    pub fn group_totals(&self, number_at: &[u32], group_of: impl Fn(u32) -> u32, groups: usize) -> Vec<u64> {
        let mut totals = vec![0_u64; groups];
        // First place after the topmost member last seen; going by place, a node
        // before that is inside its subtree.
        let mut covered_to = vec![0_u32; groups];
        for (p, &n) in number_at.iter().enumerate().skip(1) {
            let group = group_of(n) as usize;
            if p as u32 >= covered_to[group] {
                totals[group] = totals[group].saturating_add(self.weight[n as usize]);
                covered_to[group] = p as u32 + self.below[n as usize] + 1;
            }
        }
        totals
    }
}

/// The number at each place, given the place of each number.
pub fn numbers_at(places: &[u32]) -> Vec<u32> {
    let mut number_at = vec![0_u32; places.len()];
    for (n, &p) in places.iter().enumerate() {
        number_at[p as usize] = n as u32;
    }
    number_at
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
