//! Short names: which member names a structure. It is the field of the application object that an engineer would change, or
//! a variable of a script, however the shortest path goes; of a structure that only a library holds, the innermost field
//! or variable of the library.
//!
//! In snapshots nearly everything leads to everything through modules, global functions and scripts of the engine. A name
//! never continues through these; it begins there only if neither the application nor a library holds the structure.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::class_holder::of_variable;
use super::holder::{Leads, named_by};
use super::known_holders::{Above, KnownHoldersQuestion};
use super::script_holder::{EXPORTS, leads_to_all};
use super::short_name::{ENTRY, Origin, ShortName};
use super::start::{Named, Step};
use super::{nearest::nearest_holder, nearest::referrers, promises};
use crate::answers::DumpData;
use crate::naming::{Namer, is_inside};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, Role, Strength};

/// Maximum number of dominators between a structure and the member that names it.
const STEPS: usize = 256;
/// Maximum number of objects examined in a search for a holder.
const EXAMINED: usize = 4_096;
/// Maximum number of links of chains on a path that are passed without an examination of their holders.
const LINKS: usize = 1 << 16;
/// Number of steps at both ends of a name; those between them are left out.
const ENDS: usize = 2;
/// Maximum number of entries of a map whose keys are names: of more, keys are data.
const KEYS: u64 = 64;

/// The short name of a structure by its head. `None` if neither the application, a library nor a script of the engine holds
/// it.
pub(crate) fn of_structure(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    if leads_to_all(namer, head) {
        return Ok(None);
    }
    if let Some(name) = of_variable(namer, head) {
        return Ok(Some(name));
    }
    let dominators = std::iter::successors(Some(head), |&at| namer.analysis.immediate_dominator(at));
    let dominators: Vec<ObjectId> = dominators.take(STEPS).collect();
    let mut best = along(namer, &dominators, task)?;
    // The runtime holds its own objects whatever the application does: who also refers to one does not name it.
    if !best.as_ref().is_some_and(ShortName::is_of_application) && namer.is_of_runtime_itself(head, task)? {
        return Ok(best);
    }
    // Of several holders, an object of the application names it, rather than one farther up that leads to all of them.
    let is_held_by = |&above: &ObjectId| namer.heap.references(above).contains(&head.raw());
    if let Some(nearest) = nearest_holder(namer, head, task)?.filter(|nearest| nearest.origin == Origin::Application)
        && !dominators.get(1).is_some_and(is_held_by)
        && let Some(mut name) = along(namer, &[head, nearest.from], task)?
    {
        name.others.extend(nearest.other.map(|other| *other));
        return Ok(Some(name));
    }
    if !best.as_ref().is_some_and(ShortName::is_of_application) {
        // Several objects hold it: the nearest of the application names it.
        let up = up_to_application(namer, head, task)?;
        let other = along(namer, &up, task)?;
        best = best.into_iter().chain(other).min_by_key(|name| name.origin);
    }
    let is_property =
        |name: &ShortName| name.is_of_application() && !(name.member.starts_with(' ') && name.steps.is_empty());
    if !best.as_ref().is_some_and(is_property)
        && let Some(name) = promises::reaction(namer, head)
    {
        best = Some(name);
    }
    Ok(best)
}

