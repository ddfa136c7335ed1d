//! Objects and bytes, by class and altogether.

use super::facts::Heap;
use super::ids::ObjectId;
use crate::task::{Cancelled, Task};
use crate::units::Bytes;

/// Objects and bytes of one class, or of everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many objects.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
}

/// What is counted of every object.
pub(super) struct Counts {
    pub(super) classes: Vec<Totals>,
    pub(super) shown: Totals,
    pub(super) unreachable: Totals,
}

impl Counts {
    pub(super) fn of(heap: &Heap, is_reached: impl Fn(ObjectId) -> bool, task: &Task) -> Result<Self, Cancelled> {
        let mut counts = Self {
            classes: vec![Totals::default(); heap.classes.len()],
            shown: Totals::default(),
            unreachable: Totals::default(),
        };
        for block in task.blocks(heap.len()) {
            for o in block?.filter_map(ObjectId::new) {
                let size = heap.shallow(o);
                if is_reached(o) {
                    let of_class = &mut counts.classes[heap.class_id(o).index()];
                    of_class.objects += 1;
                    of_class.shallow += size;
                    counts.shown.shallow += size;
                    counts.shown.objects += 1;
                } else {
                    counts.unreachable.objects += 1;
                    counts.unreachable.shallow += size;
                }
            }
        }
        Ok(counts)
    }
}
