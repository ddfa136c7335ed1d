//! Edges of a snapshot while they are read: by source node, in file order.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use heaplens_base::storage::{Buffer, MemoryBudget};
use heaplens_graph::{Csr, NONE, csr::RowPositions};

/// Edges by row, while they are read: for concurrent writes by several threads.
pub struct EdgeColumns<'a> {
    positions: &'a RowPositions,
    to: &'a [AtomicU32],
    kinds: &'a [AtomicU8],
}

/// Edges by row; dangling ones lead to [`NONE`].
pub struct Edges {
    positions: RowPositions,
    pub(super) to: Buffer<u32>,
    /// Bits of [`super::kind`], edge by edge.
    pub(super) kinds: Buffer<u8>,
}

impl Edges {
    /// Creates the edges of nodes with these numbers of edges; `degrees` has a trailing 0. [`Self::columns`] fills them
    /// in. The file has `count` edges: nodes at its end may declare some that are missing.
    pub fn new(mut degrees: Buffer<u32>, count: u64, budget: &MemoryBudget) -> Self {
        let mut left = count;
        for degree in degrees.iter_mut() {
            *degree = u64::from(*degree).min(left) as u32;
            left -= u64::from(*degree);
        }
        let positions = Csr::layout_in_place(degrees, budget);
        let total = positions.total();
        Self { positions, to: budget.scratch(total), kinds: budget.scratch(total) }
    }

    /// Columns for writing.
    pub fn columns(&mut self) -> EdgeColumns<'_> {
        EdgeColumns { positions: &self.positions, to: self.to.shared(), kinds: self.kinds.shared() }
    }
}

impl EdgeColumns<'_> {
    /// First edge of a row; for the index after the last row, the number of edges.
    #[inline]
    pub fn begin(&self, row: u32) -> u64 {
        self.positions.of(row as usize) as u64
    }

    /// Source row of an edge, if it has one.
    pub fn row_of(&self, edge: u64) -> Option<u32> {
        let (mut low, mut high) = (0, self.positions.rows());
        if edge >= self.to.len() as u64 {
            return None;
        }
        // Last row that begins at or before the edge: empty rows begin where the next one does.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.positions.of(middle) as u64 <= edge { low = middle } else { high = middle }
        }
        Some(low as u32)
    }

    /// Sets the target and kind of an edge; `None` if it is dangling.
    #[inline]
    pub fn put(&self, edge: u64, to: Option<u32>, kind: u8) {
        let at = edge as usize;
        if let (Some(slot), Some(of)) = (self.to.get(at), self.kinds.get(at)) {
            slot.store(to.unwrap_or(NONE), Ordering::Relaxed);
            of.store(kind, Ordering::Relaxed);
        }
    }
}

impl Edges {
    /// Number of edges.
    pub fn len(&self) -> usize {
        self.to.len()
    }

    /// True if there are no edges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of source nodes.
    pub(super) fn rows(&self) -> usize {
        self.positions.rows()
    }

    /// Range of the edges of a node.
    #[inline]
    pub(super) fn range(&self, row: u32) -> Range<usize> {
        self.positions.of(row as usize)..self.positions.of(row as usize + 1)
    }

    /// Targets of the edges of a node, and their kinds.
    #[inline]
    pub(super) fn row(&self, row: u32) -> (&[u32], &[u8]) {
        let range = self.range(row);
        (&self.to[range.clone()], &self.kinds[range])
    }

    /// Targets without dangling edges.
    pub fn of(&self, row: u32) -> impl Iterator<Item = (u32, u8)> {
        let (to, kinds) = self.row(row);
        to.iter().copied().zip(kinds.iter().copied()).filter(|&(to, _)| to != NONE)
    }
}
