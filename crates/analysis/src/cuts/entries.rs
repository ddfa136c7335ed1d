//! References by which a collection has a range of its entries, and the nodes that its implementation would give up with
//! them.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{cut_references::CutReferences, entry_range::EntryRange};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::constants::enum_constant;
use heaplens_heap::{LogicalCollection, LogicalEntry, ObjectId, ReferenceKind, ReferenceName, Strength, Value};

/// What a collection without a range of its entries does not have any more.
#[derive(Default)]
pub(super) struct EntryReferences {
    /// References to keys, values and elements.
    pub(super) references: CutReferences,
    /// Rows of nodes of removed entries that no remaining one needs.
    pub(super) nodes: Vec<u32>,
    /// Keys, values and elements whose holder is not known.
    pub(super) unread: u64,
}

impl EntryReferences {
    /// Those of a range of entries of a collection, or of elements of an array; `None` if the object is neither.
    pub(super) fn of(
        of: DumpData<'_>,
        collection: ObjectId,
        range: EntryRange,
        task: &Task,
    ) -> Result<Option<Self>, Cancelled> {
        let DumpData { heap, contents, .. } = of;
        if let Some(shape) = contents.logical(heap, collection, 0..0) {
            return Self::of_collection(of, collection, &shape, range, task).map(Some);
        }
        let Some(length) = contents.array_length(heap, collection) else {
            return Ok(properties(of, collection).map(|values| Self::of_properties(of, collection, &values, range)));
        };
        let removed = range.within(length);
        let values = |range| contents.elements(heap, collection, range).unwrap_or_default();
        let removed_objects = objects_of(values(removed.clone()).into_iter());
        let left = objects_of([0..removed.start, removed.end..length].into_iter().flat_map(values));
        let mut references = CutReferences::default();
        for object in removed_objects.difference(&left).copied() {
            task.checkpoint()?;
            references.append(CutReferences::between(of, collection, object));
        }
        Ok(Some(Self { references, ..Self::default() }))
    }

    /// Of an object that a program uses as a map.
    fn of_properties(of: DumpData<'_>, object: ObjectId, values: &[ObjectId], range: EntryRange) -> Self {
        let removed = range.within(values.len() as u64);
        let is_removed = |at: usize| removed.contains(&(at as u64));
        let side = |wanted: bool| {
            let values = values.iter().enumerate().filter(move |&(at, _)| is_removed(at) == wanted);
            values.map(|(_, &value)| value).collect::<HashSet<_>>()
        };
        let mut references = CutReferences::default();
        for &value in side(true).difference(&side(false)) {
            references.append(CutReferences::between(of, object, value));
        }
        Self { references, ..Self::default() }
    }

    fn of_collection(
        of: DumpData<'_>,
        collection: ObjectId,
        shape: &LogicalCollection,
        range: EntryRange,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let DumpData { heap, contents, .. } = of;
        let removed = range.within(shape.size);
        let Some(part) = contents.logical(heap, collection, removed.clone()).filter(|_| !removed.is_empty()) else {
            return Ok(Self::default());
        };
        let is_all = removed == (0..shape.size);
        let left = if is_all { Vec::new() } else { others(of, collection, shape.size, &removed) };
        // Objects that the collection has in every case.
        let fixed: HashSet<ObjectId> =
            shape.internals.iter().chain(&part.backing).copied().chain([collection]).collect();
        let nodes = |all: &[ObjectId]| all.iter().copied().filter(|node| !fixed.contains(node)).collect::<HashSet<_>>();
        let (removed_nodes, objects) = (nodes(&part.internals), objects_of(sides(&part.entries)));
        let left_nodes: HashSet<ObjectId> = left.iter().flat_map(|part| nodes(&part.internals)).collect();
        let left_objects = objects_of(left.iter().flat_map(|part| sides(&part.entries)));

        let (mut answer, mut held) = (Self::default(), HashSet::new());
        for &node in removed_nodes.difference(&left_nodes) {
            task.checkpoint()?;
            for to in targets(of, node).filter(|to| objects.contains(to)) {
                held.insert(to);
                answer.references.append(CutReferences::between(of, node, to));
            }
        }
        // Without nodes of their own, entries are in the arrays, else in the collection itself.
        let parts = part.backing.iter().chain(&shape.internals).chain([&collection]);
        for &part in parts {
            let is_new = |to: &ObjectId| objects.contains(to) && !held.contains(to);
            let mut in_part: Vec<ObjectId> = targets(of, part).filter(is_new).collect();
            in_part.sort_unstable();
            in_part.dedup();
            // An entry that remains may have the same object.
            for &to in in_part.iter().filter(|to| !left_objects.contains(to)) {
                task.checkpoint()?;
                answer.references.append(CutReferences::between(of, part, to));
            }
            held.extend(in_part);
        }
        // Enum constants are in an array of all, which is no part of a collection of some of them.
        let is_constant = |object: ObjectId| enum_constant(heap, contents, object, 1).is_some();
        answer.unread = objects.difference(&held).filter(|&&object| !is_constant(object)).count() as u64;
        let needed = Chain { of, removed_nodes: &removed_nodes, left: &left_nodes };
        let needed = if left_nodes.is_empty() { HashSet::new() } else { needed.needed(&fixed, task)? };
        answer.nodes = removed_nodes
            .difference(&left_nodes)
            .filter(|node| !needed.contains(node))
            .map(|node| node.raw())
            .collect();
        Ok(answer)
    }
}

