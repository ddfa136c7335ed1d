//! Values of thread locals, which threads hold: the field that has the thread local names them, whichever thread it is.

use std::cmp::Reverse;

use super::short_name::ShortName;
use super::short_names;
use crate::answers::DumpData;
use crate::naming::Namer;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ObjectId, Strength};

/// Maximum number of dominators between an object and the entry that holds it.
const STEPS: usize = 64;
/// Number of entries of a thread whose names are compared: the largest.
const SAMPLE: usize = 32;
/// Maximum number of entries among which these are looked for.
const ENTRIES: usize = 1 << 14;

/// Name of the thread local whose value alone holds an object: `Forms.CONTEXT`. `None` if none does, if it was collected,
/// or if only threads lead to it.
pub(super) fn of_value(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let DumpData { heap, analysis, .. } = namer.dump;
    let mut dominators = std::iter::successors(Some(object), |&at| analysis.immediate_dominator(at)).take(STEPS);
    let entry = dominators.find(|&at| namer.index.is_thread_local_entry(heap.class_id(at)));
    entry.map_or(Ok(None), |entry| of_entry(namer, entry, task))
}

/// Name of the thread local that has most of all that a thread has in its thread locals, by a sample of its entries.
/// `None` of other objects, or if none has the most.
pub(crate) fn of_map(namer: Namer<'_>, map: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let DumpData { heap, analysis, .. } = namer.dump;
    if !namer.index.is_thread_local_map(heap.class_id(map)) {
        return Ok(None);
    }
    let tables = analysis.dominator_children_with_retained(Some(map));
    let Some((table, _)) = tables.max_by_key(|&(table, bytes)| (bytes, Reverse(table))) else { return Ok(None) };
    let is_entry = |&(object, _): &(ObjectId, Bytes)| namer.index.is_thread_local_entry(heap.class_id(object));
    let entries = analysis.dominator_children_with_retained(Some(table)).filter(is_entry);
    let mut entries: Vec<(ObjectId, Bytes)> = entries.take(ENTRIES).collect();
    entries.sort_unstable_by_key(|&(entry, bytes)| (Reverse(bytes), entry));
    entries.truncate(SAMPLE);
    let all: Bytes = entries.iter().map(|&(_, bytes)| bytes).sum();
    let mut names: Vec<(Bytes, ShortName)> = Vec::new();
    for (entry, bytes) in entries {
        task.checkpoint()?;
        let Some(name) = of_entry(namer, entry, task)? else { continue };
        match names.iter_mut().find(|(_, known)| known.has_member_of(&name)) {
            Some((of_name, _)) => *of_name += bytes,
            None => names.push((bytes, name)),
        }
    }
    let most = names.into_iter().max_by_key(|&(bytes, _)| bytes);
    Ok(most.filter(|(bytes, _)| bytes.0 > all.0 / 2).map(|(_, name)| name))
}

/// Name of the thread local of an entry.
pub(super) fn of_entry(namer: Namer<'_>, entry: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let heap = &namer.dump.heap;
    let is_weak = heap.has_referent_first(entry) && heap.class(entry).strength != Strength::Strong;
    let key = heap.references(entry).first().filter(|_| is_weak).and_then(|&row| ObjectId::from_raw(row));
    let Some(key) = key else { return Ok(None) };
    Ok(short_names::of_structure(namer, key, task)?.map(ShortName::without_steps))
}
