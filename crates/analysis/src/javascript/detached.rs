//! Detached DOM nodes by class, with their nearest retainer that is not detached.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::most_retaining;
use crate::answers::DumpData;
use crate::naming::Namer;
use crate::structure::ShortName;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::{ObjectId, ReferenceKind, Snapshot};

/// Detached nodes of a class retained through one reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetachedRow {
    /// The class of the nodes: `Detached <div>`.
    pub class: String,
    /// What retains them: the member of the source that their short name begins with, `ToastStack.dismissed`, else class
    /// and reference, `Window.cache`; empty if unreachable.
    pub holder: String,
    /// One of their retainers.
    pub holder_object: Option<ObjectId>,
    /// Example nodes, largest retained size first; at least one.
    pub first: Vec<ObjectId>,
    /// Number of nodes.
    pub objects: u64,
    /// Their bytes.
    pub shallow: Bytes,
    /// Retained size of all of them.
    pub retained: Bytes,
}

/// Nearest retainer that is not detached, and the node it references.
type Holder = Option<(ObjectId, ObjectId)>;

/// All detached nodes with a shallow size above 0, largest retained size first. Without a namer, no retainer has a short
/// name.
pub fn detached(of: DumpData<'_>, namer: Option<Namer<'_>>, task: &Task) -> Result<Vec<DetachedRow>, Cancelled> {
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
        let name = match holder {
            None => String::new(),
            Some(pair) => match names.get(&pair) {
                Some(known) => known.clone(),
                None => names.entry(pair).or_insert(named(of, namer, pair, task)?).clone(),
            },
        };
        let group = groups.entry((of.heap.class(node).name.to_string(), name)).or_insert((holder, Vec::new()));
        group.1.push(node);
    }
    let mut detached_rows: Vec<DetachedRow> = Vec::with_capacity(groups.len());
    for ((class, holder), (by, nodes)) in groups {
        detached_rows.push(DetachedRow {
            class,
            holder,
            holder_object: by.map(|(holder, _)| holder),
            first: most_retaining(of, &nodes),
            objects: nodes.len() as u64,
            shallow: nodes.iter().map(|&node| of.heap.shallow(node)).sum(),
            retained: of.analysis.retained_together(nodes.iter().copied()),
        });
    }
    // Stable: ties go by class and retainer.
    detached_rows.sort_by_key(|row| std::cmp::Reverse(row.retained));
    Ok(detached_rows)
}

/// Follows the shortest path up to the first object that is not detached; all on the path share the result.
fn holder(of: DumpData<'_>, node: ObjectId, known: &mut FxHashMap<ObjectId, Holder>) -> Holder {
    let (mut path, mut at) = (Vec::new(), node);
    let holder = loop {
        if let Some(&holder) = known.get(&at) {
            break holder;
        }
        path.push(at);
        match of.analysis.predecessor(of.heap, at) {
            Some(before) if of.snapshot().is_some_and(|snapshot| snapshot.is_detached(before)) => at = before,
            Some(before) => break Some((before, at)),
            None => break None,
        }
    };
    known.extend(path.into_iter().map(|node| (node, holder)));
    holder
}

/// `ToastStack.dismissed`, else `Window.cache`; `(array)[…]` without the index, since elements of one array are held alike.
fn named(
    of: DumpData<'_>,
    namer: Option<Namer<'_>>,
    (from, to): (ObjectId, ObjectId),
    task: &Task,
) -> Result<String, Cancelled> {
    let short_name = namer.map(|namer| namer.short_name(to, task)).transpose()?.flatten();
    if let Some(owner) = short_name.and_then(ShortName::owner) {
        return Ok(owner.to_string());
    }
    let class = &of.heap.class(from).name;
    Ok(match of.contents.reference_names(of.heap, from, to, 1).first() {
        Some(name) if name.kind == ReferenceKind::Element => format!("{class}[…]"),
        Some(name) if name.text.starts_with('[') => format!("{class}{}", name.text),
        Some(name) => format!("{class}.{}", name.text),
        None => class.to_string(),
    })
}
