//! Which references to cut so that a place is gone, and what that frees.
//!
//! Cutting every reference to an object that comes from outside of what it dominates frees exactly what it retains,
//! unless it is a GC root. So from a place the search goes up as long as one reference alone holds it, to the nearest
//! object of the application: that reference is what a person can change in the source. Weak references need no cut.

use rayon::prelude::*;

use super::fingerprint::{general, general_thread};
use super::place::{Place, Shape};
use super::{Cut, cleaners, owners};
use crate::analysis::naming::Namer;
use crate::heap::classes::ClassKind;
use crate::heap::contents::{ReferenceKind, ReferenceName};
use crate::heap::ids::ObjectId;
use crate::heap::left_out::LeftOut;
use crate::heap::reach::{Holder, holders};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// References that are cut together at most to free one object.
pub(super) const SEVERAL: usize = 8;
/// Steps up in search of the application.
const STEPS: usize = 64;
/// Owners whose names together are the name of what they share.
const NAMED: usize = 4;
/// Members of a place that are each cut off; of more, the first stand for all.
const LISTED: usize = 64;

/// What to cut.
#[derive(Default)]
pub(super) struct Found {
    pub(super) references: Vec<Cut>,
    /// What the place is called by who holds it.
    pub(super) name: String,
    /// The object of that name; of several objects the largest.
    pub(super) named_object: Option<ObjectId>,
    /// The same as it stands in a fingerprint, where that is another: who owns what several share.
    pub(super) known_by: Option<String>,
    pub(super) frees: Bytes,
    pub(super) objects: u64,
    /// Whether an object of the application holds the place, or leads to it.
    pub(super) is_of_application: bool,
    /// Whether a local variable holds it.
    pub(super) is_local: bool,
    /// Objects beside those of `references` that are to be cut off in the same way.
    pub(super) unlisted: u64,
    /// A reference that alone frees most of it, in all of several objects, and how much that is.
    pub(super) mostly: Option<(String, Bytes)>,
}

/// A way to free an object: cut all of these references to it.
pub(super) struct Way {
    pub(super) from: Vec<ObjectId>,
    pub(super) to: ObjectId,
}

/// How to free a place.
#[derive(Default)]
pub(super) struct Ways {
    pub(super) listed: Vec<Way>,
    /// Objects that go in the same way, for which the listed ones stand.
    pub(super) alike: Vec<ObjectId>,
    /// Objects that go with the listed ones: nothing has to be cut for them.
    pub(super) along: Vec<ObjectId>,
}

/// What goes with some objects of which none dominates another, themselves included.
fn freed(namer: Namer<'_>, objects: &[ObjectId], task: &Task) -> Result<(Bytes, u64), Cancelled> {
    let parts = objects.par_chunks(CHECKPOINT_EVERY).map(|part| {
        task.checkpoint()?;
        let analyzed = namer.analyzed;
        let one = |&object: &ObjectId| (analyzed.retained(object), analyzed.dominated(object) + 1);
        Ok(part.iter().map(one).fold((Bytes(0), 0), |all, one| (all.0 + one.0, all.1 + one.1)))
    });
    parts.try_reduce(|| (Bytes(0), 0), |one, other| Ok((one.0 + other.0, one.1 + other.1)))
}

