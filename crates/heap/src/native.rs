//! Native memory owned by objects, if the runtime records it. Few objects have any, so it is a list, not a column.

use super::{ObjectId, sections};
use heaplens_base::Bytes;
use heaplens_base::storage::{Column, MemoryBudget, StoredAnalysis};

/// Registered bytes of the objects that have any.
#[derive(Default)]
pub struct NativeBytes {
    /// Ascending.
    rows: Column<u32>,
    bytes: Column<u64>,
}

impl NativeBytes {
    /// Native memory of objects; several amounts of one object are summed.
    pub(super) fn new(mut owned: Vec<(ObjectId, Bytes)>, budget: &MemoryBudget) -> Self {
        owned.sort_unstable();
        let (mut rows, mut bytes): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for of_object in owned.chunk_by(|a, b| a.0 == b.0) {
            rows.extend(of_object.first().map(|(object, _)| object.raw()));
            bytes.push(of_object.iter().fold(0, |sum: u64, (_, more)| sum.saturating_add(more.0)));
        }
        Self { rows: budget.keep(sections::NATIVE_ROWS, rows), bytes: budget.keep(sections::NATIVE_BYTES, bytes) }
    }

    /// Objects that own native memory.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, Bytes)> {
        let pairs = self.rows.all().iter().zip(self.bytes.all());
        pairs.filter_map(|(&row, &bytes)| Some((ObjectId::from_raw(row)?, Bytes(bytes))))
    }

    /// True if no object owns any.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Native memory of a row.
    pub(super) fn of_row(&self, row: u32) -> Bytes {
        let at = self.rows.all().binary_search(&row);
        Bytes(at.ok().and_then(|at| self.bytes.get(at)).unwrap_or_default())
    }

    /// Loads the stored columns.
    pub(super) fn find(stored: &StoredAnalysis) -> Option<Self> {
        Some(Self { rows: stored.column(sections::NATIVE_ROWS)?, bytes: stored.column(sections::NATIVE_BYTES)? })
    }
}
