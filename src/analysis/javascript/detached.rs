//! Nodes that are in no document any more, by class, with the nearest object that is none of them and holds them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Opened, most_retaining};
use crate::heap::contents::ReferenceKind;
use crate::heap::ids::ObjectId;
use crate::heap::snapshot::Snapshot;
use crate::task::{Cancelled, Task, Unit};
use crate::units::Bytes;

/// Detached nodes of a class that one holder's reference keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetachedRow {
    /// The class of the nodes: `Detached <div>`.
    pub class: String,
    /// What holds them: class and reference, `Window.cache`; empty where nothing leads there.
    pub holder: String,
    /// One of those that hold them.
    pub holder_object: Option<ObjectId>,
    /// The first of the nodes, most retained first; there is one at least.
    pub first: Vec<ObjectId>,
    /// How many.
    pub objects: u64,
    /// Their bytes.
    pub shallow: Bytes,
    /// What they keep alive together.
    pub retained: Bytes,
}

/// The nearest object that is not detached, and the node that it leads to.
type Holder = Option<(ObjectId, ObjectId)>;

/// All detached nodes with bytes of their own, most retained first.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn detached(of: Opened<'_>, task: &Task) -> Result<Vec<DetachedRow>, Cancelled> {
    let rows = of.snapshot().map(Snapshot::detached).unwrap_or_default();
    task.step("Finding retainers of detached nodes", Unit::Objects, rows.len() as u64);
    let mut known: FxHashMap<ObjectId, Holder> = FxHashMap::default();
    let mut names: FxHashMap<(ObjectId, ObjectId), String> = FxHashMap::default();
    let mut groups: BTreeMap<(String, String), (Holder, Vec<ObjectId>)> = BTreeMap::new();
    for node in rows.iter().filter_map(|&row| ObjectId::from_raw(row)) {
        task.advance_checked(1)?;
        if of.heap.shallow(node).0 == 0 {
            continue;
        }
        let holder = holder(of, node, &mut known);
        let name = holder.map_or_else(String::new, |pair| names.entry(pair).or_insert_with(|| named(of, pair)).clone());
        let group = groups.entry((of.heap.class(node).name.to_string(), name)).or_insert((holder, Vec::new()));
        group.1.push(node);
    }
    let mut found: Vec<DetachedRow> = Vec::with_capacity(groups.len());
    for ((class, holder), (by, nodes)) in groups {
        found.push(DetachedRow {
            class,
            holder,
            holder_object: by.map(|(holder, _)| holder),
            first: most_retaining(of, &nodes),
            objects: nodes.len() as u64,
            shallow: nodes.iter().map(|&node| of.heap.shallow(node)).sum(),
            retained: of.analyzed.retained_together(nodes.iter().copied()),
        });
    }
    // Stable: equal ones go by class and holder.
    found.sort_by_key(|row| std::cmp::Reverse(row.retained));
    Ok(found)
}

/// Goes the shortest way up to the first object that is not detached; all on the way have the same answer.
fn holder(of: Opened<'_>, node: ObjectId, known: &mut FxHashMap<ObjectId, Holder>) -> Holder {
    let (mut way, mut at) = (Vec::new(), node);
    let found = loop {
        if let Some(&found) = known.get(&at) {
            break found;
        }
        way.push(at);
        match of.analyzed.before(of.heap, at) {
            Some(before) if of.snapshot().is_some_and(|snapshot| snapshot.is_detached(before)) => at = before,
            Some(before) => break Some((before, at)),
            None => break None,
        }
    };
    known.extend(way.into_iter().map(|node| (node, found)));
    found
}

/// `Window.cache`; `(array)[…]`, as elements of one array are held alike.
fn named(of: Opened<'_>, (from, to): (ObjectId, ObjectId)) -> String {
    let class = &of.heap.class(from).name;
    match of.contents.reference_names(of.heap, from, to, 1).first() {
        Some(name) if name.kind == ReferenceKind::Element => format!("{class}[…]"),
        Some(name) if name.text.starts_with('[') => format!("{class}{}", name.text),
        Some(name) => format!("{class}.{}", name.text),
        None => class.to_string(),
    }
}
