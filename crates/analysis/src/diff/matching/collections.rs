//! Entries of two matched collections of the runtime's library, by their keys. A
//! different table size or chain order does not matter.

use super::context::{MatchContext, MatchUpdates};
use super::entry_pairs::{EntryPairs, EntryStatus};
use super::fields;
use super::sequences::{object, sequences};
use crate::answers::DumpData;
use crate::diff::{HeapSide, kinds::ComparedClassId, matches::MatchMethod};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{LogicalCollection, LogicalEntry, LogicalKind, ObjectId, Value};

/// Maximum number of entries compared by key; larger collections are compared by their arrays and nodes.
pub(in crate::diff) const MOST: u64 = 1 << 23;

/// Match candidates from two matched collections.
pub(super) fn follow(
    this: MatchContext<'_>,
    before: ObjectId,
    after: ObjectId,
    updates: &mut MatchUpdates,
    task: &Task,
) -> Result<(), Cancelled> {
    let (old, new) = (read(this.pair.before, before), read(this.pair.after, after));
    task.checkpoint()?;
    let (Some(old), Some(new)) = (old, new) else {
        fields::follow(this, before, after, updates);
        return Ok(());
    };
    if old.kind != new.kind {
        fields::follow(this, before, after, updates);
        return Ok(());
    }
    let (inner_old, nodes_old) = parts(this.pair.before, &old);
    let (inner_new, nodes_new) = parts(this.pair.after, &new);
    for (&one, &other) in old.backing.iter().zip(&new.backing) {
        updates.put_inside(one, other, MatchMethod::Path);
    }
    for (&one, &other) in inner_old.iter().zip(inner_new) {
        updates.put(one, other, MatchMethod::Path);
    }
    if old.kind == LogicalKind::List {
        let all = |list: &LogicalCollection| (0..list.entries.len()).collect();
        in_order(this, (&old, nodes_old, all(&old)), (&new, nodes_new, all(&new)), updates);
    } else {
        by_key(this, (&old, nodes_old), (&new, nodes_new), updates);
    }
    // Its own fields come last: their parts are matched by now or never will be.
    let of_old = nodes_old.iter().map(|node| this.kind(HeapSide::Before, node.raw()));
    let mut nodes: Vec<ComparedClassId> =
        of_old.chain(nodes_new.iter().map(|node| this.kind(HeapSide::After, node.raw()))).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut own = MatchUpdates::default();
    fields::follow(this, before, after, &mut own);
    updates.candidates.extend(own.candidates.into_iter().filter(|own| {
        !nodes.contains(&this.kind(HeapSide::Before, own.before.raw()))
            && !old.backing.contains(&own.before)
            && !new.backing.contains(&own.after)
    }));
    Ok(())
}

/// Number of entries up to which a collection is read once.
const FEW: u64 = 64;

/// Entries of a collection, if they are not too many.
pub(in crate::diff) fn read(side: DumpData<'_>, collection: ObjectId) -> Option<LogicalCollection> {
    let first = side.contents.logical(side.heap, collection, 0..FEW)?;
    match first.size {
        0..=FEW => Some(first),
        size if size <= MOST => side.contents.logical(side.heap, collection, 0..MOST),
        _ => None,
    }
}

/// Internal structure of a collection, and the node of each entry if there is one for each.
fn parts<'l>(side: DumpData<'_>, logical: &'l LogicalCollection) -> (&'l [ObjectId], &'l [ObjectId]) {
    let (entries, internals) = (&logical.entries, &logical.internals);
    let Some(wraps) = internals.len().checked_sub(entries.len()).filter(|_| !entries.is_empty()) else {
        return (if entries.is_empty() { internals } else { &[] }, &[]);
    };
    let (inner, nodes) = internals.split_at(wraps);
    let holds = |node: ObjectId, at: usize| {
        let held = entries.get(at).map(|entry| (entry.key.and_then(Value::object), entry.value.object()));
        held.is_none_or(|(key, value)| {
            let refers = |to: ObjectId| side.heap.references(node).contains(&to.raw());
            key.or(value).is_none_or(refers)
        })
    };
    let last = nodes.len() - 1;
    if holds(nodes[0], 0) && holds(nodes[last], last) { (inner, nodes) } else { (&[], &[]) }
}

