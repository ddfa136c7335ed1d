//! Cells: equal numbers of neighbouring objects of a heap, by address.

use crate::naming::Namer;
use heaplens_heap::{Heap, ObjectId};

/// Maximum number of cells.
const CELLS: usize = 4_096;
/// Objects of a cell, unless there were too many or too few cells.
const OF_CELL: usize = 256;
/// Number of cells of a small heap.
const FEW_CELLS: usize = 256;

/// Equal numbers of neighbouring objects.
pub(super) struct Cells {
    /// Address of the first object of each, ascending.
    starts: Vec<u64>,
    /// Place of that object in the dominator tree; `None` if it is unreachable.
    pub(super) preorders: Vec<Option<u32>>,
    /// Objects in each.
    pub(super) objects: usize,
}

impl Cells {
    pub(super) fn of(namer: Namer<'_>) -> Self {
        let (heap, analysis) = (namer.heap, namer.analysis);
        let objects = heap.len().div_ceil(CELLS).max(OF_CELL.min(heap.len() / FEW_CELLS)).max(1);
        let rows = (0..heap.len()).step_by(objects).filter_map(ObjectId::new);
        let mut starts: Vec<(u64, Option<u32>)> =
            rows.map(|object| (heap.address(object).0, analysis.preorder(object))).collect();
        starts.sort_unstable();
        let (starts, preorders) = starts.into_iter().unzip();
        Self { starts, preorders, objects }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The cell of an address.
    pub(super) fn at(&self, address: u64) -> usize {
        self.starts.partition_point(|&start| start <= address).saturating_sub(1)
    }

    pub(super) fn of_object(&self, heap: &Heap, object: ObjectId) -> usize {
        self.at(heap.address(object).0)
    }
}
