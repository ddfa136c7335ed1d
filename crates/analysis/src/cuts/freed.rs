//! The objects that cuts free, without a list of them.

use std::ops::Range;
use std::sync::Arc;

use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{Analysis, ObjectId};

/// The objects that cuts free: those in a part of the dominator tree that cannot be reached any more.
#[derive(Debug, Clone, Default)]
pub struct FreedObjects {
    /// Tree positions of the part; nothing changes outside of it.
    positions: Range<u32>,
    /// Rows of the objects in it that remain; `None` if none does.
    left: Option<Arc<Bits>>,
}

impl FreedObjects {
    /// All objects at these tree positions.
    pub(super) fn below(positions: Range<u32>) -> Self {
        Self { positions, left: None }
    }

    /// The objects at these tree positions that are not `left`.
    pub(super) fn outside(positions: Range<u32>, left: Bits) -> Self {
        Self { positions, left: Some(Arc::new(left)) }
    }

    /// True if the object in a row, which has this tree position, is freed.
    pub(super) fn is_at(&self, row: u32, preorder: u32) -> bool {
        self.positions.contains(&preorder) && self.left.as_ref().is_none_or(|left| !left.contains(row))
    }

    /// True if an object is freed. `analysis` is that of the heap before.
    pub fn contains(&self, analysis: &Analysis, object: ObjectId) -> bool {
        analysis.preorder(object).is_some_and(|preorder| self.is_at(object.raw(), preorder))
    }

    /// The objects, in address order. `analysis` is that of the heap before.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn list(&self, analysis: &Analysis, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
        let mut freed = Vec::new();
        for (row, &preorder) in (0..).zip(analysis.preorders()) {
            task.checkpoint_at(row as usize)?;
            if preorder != 0 && self.is_at(row, preorder) {
                freed.extend(ObjectId::from_raw(row));
            }
        }
        Ok(freed)
    }
}
