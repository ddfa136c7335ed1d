//! What to cut of memory that several hold: one reference of each of its owners.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::cut::{SEVERAL, Way, Ways, outside};
use super::fingerprint::general;
use super::place::Place;
use crate::analysis::naming::Namer;
use crate::heap::ids::ObjectId;
use crate::heap::left_out::LeftOut;
use crate::heap::reach::{Holder, holders};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// Of what goes with the owners one part of so many must be shared for them to be cut together.
const SHARED: u64 = 4;
/// Levels from a retainer up to its owner.
const LEVELS: usize = 10_000;

/// The few references by which owners lead to all that they share: without them it is gone, with what each of
/// them holds alone. `None` where it takes many.
pub(super) fn of_owners(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Option<Ways>, Cancelled> {
    let analyzed = namer.analyzed;
    let mut heads: BTreeSet<ObjectId> = BTreeSet::new();
    let mut known: HashMap<ObjectId, Option<ObjectId>> = HashMap::new();
    let is_member = |object: ObjectId| place.members.binary_search(&object).is_ok();
    let (mut looked, nothing) = (0_usize, LeftOut::default());
    for &member in &place.members {
        for holder in holders(namer.heap, analyzed, member, &nothing) {
            looked += 1;
            if looked.is_multiple_of(CHECKPOINT_EVERY >> 4) {
                task.checkpoint()?;
            }
            let Holder::Object(from) = holder else { continue };
            let Some(head) = head(namer, place, from, &mut known) else { return Ok(None) };
            // What a member holds goes with the members.
            if !is_member(head) {
                heads.insert(head);
            }
            if heads.len() > SEVERAL {
                return Ok(None);
            }
        }
    }
    // Where owners hold most of it each for itself, they are places of their own.
    let sum =
        |objects: &mut dyn Iterator<Item = ObjectId>| objects.map(|object| analyzed.retained(object)).sum::<Bytes>();
    let (shared, alone) = (sum(&mut place.members.iter().copied()), sum(&mut heads.iter().copied()));
    if shared.0.saturating_mul(SHARED) < shared.0.saturating_add(alone.0) {
        return Ok(None);
    }
    let mut ways = Ways { along: place.members.clone(), ..Ways::default() };
    for &head_of in &heads {
        if !analyzed.roots().of(head_of).is_empty() || namer.heap.classes.of_object(head_of).is_some() {
            return Ok(None);
        }
        let Some(from) = outside(namer, head_of, task)? else { return Ok(None) };
        let from = from.into_iter().filter(|&from| {
            // What comes from another head, or from what is shared, goes with that.
            !heads.iter().any(|&other| other != head_of && analyzed.dominates(other, from))
                && !head(namer, place, from, &mut known).is_some_and(is_member)
        });
        let from = from.collect();
        ways.listed.push(Way { from, to: head_of });
    }
    let is_any = ways.listed.iter().any(|way| !way.from.is_empty());
    Ok(is_any.then_some(ways))
}

/// The names of those that share a place, one of those that are called alike, in their own order: that of the owners
/// goes by addresses.
pub(super) fn names(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Vec<String>, Cancelled> {
    let mut names = Vec::with_capacity(place.owners.len());
    for &owner in &place.owners {
        match namer.heap.classes.of_object(owner) {
            Some(class) => names.push(namer.heap.classes.get(class).name.to_string()),
            None => names.extend(namer.name(owner, task)?),
        }
    }
    Ok(one_of_each(names))
}

/// The first of those names that differ only as they do from dump to dump.
pub(super) fn one_of_each(names: Vec<String>) -> Vec<String> {
    let mut of_each: BTreeMap<String, String> = BTreeMap::new();
    for name in names {
        let first = of_each.entry(general(&name)).or_insert_with(|| name.clone());
        if name < *first {
            *first = name;
        }
    }
    of_each.into_values().collect()
}

/// What an owner refers to itself on the way to `from`: the owner, unless that is a class, a thread or a loader; or the
/// member that holds it.
fn head(
    namer: Namer<'_>,
    place: &Place,
    from: ObjectId,
    known: &mut HashMap<ObjectId, Option<ObjectId>>,
) -> Option<ObjectId> {
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let (mut at, mut below, mut way) = (from, None, Vec::new());
    let found = loop {
        if let Some(&known) = known.get(&at) {
            break known;
        }
        if place.members.binary_search(&at).is_ok() {
            break Some(at);
        }
        if place.owners.binary_search(&at).is_ok() {
            let is_structure = heap.classes.of_object(at).is_some() || !analyzed.roots().of(at).is_empty();
            break if is_structure { below } else { Some(at) };
        }
        way.push(at);
        below = Some(at);
        match analyzed.immediate_dominator(at) {
            Some(above) if way.len() < LEVELS => at = above,
            _ => break None,
        }
    };
    known.extend(way.into_iter().map(|object| (object, found)));
    found
}
