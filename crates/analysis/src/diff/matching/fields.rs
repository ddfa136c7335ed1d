//! Match candidates from the fields of two matched objects and the elements of two matched arrays.

use rustc_hash::FxHashMap;

use super::context::{MatchContext, MatchUpdates};
use super::sequences;
use crate::diff::{HeapSide, kinds::ComparedClassId, matches::MatchMethod};
use heaplens_graph::NONE;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Strength, classes::Classes};

/// Maximum number of references compared kind by kind.
const FEW: usize = 64;

/// Candidates that follow from a match.
pub(super) fn follow(this: MatchContext<'_>, before: ObjectId, after: ObjectId, updates: &mut MatchUpdates) {
    let (old, new) = (this.pair.before, this.pair.after);
    if let (Some(one), Some(other)) = (old.heap.classes.of_object(before), new.heap.classes.of_object(after)) {
        // The class loader is not a field of the class.
        if let (Some(one), Some(other)) = (old.heap.classes.get(one).loader, new.heap.classes.get(other).loader) {
            updates.put(one, other, MatchMethod::Path);
        }
        by_name(this, before, after, updates);
        return;
    }
    let class = |which: HeapSide, object: ObjectId| this.side(which).heap.classes.get(this.class(which, object.raw()));
    // Only classes of weaker references have a referent.
    let has_referent = |which: HeapSide, object: ObjectId| {
        class(which, object).strength != Strength::Strong && this.side(which).heap.has_referent_first(object)
    };
    match class(HeapSide::After, after).kind {
        ClassKind::PrimitiveArray => {}
        ClassKind::ObjectArray => sequences::arrays(this, before, after, updates),
        ClassKind::Plain => {
            let same_first = has_referent(HeapSide::Before, before) == has_referent(HeapSide::After, after);
            if !same_first || !by_position(this, before, after, updates) {
                by_name(this, before, after, updates);
            }
            of_loader(this, before, after, updates);
        }
    }
}

/// If the same fields are set in both, the n-th references correspond.
fn by_position(this: MatchContext<'_>, before: ObjectId, after: ObjectId, updates: &mut MatchUpdates) -> bool {
    let (one, other) = this.references(before, after);
    if one.len() != other.len() || one.len() > FEW {
        return false;
    }
    let mut kinds = [ComparedClassId(NONE); FEW];
    let kinds = &mut kinds[..one.len()];
    kinds.iter_mut().zip(one).for_each(|(kind, &row)| *kind = this.kind(HeapSide::Before, row));
    let agree = kinds.iter().zip(other).all(|(&kind, &row)| kind == this.kind(HeapSide::After, row));
    // With two fields of one kind, one may have been set and the other cleared.
    let repeats = || kinds.iter().enumerate().any(|(at, kind)| kinds[..at].contains(kind));
    // If all fields are set, the n-th reference belongs to the n-th field.
    let class = this.class(HeapSide::After, after.raw());
    let all_set = || this.pair.after.contents.reference_fields(class) == Some(one.len());
    if !agree || (repeats() && !all_set() && !same_nulls(this, before, after)) {
        return false;
    }
    pairs(one, other, updates);
    true
}

fn same_nulls(this: MatchContext<'_>, before: ObjectId, after: ObjectId) -> bool {
    let (old, new) = (this.pair.before, this.pair.after);
    match (old.contents.nulls(old.heap, before), new.contents.nulls(new.heap, after)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

fn pairs(one: &[u32], other: &[u32], updates: &mut MatchUpdates) {
    let objects = |row: &u32| ObjectId::from_raw(*row);
    for (before, after) in one.iter().filter_map(objects).zip(other.iter().filter_map(objects)) {
        updates.put(before, after, MatchMethod::Path);
    }
}

/// Field by field; then unnamed references (thread locals) that are the only ones of their kind.
fn by_name(this: MatchContext<'_>, before: ObjectId, after: ObjectId, updates: &mut MatchUpdates) {
    let (old, new) = (this.pair.before, this.pair.after);
    let one = old.contents.fields(old.heap, before).unwrap_or_default();
    let other = new.contents.fields(new.heap, after).unwrap_or_default();
    let (mut named_before, mut named_after) = (Vec::new(), Vec::new());
    let mut by_name: FxHashMap<(&str, &str), ObjectId> = FxHashMap::default();
    for field in &one {
        if let Some(object) = field.value.object() {
            by_name.entry((&field.declared_by, &field.name)).or_insert(object);
            named_before.push(object.raw());
        }
    }
    for field in &other {
        let Some(object) = field.value.object() else { continue };
        named_after.push(object.raw());
        if let Some(&before) = by_name.get(&(&*field.declared_by, &*field.name)) {
            updates.put(before, object, MatchMethod::Path);
        }
    }
    let (one, other) = this.references(before, after);
    alone_of_kind(this, (one, &named_before), (other, &named_after), updates);
}

/// Pairs references that are the only ones of their kind on both sides.
fn alone_of_kind(
    this: MatchContext<'_>,
    before: (&[u32], &[u32]),
    after: (&[u32], &[u32]),
    updates: &mut MatchUpdates,
) {
    let mut kinds: FxHashMap<ComparedClassId, (Option<u32>, Option<u32>)> = FxHashMap::default();
    let mut put = |kind: ComparedClassId, row: u32, is_after: bool| {
        let sides = kinds.entry(kind).or_default();
        let side = if is_after { &mut sides.1 } else { &mut sides.0 };
        // A second one rules it out.
        *side = if side.is_none_or(|known| known == row) { Some(row) } else { Some(NONE) };
    };
    let (named, all) = (before.1, before.0);
    all.iter().filter(|row| !named.contains(row)).for_each(|&row| put(this.kind(HeapSide::Before, row), row, false));
    let (named, all) = (after.1, after.0);
    all.iter().filter(|row| !named.contains(row)).for_each(|&row| put(this.kind(HeapSide::After, row), row, true));
    let mut pairs: Vec<(u32, u32)> =
        kinds.into_values().filter_map(|(one, other)| Some((one.filter(|&o| o != NONE)?, other?))).collect();
    pairs.retain(|&(_, other)| other != NONE);
    pairs.sort_unstable();
    for (one, other) in pairs {
        if let (Some(one), Some(other)) = (ObjectId::from_raw(one), ObjectId::from_raw(other)) {
            updates.put(one, other, MatchMethod::Path);
        }
    }
}

/// Matches the classes defined by two matched class loaders by name, even if many loaders define them.
fn of_loader(this: MatchContext<'_>, before: ObjectId, after: ObjectId, updates: &mut MatchUpdates) {
    let kinds = &this.matches.kinds;
    if !kinds.is_of_many_loaders(kinds.of_after(this.class(HeapSide::After, after.raw()))) {
        return;
    }
    let (old, new) = (&this.pair.before.heap.classes, &this.pair.after.heap.classes);
    for kind in kinds.all().iter().filter(|kind| kind.before.len() > 1 || kind.after.len() > 1) {
        let defined = |classes: &Classes, members: &[ClassId], loader| {
            let mut by_it = members.iter().filter(|&&class| classes.get(class).loader == Some(loader));
            by_it.next().and_then(|&class| classes.get(class).object)
        };
        if let (Some(one), Some(other)) = (defined(old, &kind.before, before), defined(new, &kind.after, after)) {
            updates.put(one, other, MatchMethod::Class);
        }
    }
}
