//! The name of a structure in the source: the field of the application object that an engineer would change, and the
//! fields of library objects from there on: `shop.Geocoder.byUrl`, `shop.Dispatcher.timer.wheel`. Where only a library
//! holds it, the innermost field or variable of the library:
//! `org.apache.catalina.session.StandardManager.sessions`, `graphql-tag: docCache`.
//!
//! In snapshots nearly everything leads to everything through modules, global functions and scripts of the engine. A name
//! never continues through these; it begins there only if neither the application nor a library holds the structure.

use crate::answers::DumpData;
use std::collections::{HashMap, VecDeque};

use super::holder::{ENTRY, LabelHolder, Leads, Named, leads_to_all, named_by};
use super::{head::is_inside, promises};
use crate::naming::{Namer, source_field};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, Role, Strength};

/// Maximum number of dominators between a structure and the field that names it.
const STEPS: usize = 256;
/// Maximum number of objects examined in a search for a holder.
const EXAMINED: usize = 4_096;
/// Maximum number of referrers examined per object.
const REFERRERS: usize = 256;
/// Maximum number of referrers among which those that may begin a label are looked for.
const SCANNED: usize = 1 << 14;
/// Number of fields at both ends of a label; those between them are left out.
const ENDS: usize = 2;

/// The name of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// Class and field, and further fields.
    pub(crate) text: String,
    /// Class and field alone.
    pub(crate) field: String,
    /// Whose object it begins at.
    pub(crate) holder: LabelHolder,
    /// The file or package of the variable that it begins at: other files may have one of this name.
    pub(crate) source: Option<String>,
}

impl Label {
    /// True if it begins at an object of the application.
    pub(crate) fn is_of_application(&self) -> bool {
        self.holder == LabelHolder::Application
    }

    /// What it is known by in later dumps of the program.
    pub(crate) fn key(&self) -> String {
        match &self.source {
            Some(source) => format!("{source}\n{}", self.text),
            None => self.text.clone(),
        }
    }
}

