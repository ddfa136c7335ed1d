//! Range sums over a long list of weights that are mostly zero: only the others are stored, so memory and time depend
//! on these alone.

use std::ops::Range;

use super::{Bits, Tree};
use heaplens_base::storage::{Column, MemoryBudget, StoredAnalysis};
use heaplens_base::{Cancelled, Task};

/// Number of places whose weights are found by one lookup, followed by a search.
const BLOCK: u32 = 1 << 10;

/// The names of their columns in a stored analysis.
#[derive(Debug, Clone, Copy)]
pub struct SparseNames {
    /// Column name for the first weight of each block of places.
    pub starts: &'static str,
    /// Column name for the places with a weight.
    pub places: &'static str,
    /// Column name for the prefix sums.
    pub sums: &'static str,
}

/// Prefix sums of sparse weights.
#[derive(Default)]
pub struct SparseSums {
    /// First weight at or after the start of each block, and the number of weights.
    starts: Column<u32>,
    /// Ascending.
    places: Column<u32>,
    /// Prefix sums of the weights, and the total.
    sums: Column<u64>,
}

impl SparseSums {
    /// Builds prefix sums for `len` places; `weights` are the positive weights by place. Sums saturate at 64 bits.
    pub fn new(len: u32, weights: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let (mut starts, mut places, mut sums) = (Vec::new(), Vec::new(), vec![0_u64]);
        let mut sum = 0_u64;
        for (place, weight) in weights {
            starts.resize((place / BLOCK) as usize + 1, places.len() as u32);
            places.push(place);
            sum = sum.saturating_add(weight);
            sums.push(sum);
        }
        starts.resize((len / BLOCK) as usize + 2, places.len() as u32);
        Self { starts: starts.into(), places: places.into(), sums: sums.into() }
    }

    /// Writes the sums to the column file.
    #[must_use]
    pub fn keep(self, space: &MemoryBudget, names: SparseNames) -> Self {
        let starts = space.keep(names.starts, self.starts);
        Self { starts, places: space.keep(names.places, self.places), sums: space.keep(names.sums, self.sums) }
    }

    /// Loads stored sums.
    pub fn find(stored: &StoredAnalysis, names: SparseNames) -> Option<Self> {
        let (starts, places) = (stored.column(names.starts)?, stored.column(names.places)?);
        Some(Self { starts, places, sums: stored.column(names.sums)? })
    }

    /// Sum of the weights in a range.
    pub fn of(&self, range: Range<u32>) -> u64 {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    /// Sum of the weights before a place.
    fn before(&self, place: u32) -> u64 {
        let start = |block: u32| self.starts.get(block as usize).map_or(self.places.len(), |start| start as usize);
        let block = start(place / BLOCK)..start(place / BLOCK + 1);
        let inside = self.places.range(block.clone()).partition_point(|&at| at < place);
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
        let mut above = Bits::new(tree.places() as usize);
        for (nth, &place) in self.places.all().iter().enumerate() {
            task.checkpoint_at(nth)?;
            let mut place = place;
            // The root of the tree is not a member.
            while place != 0 && place < tree.places() && above.insert(place) {
                place = tree.parent(place);
            }
        }
        let mut totals = vec![0_u64; groups];
        let mut covered_to = vec![0_u32; groups];
        for (nth, place) in above.iter().enumerate() {
            task.checkpoint_at(nth)?;
            let group = tree.node(place).map_or(usize::MAX, |node| group_of(node) as usize);
            let Some(covered_to) = covered_to.get_mut(group).filter(|covered_to| place >= **covered_to) else {
                continue;
            };
            *covered_to = place + tree.below(place) + 1;
            totals[group] = totals[group].saturating_add(self.of(place..*covered_to));
        }
        Ok(totals)
    }
}
