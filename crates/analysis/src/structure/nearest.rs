//! The nearest holders of an object, of which one names it.

use std::collections::HashSet;

use super::holder::{self, Leads, named_by};
use super::known_holders::{KnownHoldersQuestion, Nearest};
use super::short_name::{Origin, ShortName};
use super::start::Named;
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, Strength};

/// Maximum number of referrers examined per object.
const REFERRERS: usize = 256;
/// Maximum number of referrers among which those that may begin a name are looked for.
const SCANNED: usize = 1 << 14;

/// The holder of an object that begins a name at the application, or in snapshots else at a library or the engine. Of
/// several, a static field comes first, then the field of an only instance, then the first by name: addresses do not
/// choose.
///
/// # Errors
/// When `task` is cancelled.
pub(super) fn nearest_holder(namer: Namer<'_>, at: ObjectId, task: &Task) -> Result<Option<Nearest>, Cancelled> {
    let known = namer.retained_answer(&KnownHoldersQuestion, task)?;
    Ok(known.nearest(at, || search(namer, at)))
}

fn search(namer: Namer<'_>, at: ObjectId) -> Option<Nearest> {
    let heap = namer.heap;
    let of_snapshot = heap.snapshot().is_some();
    // A class or an object of the application may come after the thousands that refer to what they are in.
    let may_begin = |&from: &ObjectId| {
        let class = heap.class_id(from);
        let is_object =
            || !namer.is_collection(from) && (namer.index.is_application(class) || namer.index.is_library(class));
        of_snapshot || heap.classes.of_object(from).is_some() || is_object()
    };
    // Instances of one class lead to it by the same field.
    let mut classes: HashSet<ClassId> = HashSet::new();
    let mut is_first =
        |&from: &ObjectId| of_snapshot || heap.classes.of_object(from).is_some() || classes.insert(heap.class_id(from));
    let is_named = |origin| origin != Origin::Runtime || of_snapshot;
    let reachable = namer.analysis.referrers(at).take(SCANNED).filter(|&from| namer.analysis.is_reachable(from));
    let holders = reachable.filter(may_begin).filter(|from| is_first(from)).take(REFERRERS);
    let mut named: Vec<(Origin, u8, String, ObjectId, ShortName)> = Vec::new();
    // What an object itself holds, such as an entry that knows its cache, is no holder.
    let is_inside = |from: ObjectId| namer.analysis.dominates(at, from);
    for from in holders.filter(|&from| holder::may_begin(namer, from) && !is_weak(namer, from) && !is_inside(from)) {
        let Named::Start(start) = named_by(namer, from, at, Leads::Directly) else { continue };
        if is_named(start.name.origin) {
            named.push((start.name.origin, rank(namer, from), start.name.to_string(), from, start.name));
        }
    }
    named.sort_by(|a, b| (a.0, a.1, &a.2, a.3).cmp(&(b.0, b.1, &b.2, b.3)));
    let mut named = named.into_iter();
    let (origin, best, text, from, _) = named.next()?;
    let equal: Vec<ShortName> =
        named.filter(|other| (other.0, other.1) == (origin, best) && other.2 != text).map(|other| other.4).collect();
    // Of more than two, none is a name that the others are not.
    let other = match <[ShortName; 1]>::try_from(equal) {
        Ok([other]) if best == 0 && origin == Origin::Application => Some(Box::new(other)),
        _ => None,
    };
    Some(Nearest { origin, from, other })
}

/// How well a holder is known: a class, an only instance, one of several.
fn rank(namer: Namer<'_>, from: ObjectId) -> u8 {
    let is_class = namer.heap.classes.of_object(from).is_some();
    let is_only = || namer.analysis.class_totals(namer.heap.class_id(from)).objects <= 1;
    match is_class {
        true => 0,
        false if is_only() => 1,
        false => 2,
    }
}

/// Objects that refer to an object and may be held themselves: neither classes nor threads.
pub(super) fn referrers(namer: Namer<'_>, at: ObjectId) -> impl Iterator<Item = ObjectId> {
    let from = namer.analysis.referrers(at).take(REFERRERS);
    from.filter(move |&from| {
        let is_end = namer.heap.classes.of_object(from).is_some() || namer.index.is_thread(from);
        !is_end && !is_weak(namer, from) && namer.analysis.is_reachable(from)
    })
}

fn is_weak(namer: Namer<'_>, from: ObjectId) -> bool {
    namer.heap.has_referent_first(from) && namer.heap.class(from).strength != Strength::Strong
}
