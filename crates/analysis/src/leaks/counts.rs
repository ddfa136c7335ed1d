//! Numbers of the objects that accumulate at a location: exact, or those that the location retains. A sample decides what
//! accumulates, never how much of it. Classes of one name count as one: a plug-in that is loaded again has new classes.

use std::ops::Range;

use super::accumulation_point::AccumulationPoint;
use super::{cut_plan::CutPlan, query::LeakQuery};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, Heap, LogicalCollection, ObjectId, Totals};

/// Maximum number of entries of a collection that are read to be counted.
const READ: u64 = 1 << 16;

/// Number of objects of a class in a retained set, given its objects by class.
pub(super) fn retained(heap: &Heap, held: &[(ClassId, Totals)], class: ClassId) -> u64 {
    held.iter().filter(|&&(of, _)| is_alike(heap, of, class)).map(|(_, totals)| totals.objects).sum()
}

/// Number of reachable objects of a class in the heap.
pub(super) fn of_heap(dump: DumpData<'_>, class: ClassId) -> u64 {
    let alike = dump.heap.classes.iter().filter(|&(of, _)| is_alike(dump.heap, of, class));
    alike.map(|(of, _)| dump.analysis.class_totals(of).objects).sum()
}

/// Number of different objects of a class among the entries of a collection, of which the first are read already. Of a
/// collection that is too long to read, those that its location retains.
pub(super) fn entries(
    question: LeakQuery<'_>,
    (collection, first): (ObjectId, &LogicalCollection),
    class: ClassId,
    retained: u64,
) -> u64 {
    let (heap, contents) = (question.namer.heap, question.namer.contents);
    let is_read = first.entries.len() as u64 >= first.size;
    if !is_read && first.size > READ {
        return retained;
    }
    let all = (!is_read).then(|| contents.logical(heap, collection, 0..first.size)).flatten();
    let entries = &all.as_ref().unwrap_or(first).entries;
    different(heap, entries.iter().filter_map(|entry| entry.value.object()), entries.len(), class)
}

/// Number of different objects of a class among the elements of an array. References of the engine, such as to the
/// array's map, are no elements, and of other classes.
pub(super) fn elements(heap: &Heap, array: ObjectId, class: ClassId) -> u64 {
    let elements = heap.references(array);
    different(heap, elements.iter().filter_map(|&row| ObjectId::from_raw(row)), elements.len(), class)
}

/// Number of different objects of a class among at most `most` objects.
fn different(heap: &Heap, objects: impl Iterator<Item = ObjectId>, most: usize, class: ClassId) -> u64 {
    let rows = objects.filter(|&object| is_alike(heap, heap.class_id(object), class)).map(ObjectId::raw);
    // Whichever is smaller: a bit for each object of the heap, or a number for each of these.
    if most > heap.len() / u32::BITS as usize {
        let mut seen = Bits::new(heap.len());
        return rows.filter(|&row| seen.insert(row)).count() as u64;
    }
    let mut rows: Vec<u32> = rows.collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len() as u64
}

/// Number of objects of a class that cuts free, given how many of them the location retains. Cuts free less than that where
/// a GC root is part of the location, or only a part of it can be cut.
pub(super) fn freed(
    question: LeakQuery<'_>,
    (point, cut): (&AccumulationPoint, &CutPlan),
    (class, retained): (ClassId, u64),
    task: &Task,
) -> Result<u64, Cancelled> {
    let (heap, analysis) = (question.namer.heap, question.namer.analysis);
    if cut.objects >= point.totals(analysis).objects {
        return Ok(retained);
    }
    if cut.unlisted > 0 {
        return Ok(retained.min(cut.objects));
    }
    let mut parts: Vec<Range<u32>> = cut.references.iter().filter_map(|cut| analysis.subtree(cut.to)).collect();
    parts.sort_unstable_by_key(|part| (part.start, std::cmp::Reverse(part.end)));
    let (mut count, mut end) = (0, 0);
    for part in parts {
        // Subtrees are apart, or one is in the other.
        if part.start >= end {
            end = part.end;
            for (object, _) in analysis.objects_at(part) {
                task.checkpoint()?;
                count += u64::from(is_alike(heap, heap.class_id(object), class));
            }
        }
    }
    Ok(count)
}

fn is_alike(heap: &Heap, one: ClassId, other: ClassId) -> bool {
    one == other || heap.classes.get(one).name == heap.classes.get(other).name
}
