//! Objects of a snapshot by the numbers that the engine gave them: those keep them from snapshot to snapshot.

use super::Opened;
use crate::heap::ids::{Address, ObjectId};

/// Objects by number.
#[derive(Debug, Default)]
pub struct ByNumber(Vec<(u64, u32)>);

impl ByNumber {
    /// All objects of a snapshot; number 0, which several may have, is none.
    pub fn of(opened: Opened<'_>) -> Self {
        let mut all = opened.heap.ids_in_order();
        all.drain(..all.partition_point(|&(number, _)| number == 0));
        Self(all)
    }

    /// The object of a number; of several the first.
    pub fn find(&self, number: Address) -> Option<ObjectId> {
        let at = self.0.partition_point(|&(other, _)| other < number.0);
        let &(found, row) = self.0.get(at)?;
        ObjectId::from_raw(row).filter(|_| found == number.0)
    }
}
