//! Which references to cut so that a place is gone, and what that frees.
//!
//! Cutting every reference to an object that comes from outside of what it dominates frees exactly what it retains,
//! unless it is a GC root. So from a place the search goes up as long as one reference alone holds it, to the nearest
//! object of the application: that reference is what a person can change in the source. Weak references need no cut.

use super::Cut;
use super::places::{Place, Shape};
use crate::analysis::naming::Namer;
use crate::heap::classes::{ClassKind, Strength};
use crate::heap::contents::{ReferenceKind, ReferenceName};
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// References that are cut together at most to free one object.
const SEVERAL: usize = 8;
/// Steps up in search of the application.
const STEPS: usize = 64;
/// Members of a place that are each cut off; of more, the first stand for all.
const LISTED: usize = 64;

/// What to cut.
pub(super) struct Found {
    pub(super) references: Vec<Cut>,
    /// What the place is called by who holds it.
    pub(super) name: String,
    pub(super) frees: Bytes,
    pub(super) objects: u64,
    /// Whether an object of the application holds the place, or leads to it.
    pub(super) is_of_application: bool,
    /// Whether a local variable holds it.
    pub(super) is_local: bool,
}

/// A way to free an object: cut all of these references to it.
struct Way {
    from: Vec<ObjectId>,
    to: ObjectId,
}

/// What to cut of a place.
pub(super) fn cut(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Found, Cancelled> {
    let analyzed = namer.analyzed;
    let ways = match place.shape {
        Shape::Shared | Shape::Siblings | Shape::ThreadLocals => of_members(namer, place, task)?,
        _ => vec![of_one(namer, place.unit, task)?],
    };
    let mut found = Found {
        references: Vec::new(),
        name: String::new(),
        frees: Bytes(0),
        objects: 0,
        is_of_application: false,
        is_local: false,
    };
    for way in ways {
        found.frees += analyzed.retained(way.to);
        found.objects += analyzed.dominated(way.to) + 1;
        if found.references.len() >= LISTED {
            continue;
        }
        for from in way.from {
            let (cut, is_local) = named(namer, from, way.to, task)?;
            found.is_local |= is_local;
            found.references.push(cut);
        }
    }
    let owner = namer.owner(place.unit, task)?;
    found.is_of_application = owner.is_some();
    found.name = match found.references.as_slice() {
        [] => String::new(),
        [one] => one.name.clone(),
        _ => namer.name(place.unit, task)?.unwrap_or_default(),
    };
    Ok(found)
}

/// Each member by all references that lead to it from elsewhere.
fn of_members(namer: Namer<'_>, place: &Place, task: &Task) -> Result<Vec<Way>, Cancelled> {
    let mut ways = Vec::with_capacity(place.members.len());
    for (at, &member) in place.members.iter().enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        let from = if at < LISTED { outside(namer, member, task)?.unwrap_or_default() } else { Vec::new() };
        ways.push(Way { from, to: member });
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
fn outside(namer: Namer<'_>, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let analyzed = namer.analyzed;
    let mut found: Vec<ObjectId> = Vec::new();
    let mut last = None;
    for (at, from) in analyzed.retainers(object).iter().filter_map(|&row| ObjectId::from_raw(row)).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let repeated = last.replace(from) == Some(from);
        if repeated || !analyzed.is_reachable(from) || analyzed.dominates(object, from) {
            continue;
        }
        if is_weak(namer, from, object) {
            continue;
        }
        if found.len() == SEVERAL {
            return Ok(None);
        }
        found.push(from);
    }
    Ok(Some(found))
}

/// Whether a reference lets go when memory is short, or before.
fn is_weak(namer: Namer<'_>, from: ObjectId, to: ObjectId) -> bool {
    let heap = namer.heap;
    heap.has_referent_first(from)
        && heap.class(from).strength > Strength::Soft
        && heap.references(from).first() == Some(&to.raw())
        && !heap.references(from).iter().skip(1).any(|&other| other == to.raw())
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
