//! Compressed sparse rows: the edges of all nodes in one array, and the start of each node's range.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;

use heaplens_base::storage::{Buffer, Column, MemoryBudget, Numbers, out_of_memory::room_for, prefetch};
use heaplens_base::{Cancelled, Task};

/// Start of each row: `len + 1` ascending positions, with 32 bits each as long as they suffice, which halves the array
/// for all but the largest graphs.
enum Starts {
    Narrow(Column<u32>),
    Wide(Column<u64>),
}

impl Starts {
    /// Start of a row; for the index after the last row, the end of all.
    #[inline]
    fn at(&self, row: usize) -> usize {
        match self {
            Self::Narrow(starts) => starts.get(row).unwrap_or_default() as usize,
            Self::Wide(starts) => starts.get(row).unwrap_or_default() as usize,
        }
    }

    fn rows(&self) -> usize {
        match self {
            Self::Narrow(starts) => starts.len().saturating_sub(1),
            Self::Wide(starts) => starts.len().saturating_sub(1),
        }
    }
}

/// Edges by row, in the given order.
pub struct Csr {
    starts: Starts,
    targets: Column<u32>,
}

impl Default for Csr {
    fn default() -> Self {
        Self { starts: Starts::Narrow(vec![0].into()), targets: Column::default() }
    }
}

/// Rows of a [`Csr`] as plain slices.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    starts: RowStarts<'a>,
    targets: &'a [u32],
}

#[derive(Clone, Copy)]
enum RowStarts<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
}

impl<'a> Rows<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self.starts {
            RowStarts::Narrow(starts) => starts.len().saturating_sub(1),
            RowStarts::Wide(starts) => starts.len().saturating_sub(1),
        }
    }

    /// Number of edges in all rows.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Index of the first edge of a row; for the index after the last row, the number of edges.
    #[inline]
    pub fn begin(&self, row: usize) -> usize {
        match self.starts {
            RowStarts::Narrow(starts) => starts[row] as usize,
            RowStarts::Wide(starts) => starts[row] as usize,
        }
    }

    /// Loads the start of a row in the background.
    #[inline]
    pub fn prefetch_start(&self, row: u32) {
        match self.starts {
            RowStarts::Narrow(starts) => prefetch(starts, row as usize),
            RowStarts::Wide(starts) => prefetch(starts, row as usize),
        }
    }

    /// Positions of a row's edges among all edges.
    #[inline]
    pub fn range(&self, row: u32) -> Range<usize> {
        self.begin(row as usize)..self.begin(row as usize + 1)
    }

    /// The edges of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &'a [u32] {
        &self.targets[self.range(row)]
    }

    /// All edges, row after row.
    #[inline]
    pub fn targets(&self) -> &'a [u32] {
        self.targets
    }
}

impl Csr {
    /// Rows of the given lengths; `targets` holds them one after the other.
    ///
    /// # Panics
    /// If the lengths do not add up to `targets.len()`.
    pub fn new(degrees: &[u32], targets: Vec<u32>) -> Self {
        let starts = Self::starts_of(degrees);
        let csr = Self { starts, targets: targets.into() };
        assert_eq!(csr.starts.at(degrees.len()), csr.targets.len(), "row lengths and number of targets differ");
        csr
    }

    /// Rows of the given lengths, all pointing at node 0 until they are filled.
    pub fn layout(degrees: &[u32]) -> RowPositions {
        RowPositions(Self::starts_of(degrees))
    }

    /// Like [`Csr::layout`], but overwrites the degrees; these have a trailing 0.
    pub fn layout_in_place(mut degrees: Buffer<u32>, budget: &MemoryBudget) -> RowPositions {
        let total: u64 = degrees.par_iter().map(|&d| u64::from(d)).sum();
        if u32::try_from(total).is_err() {
            let mut starts = budget.buffer::<u64>(degrees.len());
            let mut at = 0;
            for (start, &degree) in starts.iter_mut().zip(degrees.iter()) {
                *start = at;
                at += u64::from(degree);
            }
            return RowPositions(Starts::Wide(starts.into()));
        }
        let mut at = 0;
        for start in degrees.iter_mut() {
            at += std::mem::replace(start, at);
        }
        RowPositions(Starts::Narrow(degrees.into()))
    }

    fn starts_of(degrees: &[u32]) -> Starts {
        let total: u64 = degrees.par_iter().map(|&d| u64::from(d)).sum();
        if u32::try_from(total).is_ok() {
            Starts::Narrow(running_sums(degrees).into())
        } else {
            Starts::Wide(running_sums(degrees).into())
        }
    }

    /// Builds rows from a list of edges; edges of one row keep their order.
    pub fn from_edges(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut degrees = vec![0_u32; nodes];
        for &(from, _) in edges {
            degrees[from as usize] += 1;
        }
        let starts = Self::starts_of(&degrees);
        let mut targets = vec![0; edges.len()];
        let mut next: Vec<usize> = (0..nodes).map(|n| starts.at(n)).collect();
        for &(from, to) in edges {
            targets[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        Self { starts, targets: targets.into() }
    }

    /// Members of each group, ascending. Nodes without a group are omitted.
    pub fn by_group(group_of: &Numbers, groups: usize, task: &Task) -> Result<Self, Cancelled> {
        let mut left = vec![0_u32; groups];
        for block in task.blocks(group_of.len()) {
            for group in block?.filter_map(|node| group_of.get(node)) {
                if let Some(left) = left.get_mut(group as usize) {
                    *left += 1;
                }
            }
        }
        let positions = Self::layout(&left);
        let mut members = vec![0_u32; positions.total()];
        // From last to first, so that the sizes count down to each position.
        for block in task.blocks(group_of.len()).rev() {
            for node in block?.rev() {
                let group = group_of.get(node).map_or(groups, |group| group as usize);
                // A file that changes while it is read may have more members now than when they were counted.
                if let Some(left @ 1..) = left.get_mut(group) {
                    *left -= 1;
                    members[positions.of(group) + *left as usize] = node as u32;
                }
            }
        }
        Ok(positions.with(members))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.rows()
    }

    /// Number of edges in all rows.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The edges of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        let row = row as usize;
        self.targets.range(self.starts.at(row)..self.starts.at(row + 1))
    }

    /// All rows as slices.
    pub fn view(&self) -> Rows<'_> {
        let starts = match &self.starts {
            Starts::Narrow(starts) => RowStarts::Narrow(starts.all()),
            Starts::Wide(starts) => RowStarts::Wide(starts.all()),
        };
        Rows { starts, targets: self.targets.all() }
    }
}

/// Sum of the degrees before each row, and of all.
pub(super) fn running_sums<T: Copy + Default + AddAssign + From<u32>>(degrees: &[u32]) -> Vec<T> {
    let (mut sums, mut sum) = (room_for(degrees.len() + 1), T::default());
    sums.push(sum);
    sums.extend(degrees.iter().map(|&degree| {
        sum += T::from(degree);
        sum
    }));
    sums
}

/// Row positions whose edges are still being written by several threads.
pub struct RowPositions(Starts);

impl RowPositions {
    /// Start of a row.
    #[inline]
    pub fn of(&self, row: usize) -> usize {
        self.0.at(row)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Number of edges in all rows.
    pub fn total(&self) -> usize {
        self.0.at(self.0.rows())
    }

    /// Combines the rows with their edges.
    pub fn with(self, targets: impl Into<Column<u32>>) -> Csr {
        Csr { starts: self.0, targets: targets.into() }
    }
}