/// The label of a structure by its head. `None` if neither the application, a library nor a script of the engine holds it.
pub(crate) fn label(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Option<Label>, Cancelled> {
    if leads_to_all(namer, head) {
        return Ok(None);
    }
    let dominators = std::iter::successors(Some(head), |&at| namer.analysis.immediate_dominator(at));
    let dominators: Vec<ObjectId> = dominators.take(STEPS).collect();
    // Of several holders, an object of the application names it, rather than one farther up that leads to all of them.
    let is_held_by = |&above: &ObjectId| namer.heap.references(above).contains(&head.raw());
    if let Some((LabelHolder::Application, above)) = nearest_holder(namer, head)
        && !dominators.get(1).is_some_and(is_held_by)
        && let Some(of_structure) = along(namer, &[head, above], task)?
    {
        return Ok(Some(of_structure));
    }
    let mut best = along(namer, &dominators, task)?;
    if !best.as_ref().is_some_and(Label::is_of_application) {
        // Several objects hold it: the nearest of the application names it.
        let up = up_to_application(namer, head, task)?;
        let other = along(namer, &up, task)?;
        best = best.into_iter().chain(other).min_by_key(|label| label.holder);
    }
    let is_field = |label: &Label| label.is_of_application() && (label.source.is_none() || label.text.contains('.'));
    if !best.as_ref().is_some_and(is_field)
        && let Some((text, holder, source)) = promises::reaction(namer, head)
    {
        best = Some(Label { field: text.clone(), text, holder, source });
    }
    Ok(best)
}

/// The path up from an object to the nearest holder of the application, found breadth-first; where too many objects hold
/// it, to the first beside its shortest path; in snapshots, else to the nearest of a library or of the engine. Empty if none
/// is near.
fn up_to_application(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let mut below: HashMap<ObjectId, ObjectId> = HashMap::new();
    let mut queue = VecDeque::from([head]);
    let mut other: Option<(LabelHolder, Vec<ObjectId>)> = None;
    while let Some(at) = queue.pop_front() {
        task.checkpoint()?;
        for from in referrers(namer, at).filter(|&from| from != head) {
            if below.len() < EXAMINED && !below.contains_key(&from) {
                below.insert(from, at);
                if !leads_to_all(namer, from) {
                    queue.push_back(from);
                }
            }
        }
        if let Some((holder, from)) = nearest_holder(namer, at).filter(|&(_, from)| from != head) {
            // The nearest of each holder.
            if other.as_ref().is_some_and(|(other, _)| *other <= holder) {
                continue;
            }
            below.entry(from).or_insert(at);
            let mut up: Vec<ObjectId> = std::iter::successors(Some(from), |at| below.get(at).copied()).collect();
            up.reverse();
            if holder == LabelHolder::Application {
                return Ok(up);
            }
            other = Some((holder, up));
        }
    }
    let mut up = vec![head];
    while let Some(at) = namer.analysis.predecessor(namer.heap, up[up.len() - 1]).filter(|_| up.len() < STEPS) {
        task.checkpoint()?;
        if leads_to_all(namer, at) {
            break;
        }
        up.push(at);
        if let Some((LabelHolder::Application, from)) = nearest_holder(namer, at).filter(|&(_, from)| from != head) {
            up.push(from);
            return Ok(up);
        }
    }
    Ok(other.map(|(_, up)| up).unwrap_or_default())
}

/// The holder of an object that begins a label at the application, or in snapshots else at a library or the engine; of
/// several, that of the first label.
fn nearest_holder(namer: Namer<'_>, at: ObjectId) -> Option<(LabelHolder, ObjectId)> {
    // A class or an object of the application may come after the thousands that refer to what they are in.
    let may_begin = |&from: &ObjectId| {
        namer.heap.snapshot().is_some()
            || namer.heap.classes.of_object(from).is_some()
            || namer.index.is_application(namer.heap.class_id(from))
    };
    let is_named = |holder| holder == LabelHolder::Application || namer.heap.snapshot().is_some();
    let reachable = namer.analysis.referrers(at).take(SCANNED).filter(|&from| namer.analysis.is_reachable(from));
    let holders = reachable.filter(may_begin).take(REFERRERS).filter(|&from| !is_weak(namer, from));
    let named = holders.filter_map(|from| match named_by(namer, from, at, Leads::Directly) {
        Named::Start(start) if is_named(start.holder) => Some((start.holder, start.text, from)),
        _ => None,
    });
    named.min().map(|(holder, _, from)| (holder, from))
}

/// Objects that refer to an object and may be held themselves: neither classes nor threads.
fn referrers(namer: Namer<'_>, at: ObjectId) -> impl Iterator<Item = ObjectId> {
    let from = namer.analysis.referrers(at).take(REFERRERS);
    from.filter(move |&from| {
        let is_end = namer.heap.classes.of_object(from).is_some() || namer.index.is_thread(from);
        !is_end && !is_weak(namer, from) && namer.analysis.is_reachable(from)
    })
}

fn is_weak(namer: Namer<'_>, from: ObjectId) -> bool {
    namer.heap.has_referent_first(from) && namer.heap.class(from).strength != Strength::Strong
}

/// The label along a path up from the head: from the first object of the application on it, else from the innermost of a
/// library or of the engine that is no collection.
fn along(namer: Namer<'_>, up: &[ObjectId], task: &Task) -> Result<Option<Label>, Cancelled> {
    let mut steps: Vec<String> = Vec::new();
    let mut best: Option<(Label, bool)> = None;
    for pair in up.windows(2) {
        task.checkpoint()?;
        let (below, above) = (pair[0], pair[1]);
        if namer.index.is_thread(above) {
            break;
        }
        match named_by(namer, above, below, Leads::Somehow) {
            Named::Start(start) => {
                let is_better = best.as_ref().is_none_or(|(best, is_collection)| {
                    start.holder < best.holder || (start.holder == best.holder && *is_collection)
                });
                if is_better {
                    let text = spelled(steps.iter().chain([&start.text]));
                    let (field, holder, source) = (start.text, start.holder, start.source);
                    best = Some((Label { text, field, holder, source }, start.is_collection));
                }
                if start.is_last {
                    break;
                }
                steps.push(start.step);
            }
            // Entries of the structure itself are no step.
            Named::Step(step) if step == ENTRY && steps.last().is_none_or(|step| step == ENTRY) => {}
            Named::Step(step) => steps.push(step),
            Named::Nothing if namer.heap.classes.of_object(above).is_some() => break,
            Named::Nothing => {}
            Named::End => break,
        }
    }
    Ok(best.map(|(label, _)| label))
}

/// The innermost field of an object of the runtime that dominates a structure, for one that a thread leads to and nothing
/// else: `jdk.internal.ref.CleanerImpl.phantomCleanableList`. Entries of collections and referents are no fields.
pub(crate) fn field_of_runtime(namer: Namer<'_>, head: ObjectId) -> Option<String> {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let mut below = head;
    for _ in 0..STEPS {
        let above = analysis.immediate_dominator(below).filter(|&above| !index.is_thread(above))?;
        let class = heap.class_id(above);
        if heap.classes.of_object(above).is_none()
            && heap.classes.get(class).strength == Strength::Strong
            && !is_inside(&heap.classes.get(class).name)
            && let Some(field) = field_of(namer, above, below)
        {
            return Some(source_field(&index.class(heap, class), &field));
        }
        below = above;
    }
    None
}

/// The field by which an object leads to another. `None` of an array or a
/// collection, which have entries, and of what is no field, such as a local of a thread.
pub(crate) fn field_of(namer: Namer<'_>, above: ObjectId, below: ObjectId) -> Option<String> {
    let DumpData { heap, contents, .. } = namer.dump;
    if heap.class(above).kind != ClassKind::Plain || contents.role(heap.class_id(above)) == Role::Collection {
        return None;
    }
    namer.field_towards(above, below).filter(|name| !name.starts_with(['[', '<']))
}

/// Steps from the innermost to the outermost as one text, outermost first; of a long one, those in the middle are left out.
fn spelled<'a>(steps: impl DoubleEndedIterator<Item = &'a String>) -> String {
    let steps: Vec<&str> = steps.rev().map(String::as_str).collect();
    let fields: Vec<usize> = (0..steps.len()).filter(|&at| steps[at] != ENTRY).collect();
    if fields.len() <= 2 * ENDS {
        return steps.concat();
    }
    let last = steps[fields[fields.len() - ENDS]..].concat();
    format!("{}…{}", steps[..=fields[ENDS - 1]].concat(), last.trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_labels_have_the_fields_at_both_ends() {
        let of = |steps: &[&str]| {
            let steps: Vec<String> = steps.iter().rev().map(|&step| step.to_owned()).collect();
            spelled(steps.iter())
        };
        assert_eq!(of(&["Shop.carts"]), "Shop.carts");
        assert_eq!(of(&["Shop.carts", ENTRY, ".a", ".b", ".c"]), "Shop.carts[…].a.b.c");
        assert_eq!(of(&["eve._events", ".n", ".drag", ".n", ".m"]), "eve._events.n…n.m");
        assert_eq!(of(&["Shop.carts", ENTRY, ".a", ".b", ENTRY, ".c", ".d"]), "Shop.carts[…].a…c.d");
    }
}