/// True if an object is a collection, an array, or an object of JavaScript with properties.
pub(super) fn has_entries(of: DumpData<'_>, object: ObjectId) -> bool {
    let DumpData { heap, contents, .. } = of;
    contents.collection_kind(heap, object).is_some()
        || contents.array_length(heap, object).is_some()
        || properties(of, object).is_some_and(|values| !values.is_empty())
}

/// Objects in the properties and elements of an object of JavaScript, in the order of the file; `None` in other formats.
fn properties(DumpData { heap, contents, .. }: DumpData<'_>, object: ObjectId) -> Option<Vec<ObjectId>> {
    heap.snapshot()?;
    let named = contents.named_references_of(heap, object, usize::MAX)?;
    let is_own = |name: &ReferenceName| {
        matches!(name.kind, ReferenceKind::Property | ReferenceKind::Element)
            && name.strength == Strength::Strong
            && name.text != PROTOTYPE
    };
    let retained: HashSet<u32> = heap.references(object).iter().copied().collect();
    let values = named.into_iter().filter(|(name, to)| is_own(name) && retained.contains(&to.raw()));
    Some(values.map(|(_, to)| to).collect())
}

/// Property of JavaScript objects that leads to their prototype.
const PROTOTYPE: &str = "__proto__";

/// The entries of a collection before and after a range.
fn others(of: DumpData<'_>, collection: ObjectId, size: u64, range: &std::ops::Range<u64>) -> Vec<LogicalCollection> {
    let parts = [0..range.start, range.end..size].into_iter().filter(|part| !part.is_empty());
    parts.filter_map(|part| of.contents.logical(of.heap, collection, part)).collect()
}

/// Keys and values of entries.
fn sides(entries: &[LogicalEntry]) -> impl Iterator<Item = Value> + '_ {
    entries.iter().flat_map(|entry| entry.key.into_iter().chain([entry.value]))
}

fn objects_of(values: impl Iterator<Item = Value>) -> HashSet<ObjectId> {
    values.filter_map(Value::object).collect()
}

/// Objects that an object refers to.
fn targets(of: DumpData<'_>, object: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
    of.heap.references(object).iter().filter_map(|&row| ObjectId::from_raw(row))
}

/// Nodes of a collection that refer to each other: of a chain in a bucket, a remaining node may be behind a removed one.
struct Chain<'a> {
    of: DumpData<'a>,
    removed_nodes: &'a HashSet<ObjectId>,
    left: &'a HashSet<ObjectId>,
}

impl Chain<'_> {
    /// Removed nodes through which alone remaining ones can be reached from the `fixed` objects. A real collection would
    /// link the others with each other instead.
    fn needed(&self, fixed: &HashSet<ObjectId>, task: &Task) -> Result<HashSet<ObjectId>, Cancelled> {
        let mut begin: Vec<ObjectId> = fixed.iter().copied().collect();
        begin.sort_unstable();
        let (mut before, mut visited) = (HashMap::new(), fixed.clone());
        // Removed nodes are only passed when nothing else leads on.
        let (mut waiting, mut removed, mut needed) = (VecDeque::from(begin), VecDeque::new(), HashSet::new());
        while let Some(at) = waiting.pop_front().or_else(|| removed.pop_front()) {
            task.checkpoint()?;
            for to in targets(self.of, at).filter(|&to| self.is_inside(to)) {
                if !visited.insert(to) {
                    continue;
                }
                before.insert(to, at);
                if self.removed_nodes.contains(&to) {
                    removed.push_back(to);
                    continue;
                }
                waiting.push_back(to);
                let mut behind = Some(at);
                while let Some(node) = behind.filter(|&node| self.removed_nodes.contains(&node) && needed.insert(node))
                {
                    behind = before.get(&node).copied();
                }
            }
        }
        Ok(needed)
    }

    /// True of nodes, and of what the implementation may have between them.
    fn is_inside(&self, object: ObjectId) -> bool {
        self.removed_nodes.contains(&object)
            || self.left.contains(&object)
            || crate::naming::is_inside(&self.of.heap.class(object).name)
    }
}
