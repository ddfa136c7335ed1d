//! Per-node data of a search: the start of the node's edges, and its number. Both are adjacent in memory, since the
//! search is bound by cache misses and continues with the edges of a new node immediately.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::Rows;
use heaplens_base::storage::{Buffer, MemoryBudget, prefetch};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(C)]
struct Visit {
    /// Lower half of the start of its edges.
    begin: u32,
    /// 0 until visited.
    number: u32,
}

/// Edge starts and numbers of all nodes during a search.
pub(super) struct Visits {
    /// One more entry than nodes: the edges of each end where those of the next begin.
    of: Buffer<Visit>,
    /// Nodes from which on the upper half of edge starts is higher by one; usually none.
    carries: Vec<u32>,
}

impl Visits {
    /// Nothing is visited yet.
    pub(super) fn new(edges: Rows<'_>, budget: &MemoryBudget, task: &Task) -> Result<Self, Cancelled> {
        let mut of = budget.scratch::<Visit>(edges.rows() + 1);
        of.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, visits)| {
            task.checkpoint()?;
            for (row, visit) in (block * CHECKPOINT_EVERY..).zip(visits) {
                *visit = Visit { begin: edges.begin(row) as u32, number: 0 };
            }
            Ok(())
        })?;
        Ok(Self { of, carries: carries(edges.rows(), |row| edges.begin(row)) })
    }

    #[inline]
    pub(super) fn number(&self, node: u32) -> u32 {
        self.of[node as usize].number
    }

    #[inline]
    pub(super) fn set_number(&mut self, node: u32, number: u32) {
        self.of[node as usize].number = number;
    }

    /// Loads the data of `node` in the background.
    #[inline]
    pub(super) fn prefetch(&self, node: u32) {
        prefetch(&self.of, node as usize);
    }

    /// Loads the first edges of `node` in the background. Its data should be loaded already.
    #[inline]
    pub(super) fn prefetch_edges(&self, node: u32, targets: &[u32]) {
        prefetch(targets, self.begin(node));
    }

    /// Positions of the edges of `node`.
    #[inline]
    pub(super) fn edge_range(&self, node: u32) -> std::ops::Range<usize> {
        self.begin(node)..self.begin(node + 1)
    }

    #[inline]
    fn begin(&self, node: u32) -> usize {
        let low = self.of[node as usize].begin as usize;
        if self.carries.is_empty() { low } else { low + (self.carries.partition_point(|&c| c <= node) << 32) }
    }

    /// Numbers alone, 0 for unvisited nodes.
    pub(super) fn into_numbers(self, budget: &MemoryBudget) -> Buffer<u32> {
        let nodes = self.of.len() - 1;
        let mut numbers = budget.scratch::<u32>(nodes);
        let blocks = numbers.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).zip(self.of.par_chunks(CHECKPOINT_EVERY));
        blocks.for_each(|(numbers, visits)| {
            numbers.iter_mut().zip(visits).for_each(|(number, visit)| *number = visit.number);
        });
        numbers
    }
}

/// First row that begins at 2³² or later, at 2 · 2³² or later, and so on.
fn carries(rows: usize, begin: impl Fn(usize) -> usize) -> Vec<u32> {
    let first_from = |position: usize| {
        let (mut low, mut high) = (0, rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if begin(middle) < position { low = middle + 1 } else { high = middle }
        }
        low as u32
    };
    (1..=begin(rows) >> 32).map(|upper| first_from(upper << 32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the starts of rows matter here; four billion real edges would be too many for a test.
    #[test]
    fn rows_may_begin_beyond_32_bits() {
        let begins = [0_usize, 5, (1 << 32) - 1, 1 << 32, (1 << 32) + 7, 3 << 32, (3 << 32) + 1];
        let budget = MemoryBudget::default();
        let mut of = budget.scratch::<Visit>(begins.len());
        for (visit, &begin) in of.iter_mut().zip(&begins) {
            *visit = Visit { begin: begin as u32, number: 0 };
        }
        let carries = carries(begins.len() - 1, |row| begins[row]);
        let visits = Visits { of, carries };
        for (node, &begin) in begins.iter().enumerate() {
            assert_eq!(visits.begin(node as u32), begin, "row {node}");
        }
    }
}
