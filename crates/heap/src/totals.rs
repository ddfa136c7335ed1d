//! Number and size of objects, by class and in total.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Heap;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};

/// Number and size of the objects of one class, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Number of objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
}

/// Per-object counts to be summed.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) classes: Vec<Totals>,
    pub(super) shown: Totals,
    pub(super) unreachable: Totals,
}

impl Totals {
    /// Adds others to these.
    pub fn add(&mut self, other: Self) {
        self.objects += other.objects;
        self.shallow += other.shallow;
    }

    /// These and others.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.add(other);
        self
    }
}

impl Counts {
    /// Counts objects by class; `preorders` is 0 for unreachable objects.
    pub(super) fn of(heap: &Heap, preorders: &[u32], task: &Task) -> Result<Self, Cancelled> {
        let (shallow, class_of) = (heap.shallow.reading(), heap.class_column().slices());
        let none = || Self { classes: vec![Totals::default(); heap.classes.len()], ..Self::default() };
        let blocks = preorders.par_chunks(CHECKPOINT_EVERY).enumerate();
        let counted = blocks.try_fold(none, |mut counts, (block, preorders)| {
            task.checkpoint()?;
            for (row, &preorder) in (block * CHECKPOINT_EVERY..).zip(preorders) {
                let one = Totals { objects: 1, shallow: shallow.get(row as u32) };
                let class = class_of.get(row).map_or(usize::MAX, |class| class as usize);
                if preorder == 0 {
                    counts.unreachable.add(one);
                } else if let Some(of_class) = counts.classes.get_mut(class) {
                    of_class.add(one);
                    counts.shown.add(one);
                }
            }
            Ok(counts)
        });
        counted.try_reduce(none, |mut counts, more| {
            counts.classes.iter_mut().zip(more.classes).for_each(|(of_class, more)| of_class.add(more));
            counts.shown.add(more.shown);
            counts.unreachable.add(more.unreachable);
            Ok(counts)
        })
    }
}
