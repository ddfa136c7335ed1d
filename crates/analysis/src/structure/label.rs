//! The name of a structure in the source: the field of the application object that an engineer would change, and the
//! fields of library objects from there on: `shop.Geocoder.byUrl`, `shop.Dispatcher.timer.wheel`. Where only a library
//! holds it, the innermost field of the library: `org.apache.catalina.session.StandardManager.sessions`.

use std::collections::{HashMap, VecDeque};

use crate::naming::{Namer, field, is_lambda, is_of_engine, is_of_package, source_field};
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{ClassKind, ObjectId, Role, Strength};

/// Maximum number of dominators between a structure and the field that names it.
const STEPS: usize = 256;
/// Maximum number of objects examined in a search for a holder.
const EXAMINED: usize = 4_096;
/// Maximum number of referrers examined per object.
const REFERRERS: usize = 256;
/// Maximum number of referrers among which those that may begin a label are looked for.
const SCANNED: usize = 1 << 14;
/// Maximum number of fields in a label; of more, the inner ones are left out.
const FIELDS: usize = 4;
/// Class of closure contexts in V8.
const CONTEXT: &str = "system / Context";
/// Variables of closure contexts for the object that the closure belongs to; compilers make the second.
const THIS: [&str; 2] = ["this", "_this"];
/// Stands for an entry of a collection or an element of an array.
const ENTRY: &str = "[…]";

/// The name of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    /// Class and field, and further fields.
    pub(crate) text: String,
    /// Class and field alone.
    pub(crate) field: String,
    /// Whose object it begins at.
    pub(crate) holder: LabelHolder,
}

/// Whose object a label begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelHolder {
    Application,
    /// A library; neither the application nor the engine holds it.
    Library,
    /// The engine's own script.
    Engine,
}

impl Label {
    /// True if it begins at an object of the application.
    pub(crate) fn is_of_application(&self) -> bool {
        self.holder == LabelHolder::Application
    }
}

