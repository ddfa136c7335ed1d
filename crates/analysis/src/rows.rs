//! Walks over the rows of a heap by several threads, block by block, and what holds a row.

use rayon::prelude::*;

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId, ReferenceKind};

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
    dump: DumpData<'_>,
    is_meant: impl Fn(ClassId) -> bool + Sync,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let column = dump.heap.class_column().slices();
    joined(task.par_blocks(dump.heap.len()).map(|rows| {
        let meant = rows?.filter(|&row| column.get(row).and_then(ClassId::from_raw).is_some_and(&is_meant));
        Ok(meant.filter_map(ObjectId::new).filter(|&object| dump.analysis.is_reachable(object)).collect())
    }))
}

/// `class.field`; for arrays the class alone, since the index means nothing.
pub(crate) fn holder(dump: DumpData<'_>, from: ObjectId, to: ObjectId) -> String {
    let heap = dump.heap;
    let of_class = heap.classes.of_object(from).map(|class| heap.classes.get(class));
    let class = of_class.unwrap_or_else(|| heap.class(from)).name.to_string();
    // Finding the index would search an array of millions from end to end.
    if heap.class(from).kind != ClassKind::Plain {
        return class;
    }
    match dump.contents.reference_names(heap, from, to, 1).pop() {
        Some(name) if matches!(name.kind, ReferenceKind::Field | ReferenceKind::Static) => {
            format!("{class}.{}", name.text)
        }
        Some(name) => format!("{class} {}", name.text),
        None => class,
    }
}