/// The path up from an object to the nearest holder of the application, found breadth-first; where too many objects hold
/// it, to the first beside its shortest path; in snapshots, else to the nearest of a library or of the engine. Empty if none
/// is near.
fn up_to_application(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let known = namer.retained_answer(&KnownHoldersQuestion, task)?;
    let mut below: FxHashMap<ObjectId, ObjectId> = FxHashMap::default();
    let mut queue = VecDeque::from([head]);
    let mut other: Option<(Origin, Vec<ObjectId>)> = None;
    while let Some(at) = queue.pop_front() {
        task.checkpoint()?;
        let above = known.above(at, || {
            let above = referrers(namer, at).map(|from| (from, known.leads_to_all(from, || leads_to_all(namer, from))));
            above.map(|(object, leads_to_all)| Above { object, leads_to_all }).collect()
        });
        for from in above.iter().filter(|from| from.object != head) {
            if below.len() < EXAMINED && !below.contains_key(&from.object) {
                below.insert(from.object, at);
                if !from.leads_to_all {
                    queue.push_back(from.object);
                }
            }
        }
        if let Some(nearest) = nearest_holder(namer, at, task)?.filter(|nearest| nearest.from != head) {
            // The nearest of each holder.
            let (origin, from) = (nearest.origin, nearest.from);
            if other.as_ref().is_some_and(|(other, _)| *other <= origin) {
                continue;
            }
            let mut up: Vec<ObjectId> = std::iter::successors(Some(at), |at| below.get(at).copied()).collect();
            // A framework holds objects of the application, which refer back to it.
            if up.iter().any(|&part| namer.analysis.dominates(part, from)) {
                continue;
            }
            up.reverse();
            up.push(from);
            if origin == Origin::Application {
                return Ok(up);
            }
            other = Some((origin, up));
        }
    }
    let (mut up, mut links) = (vec![head], 0);
    while let Some(at) = namer.analysis.predecessor(namer.heap, up[up.len() - 1]).filter(|_| up.len() < STEPS) {
        task.checkpoint()?;
        if leads_to_all(namer, at) {
            break;
        }
        // The links of a long chain are one step.
        let last = up.len() - 1;
        if last > 0 && links < LINKS && namer.heap.class_id(at) == namer.heap.class_id(up[last]) {
            (up[last], links) = (at, links + 1);
            continue;
        }
        up.push(at);
        let nearest = nearest_holder(namer, at, task)?.filter(|nearest| nearest.from != head);
        if let Some(nearest) = nearest.filter(|nearest| nearest.origin == Origin::Application) {
            up.push(nearest.from);
            return Ok(up);
        }
    }
    Ok(other.map(|(_, up)| up).unwrap_or_default())
}

/// The name along a path up from the head: from the first object of the application on it, else from the innermost of a
/// library or of the engine that is no collection.
fn along(namer: Namer<'_>, up: &[ObjectId], task: &Task) -> Result<Option<ShortName>, Cancelled> {
    let known = namer.retained_answer(&KnownHoldersQuestion, task)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut best: Option<Beginning> = None;
    for (at, pair) in up.windows(2).enumerate() {
        task.checkpoint()?;
        let (below, above) = (pair[0], pair[1]);
        if namer.index.is_thread(above) {
            break;
        }
        if let Some(name) = of_variable(namer, above) {
            if is_better(best.as_ref(), &name) {
                best = Some(Beginning { name, is_weak: false, steps: steps.len() });
            }
            break;
        }
        let named = known.named((above, below), || named_by(namer, above, below, Leads::Somehow));
        match &*named {
            Named::Start(start) => {
                if is_better(best.as_ref(), &start.name) {
                    best = Some(Beginning { name: start.name.clone(), is_weak: start.is_weak, steps: steps.len() });
                }
                if start.is_last {
                    break;
                }
                steps.push(start.step.clone());
            }
            Named::Step(step) => steps.push(step.clone()),
            Named::Entry => steps.extend(entry(namer, &up[..=at], above, &steps, task)?),
            Named::Nothing if namer.heap.classes.of_object(above).is_some() => break,
            Named::Nothing => {}
            Named::End => break,
        }
    }
    Ok(best.map(|best| with_steps(best.name, &steps[..best.steps])))
}

/// Where a name may begin on a path up.
struct Beginning {
    /// The name without steps.
    name: ShortName,
    /// True if what is farther up names it better.
    is_weak: bool,
    /// Number of steps below it.
    steps: usize,
}

/// True of a name that is nearer to the application than those farther in; of one origin, if the inner one is weak.
fn is_better(best: Option<&Beginning>, next: &ShortName) -> bool {
    best.is_none_or(|best| next.origin < best.name.origin || (next.origin == best.name.origin && best.is_weak))
}

/// The step to an entry of a collection: by its key in a map of few names. Entries of the structure itself, such as the nodes
/// of a map, are no step.
fn entry(
    namer: Namer<'_>,
    up: &[ObjectId],
    above: ObjectId,
    steps: &[Step],
    task: &Task,
) -> Result<Option<Step>, Cancelled> {
    let is_part = steps.is_empty() && up.first().is_some_and(|&head| is_part_of(namer, head, above));
    if is_part || steps.last().is_some_and(|step| step.text.starts_with('[')) {
        return Ok(None);
    }
    let small = |shape: heaplens_heap::LogicalCollection| shape.size <= KEYS;
    let key = if namer.is_collection(above) && namer.contents.logical(namer.heap, above, 0..0).is_some_and(small) {
        let path: Vec<ObjectId> = up.iter().rev().copied().collect();
        namer.key_on_path(above, &path, task)?
    } else {
        None
    };
    Ok(Some(Step { text: key.unwrap_or_else(|| ENTRY.to_owned()), is_shown: true }))
}