/// The label of a structure by its head. `None` if neither the application nor a library holds it.
pub(crate) fn label(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Option<Label>, Cancelled> {
    let dominators = std::iter::successors(Some(head), |&at| namer.analysis.immediate_dominator(at));
    let dominators: Vec<ObjectId> = dominators.take(STEPS).collect();
    // Of several holders, an object of the application names it, rather than one farther up that leads to all of them.
    let is_held_by = |&above: &ObjectId| namer.heap.references(above).contains(&head.raw());
    if let Some(above) = application_holder(namer, head)
        && !dominators.get(1).is_some_and(is_held_by)
        && let Some(found) = along(namer, &[head, above], task)?
    {
        return Ok(Some(found));
    }
    if let Some(found) = along(namer, &dominators, task)? {
        return Ok(Some(found));
    }
    // Several objects hold it: the nearest of the application names it.
    let up = up_to_application(namer, head, task)?;
    if let Some(found) = along(namer, &up, task)? {
        return Ok(Some(found));
    }
    Ok(of_library(namer, &dominators).map(|text| Label { field: text.clone(), text, holder: LabelHolder::Library }))
}

/// What a holder is to the label of what it holds.
enum Named {
    /// The label begins here.
    Start(String),
    /// A step of the label.
    Step(String),
    /// It is not part of the label.
    Nothing,
}

/// The path up from an object to the nearest holder of the application, found breadth-first; where too many objects hold
/// it, to the first beside its shortest path. Empty if none is near.
fn up_to_application(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let mut below: HashMap<ObjectId, ObjectId> = HashMap::new();
    let mut queue = VecDeque::from([head]);
    while let Some(at) = queue.pop_front() {
        task.checkpoint()?;
        for from in referrers(namer, at).filter(|&from| from != head) {
            if below.len() < EXAMINED && !below.contains_key(&from) {
                below.insert(from, at);
                queue.push_back(from);
            }
        }
        if let Some(from) = application_holder(namer, at).filter(|&from| from != head) {
            below.entry(from).or_insert(at);
            let mut up: Vec<ObjectId> = std::iter::successors(Some(from), |at| below.get(at).copied()).collect();
            up.reverse();
            return Ok(up);
        }
    }
    let mut up = vec![head];
    while let Some(at) = namer.analysis.predecessor(namer.heap, up[up.len() - 1]).filter(|_| up.len() < STEPS) {
        task.checkpoint()?;
        up.push(at);
        if let Some(from) = application_holder(namer, at).filter(|&from| from != head) {
            up.push(from);
            return Ok(up);
        }
    }
    Ok(Vec::new())
}

/// The holder of an object that begins a label; of several, that of the first label.
fn application_holder(namer: Namer<'_>, at: ObjectId) -> Option<ObjectId> {
    // A class or an object of the application may come after the thousands that refer to what they are in.
    let may_begin = |&from: &ObjectId| {
        namer.heap.snapshot().is_some()
            || namer.heap.classes.of_object(from).is_some()
            || namer.index.is_application(namer.heap.class_id(from))
    };
    let reachable = namer.analysis.referrers(at).take(SCANNED).filter(|&from| namer.analysis.is_reachable(from));
    let holders = reachable.filter(may_begin).take(REFERRERS).filter(|&from| !is_weak(namer, from));
    let named = holders.filter_map(|from| match named_by(namer, from, at) {
        Named::Start(text) => Some((text, from)),
        _ => None,
    });
    named.min().map(|(_, from)| from)
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

/// The label along a path up from the head; `None` without an object of the application on it.
fn along(namer: Namer<'_>, up: &[ObjectId], task: &Task) -> Result<Option<Label>, Cancelled> {
    let mut steps: Vec<String> = Vec::new();
    for pair in up.windows(2) {
        task.checkpoint()?;
        let (below, above) = (pair[0], pair[1]);
        if namer.index.is_thread(above) {
            return Ok(None);
        }
        match named_by(namer, above, below) {
            Named::Start(field) => {
                steps.push(field.clone());
                let is_of_engine = is_context_of(namer, above, is_of_engine);
                let holder = if is_of_engine { LabelHolder::Engine } else { LabelHolder::Application };
                return Ok(Some(Label { text: spelled(steps), field, holder }));
            }
            // Entries of the structure itself are no step.
            Named::Step(step) if step == ENTRY && steps.last().is_none_or(|step| step == ENTRY) => {}
            Named::Step(step) => steps.push(step),
            Named::Nothing if namer.heap.classes.of_object(above).is_some() => return Ok(None),
            Named::Nothing => {}
        }
    }
    Ok(None)
}

/// True of a closure context of which a function is in a script with such a name.
fn is_context_of(namer: Namer<'_>, context: ObjectId, is_meant: impl Fn(&str) -> bool) -> bool {
    let Namer { heap, contents, analysis, .. } = namer;
    let mut functions = analysis.referrers(context).take(REFERRERS);
    heap.snapshot().is_some()
        && heap.class(context).name.starts_with(CONTEXT)
        && functions.any(|function| {
            let location = contents.script_location(heap, function);
            location.and_then(|location| location.script).is_some_and(|script| is_meant(&script))
        })
}

/// What `above` is to the label of `below`.
fn named_by(namer: Namer<'_>, above: ObjectId, below: ObjectId) -> Named {
    let Namer { heap, contents, index, .. } = namer;
    let of_class = heap.classes.of_object(above);
    let class = of_class.unwrap_or_else(|| heap.class_id(above));
    let is_plain = heap.class(above).kind == ClassKind::Plain;
    let is_of_engine = heap.snapshot().is_some();
    if is_lambda(&heap.classes.get(class).name) {
        return Named::Nothing;
    }
    // Constants and loaders of a class are in no field; formats without names of fields have numbers.
    // The variable `this` of a closure is the object that has the field.
    let is_field = |name: &String| {
        !name.starts_with('[') && (of_class.is_none() || !name.starts_with('<')) && !THIS.contains(&&**name)
    };
    let member = || namer.field_towards(above, below).filter(is_field);
    if is_of_engine && heap.classes.get(class).name.starts_with(CONTEXT) {
        // A variable of a library is in no source of the application.
        let is_of_library = is_context_of(namer, above, is_of_package);
        return match member() {
            Some(name) if is_of_library => Named::Step(field(&name)),
            Some(name) => Named::Start(name),
            None => Named::Nothing,
        };
    }
    if index.is_application(class) && (is_plain || of_class.is_some()) {
        return member().map_or(Named::Nothing, |name| Named::Start(source_field(&index.class(heap, class), &name)));
    }
    if of_class.is_some() {
        return Named::Nothing;
    }
    if !is_plain || contents.role(class) == Role::Collection {
        return Named::Step(ENTRY.to_owned());
    }
    let is_step = is_of_engine || index.is_library(class);
    member().filter(|_| is_step).map_or(Named::Nothing, |name| Named::Step(field(&name)))
}

/// Class and field of the innermost library object that dominates a structure.
fn of_library(namer: Namer<'_>, dominators: &[ObjectId]) -> Option<String> {
    let Namer { heap, contents, index, .. } = namer;
    dominators.windows(2).take_while(|pair| !index.is_thread(pair[1])).find_map(|pair| {
        let (below, above) = (pair[0], pair[1]);
        let class = heap.classes.of_object(above).unwrap_or_else(|| heap.class_id(above));
        let is_holder = heap.class(above).kind == ClassKind::Plain && contents.role(class) != Role::Collection;
        let name = namer.field_towards(above, below).filter(|_| is_holder && index.is_library(class))?;
        Some(source_field(&index.class(heap, class), &name))
    })
}

/// The field by which an object leads to another. `None` of an array or a
/// collection, which have entries, and of what is no field, such as a local of a thread.
pub(crate) fn field_of(namer: Namer<'_>, above: ObjectId, below: ObjectId) -> Option<String> {
    let Namer { heap, contents, .. } = namer;
    if heap.class(above).kind != ClassKind::Plain || contents.role(heap.class_id(above)) == Role::Collection {
        return None;
    }
    namer.field_towards(above, below).filter(|name| !name.starts_with(['[', '<']))
}

/// The steps as one text, outermost first; inner ones are left out of a long one.
fn spelled(mut steps: Vec<String>) -> String {
    steps.reverse();
    if steps.iter().filter(|step| *step != ENTRY).count() > FIELDS {
        let last = steps.split_off(steps.len() - 2).concat();
        return format!("{}…{}", steps[0], last.trim_start_matches('.'));
    }
    steps.concat()
}
