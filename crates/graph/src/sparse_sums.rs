//! Range sums over a long list of weights that are mostly zero: only the others are stored, so memory and time depend
//! on these alone.

use std::ops::Range;

use super::{Bits, Tree};
use heaplens_base::storage::{Column, MemoryBudget, StoredAnalysis};
use heaplens_base::{Cancelled, Task};

/// Number of preorder numbers whose weights are found by one lookup, followed by a search.
const BLOCK: u32 = 1 << 10;

/// The names of their columns in a stored analysis.
#[derive(Debug, Clone, Copy)]
pub struct SparseNames {
    /// Column name for the first weight of each block of preorder numbers.
    pub starts: &'static str,
    /// Column name for the preorder numbers with a weight.
    pub preorders: &'static str,
    /// Column name for the prefix sums.
    pub sums: &'static str,
}

/// Prefix sums of sparse weights.
#[derive(Default)]
pub struct SparseSums {
    /// First weight at or after the start of each block, and the number of weights.
    starts: Column<u32>,
    /// Ascending.
    preorders: Column<u32>,
    /// Prefix sums of the weights, and the total.
    sums: Column<u64>,
}

impl SparseSums {
    /// Builds prefix sums for `len` preorder numbers; `weights` are the positive weights by preorder number. Sums
    /// saturate at 64 bits.
    pub fn new(len: u32, weights: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let (mut starts, mut preorders, mut sums) = (Vec::new(), Vec::new(), vec![0_u64]);
        let mut sum = 0_u64;
        for (preorder, weight) in weights {
            starts.resize((preorder / BLOCK) as usize + 1, preorders.len() as u32);
            preorders.push(preorder);
            sum = sum.saturating_add(weight);
            sums.push(sum);
        }
        starts.resize((len / BLOCK) as usize + 2, preorders.len() as u32);
        Self { starts: starts.into(), preorders: preorders.into(), sums: sums.into() }
    }

    /// Writes the sums to the column file.
    #[must_use]
    pub fn keep(self, budget: &MemoryBudget, names: SparseNames) -> Self {
        let starts = budget.keep(names.starts, self.starts);
        Self {
            starts,
            preorders: budget.keep(names.preorders, self.preorders),
            sums: budget.keep(names.sums, self.sums),
        }
    }

    /// Loads stored sums.
    pub fn find(stored: &StoredAnalysis, names: SparseNames) -> Option<Self> {
        let (starts, preorders) = (stored.column(names.starts)?, stored.column(names.preorders)?);
        Some(Self { starts, preorders, sums: stored.column(names.sums)? })
    }

    /// Sum of the weights in a range.
    pub fn of(&self, range: Range<u32>) -> u64 {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    /// Sum of the weights before a preorder number.
    fn before(&self, preorder: u32) -> u64 {
        let start = |block: u32| self.starts.get(block as usize).map_or(self.preorders.len(), |start| start as usize);
        let block = start(preorder / BLOCK)..start(preorder / BLOCK + 1);
        let inside = self.preorders.range(block.clone()).partition_point(|&at| at < preorder);
        self.sums.get(block.start + inside).unwrap_or_default()
    }

    /// For each group, the sum over the subtrees of its topmost members, like [`super::groups::group_totals`]: only
    /// ancestors of weights are visited.
    pub fn group_totals(
        &self,
        tree: &Tree,
        group_of: impl Fn(u32) -> u32,
        groups: usize,
        task: &Task,
    ) -> Result<Vec<u64>, Cancelled> {
        let mut above = Bits::new(tree.size() as usize);
        for (nth, &preorder) in self.preorders.all().iter().enumerate() {
            task.checkpoint_at(nth)?;
            let mut preorder = preorder;
            // The root of the tree is not a member.
            while preorder != 0 && preorder < tree.size() && above.insert(preorder) {
                preorder = tree.parent(preorder);
            }
        }
        let mut totals = vec![0_u64; groups];
        let mut covered_to = vec![0_u32; groups];
        for (nth, preorder) in above.iter().enumerate() {
            task.checkpoint_at(nth)?;
            let group = tree.node(preorder).map_or(usize::MAX, |node| group_of(node) as usize);
            let Some(covered_to) = covered_to.get_mut(group).filter(|covered_to| preorder >= **covered_to) else {
                continue;
            };
            *covered_to = preorder + tree.below(preorder) + 1;
            totals[group] = totals[group].saturating_add(self.of(preorder..*covered_to));
        }
        Ok(totals)
    }
}
