//! Compressed sparse rows: the edges of all nodes in one array, and where each
//! node's part of it begins.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use crate::task::{Cancelled, Task};

/// Where each row begins: `len + 1` ascending positions. 32 bits each as long
/// as they suffice, which halves the array for all but the largest graphs.
#[derive(Debug, Clone)]
enum Starts {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Starts {
    /// Where a row begins; that after the last says where all end.
    #[inline]
    fn at(&self, row: usize) -> usize {
        match self {
            Self::Narrow(starts) => starts[row] as usize,
            Self::Wide(starts) => starts[row] as usize,
        }
    }

    fn rows(&self) -> usize {
        match self {
            Self::Narrow(starts) => starts.len() - 1,
            Self::Wide(starts) => starts.len() - 1,
        }
    }
}

/// Edges by row. Within a row, edges keep the order in which they were given.
#[derive(Debug, Clone)]
pub struct Csr {
    starts: Starts,
    targets: Vec<u32>,
}

impl Default for Csr {
    fn default() -> Self {
        Self { starts: Starts::Narrow(vec![0]), targets: Vec::new() }
    }
}

impl Csr {
    /// Rows of the given lengths; `targets` holds them one after the other.
    ///
    /// # Panics
    /// If the lengths do not add up to `targets.len()`.
    pub fn new(degrees: &[u32], targets: Vec<u32>) -> Self {
        let starts = Self::starts_of(degrees);
        let csr = Self { starts, targets };
        assert_eq!(csr.starts.at(degrees.len()), csr.targets.len(), "row lengths and targets differ");
        csr
    }

    /// Rows of the given lengths, all pointing at node 0 until they are filled.
    pub(crate) fn layout(degrees: &[u32]) -> RowPositions {
        RowPositions(Self::starts_of(degrees))
    }

    fn starts_of(degrees: &[u32]) -> Starts {
        let total: u64 = degrees.par_iter().map(|&d| u64::from(d)).sum();
        if u32::try_from(total).is_ok() {
            let mut starts = Vec::with_capacity(degrees.len() + 1);
            let mut at = 0_u32;
            starts.push(0);
            starts.extend(degrees.iter().map(|&d| {
                at += d;
                at
            }));
            Starts::Narrow(starts)
        } else {
            let mut starts = Vec::with_capacity(degrees.len() + 1);
            let mut at = 0_u64;
            starts.push(0);
            starts.extend(degrees.iter().map(|&d| {
                at += u64::from(d);
                at
            }));
            Starts::Wide(starts)
        }
    }

    /// From a list of edges; edges of one row keep their order in the list.
    pub fn from_edges(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut degrees = vec![0_u32; nodes];
        for &(from, _) in edges {
            degrees[from as usize] += 1;
        }
        let starts = Self::starts_of(&degrees);
        let mut csr = Self { starts, targets: vec![0; edges.len()] };
        let mut next: Vec<usize> = (0..nodes).map(|n| csr.starts.at(n)).collect();
        for &(from, to) in edges {
            csr.targets[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        csr
    }

    /// The members of each group, ascending.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn by_group(group_of: &[u32], groups: usize, task: &Task) -> Result<Self, Cancelled> {
        let mut left = vec![0_u32; groups];
        for block in task.blocks(group_of.len()) {
            group_of[block?].iter().for_each(|&group| left[group as usize] += 1);
        }
        let positions = Self::layout(&left);
        let mut members = vec![0_u32; group_of.len()];
        // From the last to the first, so that the sizes count down to each place.
        for block in task.blocks(group_of.len()).rev() {
            for node in block?.rev() {
                let group = group_of[node] as usize;
                left[group] -= 1;
                members[positions.of(group) + left[group] as usize] = node as u32;
            }
        }
        Ok(positions.with(members))
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.starts.rows()
    }

    /// How many edges in all rows.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Where a row begins among all edges; that after the last row says where all end.
    #[inline]
    pub fn begin(&self, row: usize) -> usize {
        self.starts.at(row)
    }

    /// Positions of a row's edges among all edges.
    #[inline]
    pub fn range(&self, row: u32) -> Range<usize> {
        let row = row as usize;
        self.starts.at(row)..self.starts.at(row + 1)
    }

    /// The edges of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        &self.targets[self.range(row)]
    }

    /// All edges, row after row.
    #[inline]
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }
}

/// Row positions whose edges are still being written by several threads.
pub(crate) struct RowPositions(Starts);

impl RowPositions {
    /// Where a row begins.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> usize {
        self.0.at(row)
    }

    /// How many edges all rows have together.
    pub(crate) fn total(&self) -> usize {
        self.0.at(self.0.rows())
    }

    /// The rows of edges that are in their places.
    pub(crate) fn with(self, targets: Vec<u32>) -> Csr {
        Csr { starts: self.0, targets }
    }

    /// The rows, once every edge is in its place.
    pub(crate) fn filled(self, targets: Vec<AtomicU32>) -> Csr {
        Csr { starts: self.0, targets: targets.into_iter().map(AtomicU32::into_inner).collect() }
    }
}
