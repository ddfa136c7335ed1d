//! Incoming and outgoing references of one object, with their names.

use std::collections::HashMap;

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use crate::answers::DumpData;
use crate::rows::joined;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassKind, Heap, ObjectId, ReferenceName};

/// Indices of each neighbour in an array; `None` if only its presence is known.
type ElementIndices = HashMap<ObjectId, Vec<Option<u64>>>;

/// Number of neighbours searched in an array one by one.
const FEW: usize = 16;

/// Direction of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// References to the object, from its referrers.
    Incoming,
    /// References from the object.
    Outgoing,
}

/// One reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceRow {
    /// Name of the reference.
    pub name: ReferenceName,
    /// Object at the other end.
    pub object: ObjectId,
    /// Its class name.
    pub class: String,
    /// Its label.
    pub label: Option<String>,
    /// Shallow size in bytes.
    pub shallow: Bytes,
    /// Retained size in bytes.
    pub retained: Bytes,
}

/// References of an object, and their total number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct References {
    /// First rows: outgoing in the order of the object (its class first), incoming by address.
    pub rows: Vec<ReferenceRow>,
    /// Number of distinct objects at the other end.
    pub objects: u64,
}

/// Reads at most `limit` references of `object`. A class object's incoming references include those of its instances.
pub fn references(
    dump: DumpData<'_>,
    object: ObjectId,
    direction: Direction,
    limit: usize,
    task: &Task,
) -> Result<References, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    if direction == Direction::Outgoing
        && let Some(named) = contents.named_references_of(heap, object, limit)
    {
        let rows = named.into_iter().map(|(name, other)| row(dump, name, other));
        return Ok(References { rows: rows.collect(), objects: outgoing(heap, object).len() as u64 });
    }
    let neighbours = match direction {
        Direction::Outgoing => outgoing(heap, object),
        Direction::Incoming => incoming(dump, object, task)?,
    };
    let mut answer = References { rows: Vec::new(), objects: neighbours.len() as u64 };
    let first = &neighbours[..neighbours.len().min(limit)];
    let indexes = match direction {
        Direction::Outgoing => indexes_in_array(dump, object, first, limit, task)?,
        Direction::Incoming => None,
    };
    for &other in first {
        let wanted = limit - answer.rows.len();
        if wanted == 0 {
            break;
        }
        task.checkpoint()?;
        let (from, to) = match direction {
            Direction::Outgoing => (object, other),
            Direction::Incoming => (other, object),
        };
        let indexes = indexes.as_ref().and_then(|indexes| indexes.get(&other)).filter(|indexes| !indexes.is_empty());
        let names = match indexes {
            Some(indexes) => indexes.iter().take(wanted).map(|&index| ReferenceName::element(index)).collect(),
            None => contents.reference_names(heap, from, to, wanted),
        };
        let label = if names.is_empty() { None } else { contents.label(heap, other) };
        for name in names {
            answer.rows.push(ReferenceRow { label: label.clone(), ..unlabelled(dump, name, other) });
        }
    }
    Ok(answer)
}

fn row(dump: DumpData<'_>, name: ReferenceName, object: ObjectId) -> ReferenceRow {
    let heap = dump.heap;
    ReferenceRow { label: dump.contents.label(heap, object), ..unlabelled(dump, name, object) }
}

fn unlabelled(dump: DumpData<'_>, name: ReferenceName, object: ObjectId) -> ReferenceRow {
    ReferenceRow {
        name,
        object,
        class: dump.heap.class(object).name.to_string(),
        label: None,
        shallow: dump.heap.shallow(object),
        retained: dump.analysis.retained(object),
    }
}

fn outgoing(heap: &Heap, object: ObjectId) -> Vec<ObjectId> {
    let class = heap.class(object).object.map(ObjectId::raw);
    // Each neighbour once, at its first name; the names contain the count.
    let mut seen = Bits::new(heap.len());
    let beside = heap.snapshot().map_or(&[][..], |snapshot| snapshot.non_retaining_targets(object));
    let all = class.into_iter().chain(heap.references(object).iter().chain(beside).copied());
    all.filter_map(ObjectId::from_raw).filter(|o| o.index() < heap.len() && seen.insert(o.raw())).collect()
}

/// Referrers of an object. The engine's storage of a property is not listed besides the object with the property.
fn incoming(dump: DumpData<'_>, object: ObjectId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let heap = dump.heap;
    let mut rows: Vec<ObjectId> = dump.analysis.referrers(object).collect();
    if let Some(snapshot) = heap.snapshot() {
        let parts = rows.par_chunks(CHECKPOINT_EVERY / 16).map(|part| {
            task.checkpoint()?;
            let is_listed = |from: &&ObjectId| !dump.analysis.is_storage_reference(heap, dump.contents, **from, object);
            Ok(part.iter().filter(is_listed).copied().collect())
        });
        rows = joined(parts)?;
        rows.extend(snapshot.non_retaining_referrers(object).iter().copied().filter_map(ObjectId::from_raw));
        rows.sort_unstable();
    }
    if let Some(class) = heap.classes.of_object(object) {
        let (raw, column) = (class.raw(), heap.class_column());
        let blocks = task
            .par_blocks(heap.len())
            .map(|block| Ok(block?.filter(|&row| column.get(row) == Some(raw)).filter_map(ObjectId::new).collect()));
        let blocks = blocks.collect::<Result<Vec<Vec<ObjectId>>, Cancelled>>()?;
        blocks.into_iter().for_each(|block| rows.extend(block));
        // Two sorted lists: sorting is fast.
        rows.sort();
    }
    rows.dedup();
    Ok(rows)
}

/// Indices of the first neighbours in a long array, at most `limit` of each. Searching
/// for each of them separately would read ten million elements five thousand times.
fn indexes_in_array(
    dump: DumpData<'_>,
    array: ObjectId,
    neighbours: &[ObjectId],
    limit: usize,
    task: &Task,
) -> Result<Option<ElementIndices>, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    if heap.class(array).kind != ClassKind::ObjectArray || neighbours.len() <= FEW {
        return Ok(None);
    }
    let mut indexes: ElementIndices = neighbours.iter().map(|&o| (o, Vec::new())).collect();
    let mut put = |index: Option<u64>, object: ObjectId| {
        if let Some(of_one) = indexes.get_mut(&object).filter(|of_one| of_one.len() < limit) {
            of_one.push(index);
        }
    };
    if let Some((values, has_places)) = contents.whole_array(heap, array) {
        for (page, block) in values.chunks(CHECKPOINT_EVERY).enumerate() {
            task.checkpoint()?;
            for (index, value) in (page * CHECKPOINT_EVERY..).zip(block) {
                value.object().into_iter().for_each(|object| put(has_places.then_some(index as u64), object));
            }
        }
        return Ok(Some(indexes));
    }
    let Some(length) = contents.array_length(heap, array) else {
        // Without the dump file only their presence and count are known.
        for block in heap.references(array).chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            block.iter().filter_map(|&o| ObjectId::from_raw(o)).for_each(|object| put(None, object));
        }
        return Ok(Some(indexes));
    };
    for first in (0..length).step_by(CHECKPOINT_EVERY) {
        task.checkpoint()?;
        let page = contents.elements(heap, array, first..first + CHECKPOINT_EVERY as u64);
        let Ok(page) = page else { return Ok(None) };
        for (index, value) in (first..).zip(page) {
            value.object().into_iter().for_each(|object| put(Some(index), object));
        }
    }
    Ok(Some(indexes))
}
