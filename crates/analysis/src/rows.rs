//! The rows of a heap in blocks, for several threads.

use std::ops::Range;

use rayon::prelude::*;

use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_core::heap::{Analysis, ClassId, Heap, ObjectId};

/// Splits `0..len` into blocks; a checkpoint belongs before each.
pub(crate) fn blocks(len: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    let blocks = (0..len.div_ceil(CHECKPOINT_EVERY)).into_par_iter();
    blocks.map(move |block| block * CHECKPOINT_EVERY..len.min((block + 1) * CHECKPOINT_EVERY))
}

/// Items of all blocks, in order. Each block is freed once copied: keeping both would double the memory.
pub(crate) fn joined<T: Send>(
    blocks: impl ParallelIterator<Item = Result<Vec<T>, Cancelled>>,
) -> Result<Vec<T>, Cancelled> {
    let blocks = blocks.collect::<Result<Vec<Vec<T>>, Cancelled>>()?;
    let mut all = Vec::with_capacity(blocks.iter().map(Vec::len).sum());
    blocks.into_iter().for_each(|block| all.extend(block));
    Ok(all)
}

/// Shown objects of some classes, in address order.
pub(crate) fn shown_of(
    heap: &Heap,
    analysis: &Analysis,
    is_meant: impl Fn(ClassId) -> bool + Sync,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let column = heap.class_column();
    joined(blocks(heap.len()).map(|rows| {
        task.checkpoint()?;
        let meant = rows.filter(|&row| column.get(row).and_then(ClassId::from_raw).is_some_and(&is_meant));
        Ok(meant.filter_map(ObjectId::new).filter(|&object| analysis.is_reachable(object)).collect())
    }))
}
