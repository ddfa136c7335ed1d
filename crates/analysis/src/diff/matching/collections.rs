//! Entries of two matched collections of the runtime's library, by their keys. A
//! different table size or chain order does not matter.

use super::context::{MatchContext, MatchUpdates};
use super::sequences::{alike, sequences};
use super::{fields, tokens::Token};
use crate::diff::{HeapSide, Side, kinds::KindId, matches::MatchMethod};
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{LogicalCollection, LogicalEntry, ObjectId, Value};

/// Maximum number of entries compared by key; larger collections are compared by their arrays and nodes.
pub(in crate::diff) const MOST: u64 = 1 << 23;

/// Match candidates from two matched collections.
pub(super) fn follow(
    this: MatchContext<'_>,
    before: ObjectId,
    after: ObjectId,
    found: &mut MatchUpdates,
    task: &Task,
) -> Result<(), Cancelled> {
    let (old, new) = (read(this.pair.before, before), read(this.pair.after, after));
    task.checkpoint()?;
    let (Some(old), Some(new)) = (old, new) else {
        fields::follow(this, before, after, found);
        return Ok(());
    };
    if old.kind != new.kind {
        fields::follow(this, before, after, found);
        return Ok(());
    }
    let (inner_old, nodes_old) = parts(this.pair.before, &old);
    let (inner_new, nodes_new) = parts(this.pair.after, &new);
    for (&one, &other) in old.backing.iter().zip(&new.backing) {
        found.put_inside(one, other, MatchMethod::Path);
    }
    for (&one, &other) in inner_old.iter().zip(inner_new) {
        found.put(one, other, MatchMethod::Path);
    }
    if old.is_by_key() && new.is_by_key() {
        by_key(this, (&old, nodes_old), (&new, nodes_new), found);
    } else {
        in_order(this, (&old, nodes_old), (&new, nodes_new), found);
    }
    // Its own fields come last: their parts are matched by now or never will be.
    let of_old = nodes_old.iter().map(|node| this.kind(HeapSide::Before, node.raw()));
    let mut nodes: Vec<KindId> =
        of_old.chain(nodes_new.iter().map(|node| this.kind(HeapSide::After, node.raw()))).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut own = MatchUpdates::default();
    fields::follow(this, before, after, &mut own);
    found.candidates.extend(own.candidates.into_iter().filter(|own| {
        !nodes.contains(&this.kind(HeapSide::Before, own.before.raw()))
            && !old.backing.contains(&own.before)
            && !new.backing.contains(&own.after)
    }));
    Ok(())
}

/// Number of entries up to which a collection is read once.
const FEW: u64 = 64;

/// Entries of a collection, if they are not too many.
pub(in crate::diff) fn read(side: Side<'_>, collection: ObjectId) -> Option<LogicalCollection> {
    let first = side.contents.logical(side.heap, collection, 0..FEW)?;
    match first.size {
        0..=FEW => Some(first),
        size if size <= MOST => side.contents.logical(side.heap, collection, 0..MOST),
        _ => None,
    }
}

/// Internal structure of a collection, and the node of each entry if there is one for each.
fn parts<'l>(side: Side<'_>, logical: &'l LogicalCollection) -> (&'l [ObjectId], &'l [ObjectId]) {
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

fn in_order(
    this: MatchContext<'_>,
    (old, nodes_old): (&LogicalCollection, &[ObjectId]),
    (new, nodes_new): (&LogicalCollection, &[ObjectId]),
    found: &mut MatchUpdates,
) {
    let elements = |logical: &LogicalCollection| logical.entries.iter().map(|entry| entry.value.object()).collect();
    let (one, other): (Vec<Option<ObjectId>>, Vec<_>) = (elements(old), elements(new));
    for same in sequences(this, &one, &other) {
        if let (Some(&one), Some(&other)) = (nodes_old.get(same.before), nodes_new.get(same.after)) {
            found.put_inside(one, other, same.how);
        }
        if let (Some(Some(one)), Some(Some(other))) = (one.get(same.before), other.get(same.after)) {
            found.put(*one, *other, same.how);
        }
    }
}

fn by_key(
    this: MatchContext<'_>,
    (old, nodes_old): (&LogicalCollection, &[ObjectId]),
    (new, nodes_new): (&LogicalCollection, &[ObjectId]),
    found: &mut MatchUpdates,
) {
    let (keys_old, keys_new) = (keys(this, HeapSide::Before, old), keys(this, HeapSide::After, new));
    let (mut kept_old, mut kept_new) = (vec![false; old.entries.len()], vec![false; new.entries.len()]);
    alike(&keys_old, &keys_new, |same_old, same_new| {
        for (&(_, one), &(_, other)) in same_old.iter().zip(same_new) {
            let (one, other) = (one as usize, other as usize);
            (kept_old[one], kept_new[other]) = (true, true);
            if let (Some(&one), Some(&other)) = (nodes_old.get(one), nodes_new.get(other)) {
                found.put_inside(one, other, MatchMethod::Key);
            }
            let (one, other) = (&old.entries[one], &new.entries[other]);
            let key = |entry: &LogicalEntry| entry.key.and_then(Value::object);
            if let (Some(one), Some(other)) = (key(one), key(other)) {
                found.put(one, other, MatchMethod::Key);
            }
            if let (Some(one), Some(other)) = (one.value.object(), other.value.object()) {
                found.put(one, other, MatchMethod::Key);
            }
        }
    });
    found.gone.extend(unkept(this.pair.before, (&keys_old, &kept_old), old, nodes_old));
    found.new.extend(unkept(this.pair.after, (&keys_new, &kept_new), new, nodes_new));
}

/// An entry whose key equals none in the other heap is certainly not there: its node, or without nodes the object
/// held only by its slot in the collection's array.
fn unkept(
    side: Side<'_>,
    (keys, kept): (&[(Token, u32)], &[bool]),
    logical: &LogicalCollection,
    nodes: &[ObjectId],
) -> Vec<ObjectId> {
    let mut unkept = Vec::new();
    for at in keys.iter().map(|&(_, at)| at as usize).filter(|&at| !kept[at]) {
        if let Some(&node) = nodes.get(at) {
            unkept.push(node);
            continue;
        }
        let entry = &logical.entries[at];
        let held = [entry.key.and_then(Value::object), entry.value.object()];
        let by_place = |object: &ObjectId| {
            side.analysis.immediate_dominator(*object).is_some_and(|array| logical.backing.contains(&array))
        };
        unkept.extend(held.into_iter().flatten().filter(by_place));
    }
    unkept.sort_unstable();
    unkept
}

/// Sorted tokens of keys or set elements, each with the index of its entry.
pub(in crate::diff) fn keys(this: MatchContext<'_>, which: HeapSide, logical: &LogicalCollection) -> Vec<(Token, u32)> {
    let keyed = (0..).zip(&logical.entries).filter_map(|(at, entry)| {
        let token = this.token_of_value(which, entry.key.unwrap_or(entry.value))?;
        Some((token, at))
    });
    let mut keys: Vec<(Token, u32)> = keyed.collect();
    keys.sort_unstable();
    keys
}