/// True if an object is a part of the collection or array above it, and no entry.
fn is_part_of(namer: Namer<'_>, object: ObjectId, above: ObjectId) -> bool {
    let heap = namer.heap;
    let is_storage = super::head::is_storage(namer, object) || is_inside(&heap.class(object).name);
    is_storage || (heap.class(object).kind != ClassKind::Plain && namer.is_collection(above))
}

/// A name with the steps from its member to the object, given from the innermost to the outermost.
fn with_steps(mut name: ShortName, steps: &[Step]) -> ShortName {
    // What is inside of a library's structure is its own affair.
    let shown = steps.iter().rev().take_while(|step| step.is_shown);
    let mut shown: Vec<&str> = shown.map(|step| step.text.as_str()).collect();
    // What a module exports has mostly the name that it has in the module.
    if name.member.strip_prefix(' ') == Some(EXPORTS[0])
        && let Some(exported) = shown.first().and_then(|step| step.strip_prefix('.')).filter(|name| !name.contains('"'))
    {
        name.member = format!(" {exported}");
        name.qualified = format!("{}{}", name.holder, name.member);
        shown.remove(0);
    }
    name.steps = spelled(&shown);
    name.all_steps = steps.iter().rev().map(|step| step.text.as_str()).filter(|text| !text.starts_with('[')).collect();
    name
}

/// Steps as one text; of many, those in the middle are left out.
fn spelled(steps: &[&str]) -> String {
    let fields: Vec<usize> = (0..steps.len()).filter(|&at| !steps[at].starts_with('[')).collect();
    if fields.len() <= 2 * ENDS {
        return steps.concat();
    }
    let last = steps[fields[fields.len() - ENDS]..].concat();
    format!("{}…{}", steps[..=fields[ENDS - 1]].concat(), last.trim_start_matches('.'))
}

/// The innermost field of an object of the runtime that dominates a structure, for one that a thread leads to and nothing
/// else: `CleanerImpl.phantomCleanableList`. Entries of collections and referents are no fields.
pub(super) fn of_runtime(namer: Namer<'_>, head: ObjectId) -> Option<ShortName> {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let mut below = head;
    for _ in 0..STEPS {
        let above = analysis.immediate_dominator(below).filter(|&above| !index.is_thread(above))?;
        if heap.classes.of_object(above).is_some() {
            return by_field(namer, above, below);
        }
        let class = heap.class_id(above);
        if heap.classes.get(class).strength == Strength::Strong
            && !is_inside(&heap.classes.get(class).name)
            && let Some(name) = by_field(namer, above, below)
        {
            return Some(name);
        }
        below = above;
    }
    None
}

/// The name of what a field of an object leads to, whoever has the object.
pub(crate) fn by_field(namer: Namer<'_>, above: ObjectId, below: ObjectId) -> Option<ShortName> {
    let field = field_of(namer, above, below)?;
    let class = namer.heap.classes.of_object(above).unwrap_or_else(|| namer.heap.class_id(above));
    let origin = if namer.index.is_application(class) { Origin::Application } else { Origin::Runtime };
    match super::class_holder::of_fields(namer, (above, class), &field, origin) {
        Named::Start(start) => Some(start.name),
        _ => None,
    }
}

/// The field by which an object leads to another. `None` of an array or a
/// collection, which have entries, and of what is no field, such as a local of a thread.
pub(crate) fn field_of(namer: Namer<'_>, above: ObjectId, below: ObjectId) -> Option<String> {
    let DumpData { heap, contents, .. } = namer.dump;
    let is_class = heap.classes.of_object(above).is_some();
    let is_collection = contents.role(heap.class_id(above)) == Role::Collection;
    if !is_class && (heap.class(above).kind != ClassKind::Plain || is_collection) {
        return None;
    }
    namer.field_towards(above, below).filter(|name| !name.starts_with(['[', '<']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_have_the_steps_at_both_ends() {
        assert_eq!(spelled(&[]), "");
        assert_eq!(spelled(&[ENTRY, ".a", ".b", ".c"]), "[…].a.b.c");
        assert_eq!(spelled(&[".a", ".n", ".drag", ".n", ".m"]), ".a.n…n.m");
        assert_eq!(spelled(&[ENTRY, ".a", ".b", ENTRY, ".c", ".d", ".e"]), "[…].a.b…d.e");
    }
}
