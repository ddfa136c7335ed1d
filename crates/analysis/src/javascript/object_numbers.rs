//! Objects of a snapshot by engine id, which is stable between snapshots.

use crate::answers::DumpData;
use heaplens_heap::{Address, ObjectId};

/// Objects by id.
#[derive(Debug, Default)]
pub struct ObjectNumbers(Vec<(u64, u32)>);

impl ObjectNumbers {
    /// All objects of a snapshot; id 0 is not unique and is skipped.
    pub fn of(opened: DumpData<'_>) -> Self {
        let mut all = opened.heap.ids_in_order();
        all.drain(..all.partition_point(|&(number, _)| number == 0));
        Self(all)
    }

    /// Object with an id; the first if there are several.
    pub fn find(&self, number: Address) -> Option<ObjectId> {
        let at = self.0.partition_point(|&(other, _)| other < number.0);
        let &(known, row) = self.0.get(at)?;
        ObjectId::from_raw(row).filter(|_| known == number.0)
    }
}