/// Candidates from some entries of each collection, given by index: those with equal values, then those at one position.
fn in_order(
    this: MatchContext<'_>,
    (old, nodes_old, some_old): (&LogicalCollection, &[ObjectId], Vec<usize>),
    (new, nodes_new, some_new): (&LogicalCollection, &[ObjectId], Vec<usize>),
    updates: &mut MatchUpdates,
) {
    let values = |list: &LogicalCollection, some: &[usize]| -> Vec<Value> {
        some.iter().filter_map(|&at| list.entries.get(at)).map(|entry| entry.value).collect()
    };
    let (one, other) = (values(old, &some_old), values(new, &some_new));
    for same in sequences(this, &one, &other) {
        let node = |some: &[usize], nodes: &[ObjectId], at: usize| nodes.get(*some.get(at)?).copied();
        if let (Some(one), Some(other)) =
            (node(&some_old, nodes_old, same.before), node(&some_new, nodes_new, same.after))
        {
            updates.put_inside(one, other, same.method);
        }
        if let (Some(one), Some(other)) = (object(&one, same.before), object(&other, same.after)) {
            updates.put(one, other, same.method);
        }
    }
}

fn by_key(
    this: MatchContext<'_>,
    (old, nodes_old): (&LogicalCollection, &[ObjectId]),
    (new, nodes_new): (&LogicalCollection, &[ObjectId]),
    updates: &mut MatchUpdates,
) {
    let compared = EntryPairs::of(this, old, new);
    for &(one, other) in &compared.pairs {
        let (one, other) = (one as usize, other as usize);
        if let (Some(&one), Some(&other)) = (nodes_old.get(one), nodes_new.get(other)) {
            updates.put_inside(one, other, MatchMethod::Key);
        }
        let (one, other) = (&old.entries[one], &new.entries[other]);
        let key = |entry: &LogicalEntry| entry.key.and_then(Value::object);
        if let (Some(one), Some(other)) = (key(one), key(other)) {
            updates.put(one, other, MatchMethod::Key);
        }
        if let (Some(one), Some(other)) = (one.value.object(), other.value.object()) {
            updates.put(one, other, MatchMethod::Key);
        }
    }
    // Without keys, their position is the only evidence.
    let without_key = |list: &LogicalCollection, status: &[EntryStatus]| -> Vec<usize> {
        let unpaired = (0..).zip(&list.entries).zip(status).filter(|(_, status)| **status == EntryStatus::NotCompared);
        unpaired.filter(|((_, entry), _)| entry.key == Some(Value::Unavailable)).map(|((at, _), _)| at).collect()
    };
    let (some_old, some_new) = (without_key(old, &compared.before), without_key(new, &compared.after));
    in_order(this, (old, nodes_old, some_old), (new, nodes_new, some_new), updates);
    updates.removed.extend(alone(this.pair.before, &compared.before, old, nodes_old));
    updates.new.extend(alone(this.pair.after, &compared.after, new, nodes_new));
}

/// An entry whose key is certainly not in the other heap's collection: its node, or without nodes the object
/// held only by its slot in the collection's array.
fn alone(side: DumpData<'_>, status: &[EntryStatus], logical: &LogicalCollection, nodes: &[ObjectId]) -> Vec<ObjectId> {
    let mut alone = Vec::new();
    for (at, entry) in logical.entries.iter().enumerate().filter(|&(at, _)| status[at] == EntryStatus::Alone) {
        if let Some(&node) = nodes.get(at) {
            alone.push(node);
            continue;
        }
        let held = [entry.key.and_then(Value::object), entry.value.object()];
        let by_place = |object: &ObjectId| {
            side.analysis.immediate_dominator(*object).is_some_and(|array| logical.backing.contains(&array))
        };
        alone.extend(held.into_iter().flatten().filter(by_place));
    }
    alone.sort_unstable();
    alone
}