/// What to cut of a place.
pub(super) fn cut(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Found, Cancelled> {
    let ways = match place.shape {
        Shape::Threads => return of_threads(namer, place, task),
        Shape::Finalizers => return of_finalizers(namer, place, task),
        Shape::Cleaners => return of_cleaners(namer, place, task),
        Shape::Shared => match owners::of_owners(namer, place, task)? {
            Some(ways) => ways,
            None => of_members(namer, place, task)?,
        },
        Shape::Siblings | Shape::ThreadLocals => of_members(namer, place, task)?,
        _ => Ways { listed: vec![of_one(namer, place.unit, task)?], ..Ways::default() },
    };
    let mut found = Found { unlisted: ways.alike.len() as u64, ..Found::default() };
    let listed: Vec<ObjectId> = ways.listed.iter().map(|way| way.to).collect();
    for objects in [&listed, &ways.alike, &ways.along] {
        let (frees, objects) = freed(namer, objects, task)?;
        found.frees += frees;
        found.objects += objects;
    }
    for way in ways.listed {
        for from in way.from {
            let (cut, is_local) = named(namer, from, way.to, task)?;
            found.is_local |= is_local;
            found.references.push(cut);
        }
    }
    let owners = if place.shape == Shape::Shared { owners::names(namer, place, task)? } else { Vec::new() };
    if place.shape == Shape::Shared && !place.owners.is_empty() {
        // How many references there are differs from dump to dump, who owns it does not.
        found.known_by = Some(owners.iter().map(|name| general(name)).collect::<Vec<_>>().join(" + "));
    }
    let owner = namer.owner(place.unit, task)?;
    // What a loader of the runtime keeps for itself is no data of the application that leads to it.
    let is_loader = |object: ObjectId| is_below(namer, object, "java.lang.ClassLoader");
    let of_loader =
        found.references.first().is_some_and(|cut| is_loader(cut.from) && !is_of_application(namer, cut.from));
    found.is_of_application = owner.is_some() && !of_loader;
    found.named_object = Some(match (place.shape, found.references.as_slice()) {
        (Shape::ThreadLocals | Shape::Shared, _) => place.unit,
        (_, [one]) => one.to,
        _ => place.unit,
    });
    found.name = match (place.shape, found.references.as_slice()) {
        (Shape::ThreadLocals, _) => thread_local(namer, place, task)?,
        // Very many hold it: what these have in common is what they are in.
        (Shape::Shared, _) if place.owners.is_empty() => {
            place.within.map(|within| namer.name(within, task)).transpose()?.flatten().unwrap_or_default()
        }
        (_, []) => String::new(),
        (_, [one]) => one.name.clone(),
        (Shape::Shared, several) => {
            if several.len() <= NAMED {
                owners::one_of_each(several.iter().map(|cut| cut.name.clone()).collect()).join(" + ")
            } else if owners.len() <= NAMED {
                owners.join(" + ")
            } else {
                namer.name(place.within.unwrap_or(place.unit), task)?.unwrap_or_default()
            }
        }
        _ => namer.name(place.unit, task)?.unwrap_or_default(),
    };
    Ok(found)
}

/// `desk.Forms.CONTEXT`: the thread local; where nothing leads to it the entry of the threads.
fn thread_local(namer: Namer<'_>, place: &Place, task: &Task) -> Result<String, Cancelled> {
    let key = place.owners.first().map(|&key| namer.name(key, task)).transpose()?.flatten();
    if let Some(key) = key.filter(|key| !key.starts_with("thread ")) {
        return Ok(key);
    }
    Ok(general_thread(&namer.name(place.unit, task)?.unwrap_or_default()))
}

/// Threads that are called alike: they should have ended. What most of it hangs on in each is told beside.
fn of_threads(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Found, Cancelled> {
    let (heap, analyzed) = (namer.heap, namer.analyzed);
    let label = namer.contents.label(heap, place.unit).unwrap_or_default();
    let name = format!("thread {:?}", general_thread(&label));
    let mut found = Found { name: name.clone(), named_object: Some(place.unit), ..Found::default() };
    let mut by: Vec<(ReferenceName, ObjectId)> = Vec::new();
    let mut alone = Bytes(0);
    for (at, &thread) in place.members.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        let retained = analyzed.retained(thread);
        found.frees += retained;
        found.objects += analyzed.dominated(thread) + 1;
        let children = analyzed.dominator_children_with_retained(Some(thread));
        let biggest = children.max_by_key(|&(object, bytes)| (bytes, std::cmp::Reverse(object)));
        let Some((child, bytes)) = biggest.filter(|(_, bytes)| bytes.0 / 4 >= retained.0 / 5) else { continue };
        let Some(reference) = namer.contents.reference_names(heap, thread, child, 1).pop() else { continue };
        alone += bytes;
        by.push((reference, child));
    }
    found.is_of_application = is_of_application(namer, place.unit);
    let is_alike = by.len() == place.members.len() && by.windows(2).all(|two| two[0].0.text == two[1].0.text);
    if let Some((reference, child)) = by.first().filter(|_| is_alike) {
        found.is_of_application |= namer.owner(*child, task)?.is_some();
        let declared = namer.contents.fields(heap, place.unit).unwrap_or_default();
        let class = declared.iter().find(|field| field.name == reference.text).map(|field| &*field.declared_by);
        let field = match class.filter(|_| reference.kind != ReferenceKind::Local) {
            Some(class) => format!("{class}.{}", reference.text),
            None => general_thread(&namer.name(*child, task)?.unwrap_or_else(|| name.clone())),
        };
        found.mostly = Some((field, alone));
    }
    let times = place.members.len() as u64;
    found.references.push(every(namer, name, (place.unit, place.unit), "<thread>", times));
    Ok(found)
}

/// The reference that waits for the finalizer, in all of them.
fn of_finalizers(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Found, Cancelled> {
    let analyzed = namer.analyzed;
    let name = "java.lang.ref.Finalizer.queue".to_owned();
    let mut found = Found { name, named_object: Some(place.unit), ..Found::default() };
    (found.frees, found.objects) = freed(namer, &place.members, task)?;
    let from = analyzed.immediate_dominator(place.unit).unwrap_or(place.unit);
    let name = "java.lang.ref.Reference.referent".to_owned();
    let times = place.members.len() as u64;
    found.references.push(every(namer, name, (from, place.unit), "referent", times));
    Ok(found)
}

/// The reference to the action, in all of them; it is called by the list that the cleaner keeps.
fn of_cleaners(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Found, Cancelled> {
    let (heap, contents, analyzed) = (namer.heap, namer.contents, namer.analyzed);
    let mut found = Found { named_object: Some(place.unit), ..Found::default() };
    (found.frees, found.objects) = freed(namer, &place.members, task)?;
    let kept = analyzed.immediate_dominator(place.unit).unwrap_or(place.unit);
    let class = heap.class(kept).name.to_string();
    let list = cleaners::referred(heap, contents, kept, "list");
    found.name = list.map(|list| namer.name(list, task)).transpose()?.flatten().unwrap_or_else(|| class.clone());
    let field = cleaners::action_field(heap, kept).unwrap_or_default();
    let times = place.members.len() as u64;
    found.references.push(every(namer, format!("{class}.{field}"), (kept, place.unit), field, times));
    Ok(found)
}

/// One reference that is meant in many objects alike.
fn every(namer: Namer<'_>, name: String, (from, to): (ObjectId, ObjectId), reference: &str, times: u64) -> Cut {
    let (from_id, to_id) = (namer.heap.id_text(from), namer.heap.id_text(to));
    Cut { name, from, from_id, to, to_id, reference: reference.to_owned(), times }
}

/// Each member by all references that lead to it from elsewhere.
fn of_members(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Ways, Cancelled> {
    let mut ways = Ways::default();
    for (at, &member) in place.members.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        // A GC root stays whatever is cut.
        if !namer.analyzed.roots().of(member).is_empty() {
            continue;
        }
        if ways.listed.len() < LISTED {
            ways.listed.push(Way { from: outside(namer, member, task)?.unwrap_or_default(), to: member });
        } else {
            ways.alike.push(member);
        }
    }
    Ok(ways)
}

/// The nearest reference of the application that alone holds an object, else any that does, else all that do together.
fn of_one(namer: Namer<'_>, unit: ObjectId, task: &Task) -> Result<Way, Cancelled> {
    let analyzed = namer.analyzed;
    let (mut best, mut at) = (None::<Way>, unit);
    for _ in 0..STEPS {
        if !analyzed.roots().of(at).is_empty() || namer.heap.classes.of_object(at).is_some() {
            break;
        }
        let Some(from) = outside(namer, at, task)? else { break };
        match from.as_slice() {
            [one] => {
                let one = *one;
                best = Some(Way { from, to: at });
                let much_else = analyzed.retained(one).0 / 5 * 4 > analyzed.retained(unit).0;
                if is_of_application(namer, one) || much_else {
                    break;
                }
                at = one;
            }
            _ if best.is_none() && !from.is_empty() => {
                best = Some(Way { from, to: at });
                break;
            }
            _ => break,
        }
    }
    // A root, or held from too many sides: what it holds itself can be cut off.
    Ok(best.unwrap_or_else(|| {
        let below = analyzed.dominator_children_with_retained(Some(unit)).take(SEVERAL);
        let biggest = below.max_by_key(|&(object, retained)| (retained, std::cmp::Reverse(object)));
        match biggest.filter(|(object, _)| namer.heap.references(unit).contains(&object.raw())) {
            Some((object, _)) => Way { from: vec![unit], to: object },
            None => Way { from: Vec::new(), to: unit },
        }
    }))
}

/// Objects that hold another and are not themselves held by it alone; `None` where there are too many.
pub(super) fn outside(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let nothing = LeftOut::default();
    let mut found: Vec<ObjectId> = Vec::new();
    for (at, holder) in holders(namer.heap, namer.analyzed, object, &nothing).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        // That it is a root is for the caller to know: no cut helps.
        let Holder::Object(from) = holder else { continue };
        if found.len() == SEVERAL {
            return Ok(None);
        }
        found.push(from);
    }
    Ok(Some(found))
}

fn is_below(namer: Namer<'_>, object: ObjectId, ancestor: &str) -> bool {
    let heap = namer.heap;
    heap.classes.named(ancestor).is_some_and(|ancestor| heap.classes.is_subclass(heap.class_id(object), ancestor))
}

fn is_of_application(namer: Namer<'_>, object: ObjectId) -> bool {
    let heap = namer.heap;
    let class = heap.classes.of_object(object).unwrap_or(heap.class_id(object));
    heap.class(object).kind == ClassKind::Plain && !namer.index.is_runtime(class)
}

/// A reference by its name, and whether it is a local variable.
fn named(namer: Namer<'_>, from: ObjectId, to: ObjectId, task: &Task) -> Result<(Cut, bool), Cancelled> {
    let heap = namer.heap;
    let first = namer.contents.reference_names(heap, from, to, 1).pop();
    let reference = first.as_ref().map_or_else(|| "<unknown>".to_owned(), |name| name.text.clone());
    let is_local = first.as_ref().is_some_and(|name| name.kind == ReferenceKind::Local);
    let name = match (heap.classes.of_object(from), &first) {
        (Some(class), Some(ReferenceName { kind: ReferenceKind::Static, text, .. })) => {
            format!("{}.{text}", heap.classes.get(class).name)
        }
        _ => match namer.name(to, task)? {
            // The way of a name may lead past this reference.
            Some(name) if ends_with_step(&name, &reference) || is_local => name,
            _ => {
                let holder = namer.name(from, task)?.unwrap_or_else(|| heap.class(from).name.to_string());
                if reference.starts_with('[') { holder + &reference } else { format!("{holder}.{reference}") }
            }
        },
    };
    let (from_id, to_id) = (heap.id_text(from), heap.id_text(to));
    Ok((Cut { name, from, from_id, to, to_id, reference, times: 1 }, is_local))
}

fn ends_with_step(name: &str, reference: &str) -> bool {
    name.strip_suffix(reference).is_some_and(|rest| reference.starts_with('[') || rest.ends_with('.'))
}
