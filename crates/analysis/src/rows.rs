//! Walks over the rows of a heap by several threads, block by block.

use rayon::prelude::*;

use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{Analysis, ClassId, Heap, ObjectId};

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
    let column = heap.class_column().slices();
    joined(task.par_blocks(heap.len()).map(|rows| {
        let meant = rows?.filter(|&row| column.get(row).and_then(ClassId::from_raw).is_some_and(&is_meant));
        Ok(meant.filter_map(ObjectId::new).filter(|&object| analysis.is_reachable(object)).collect())
    }))
}
