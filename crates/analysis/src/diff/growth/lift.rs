//! Lifts the lowest matched owner to one that people recognize: out of the arrays and nodes of a collection to the
//! collection, and from link to link to the head of a chain.

use rustc_hash::FxHashMap;

use super::dictionary::has_many_fields;
use crate::answers::DumpData;
use crate::diff::{Pair, matches::Matches};
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Prefixes of internal classes of the runtime's collections.
const LIBRARY: [&str; 2] = ["java.util.", "java.lang.ThreadLocal$"];

/// True of classes of the runtime's collections and their parts.
pub(super) fn is_part(class: &str) -> bool {
    LIBRARY.iter().any(|library| class.starts_with(library))
}

/// The object that a structure begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lifted {
    /// The highest matched part, an object of the target.
    pub(super) owner: ObjectId,
    /// The head if that is not matched: the first link of a chain to which links were added in front, an object of the
    /// newer heap.
    pub(super) head: Option<ObjectId>,
}

/// Classes of V8 that are parts of an object or a collection.
const STORAGE: [&str; 4] = ["(array)", "(internal array)", "(object elements)", "(object properties)"];

/// Lifts owners and caches the results.
pub(super) struct Lift<'a> {
    /// The target, on either side of the pair.
    newer: DumpData<'a>,
    in_order: bool,
    matches: &'a Matches,
    /// The highest matched part and the head of the structure, by part.
    known: FxHashMap<ObjectId, (ObjectId, ObjectId)>,
}

impl<'a> Lift<'a> {
    pub(super) fn new(pair: Pair<'a>, matches: &'a Matches) -> Self {
        let in_order = pair.is_in_order();
        Self { newer: if in_order { pair.after } else { pair.before }, in_order, matches, known: FxHashMap::default() }
    }

    /// True if the newer heap is the target.
    pub(super) fn is_target_newer(&self) -> bool {
        self.in_order
    }

    /// The structure of a matched object of the target.
    pub(super) fn lifted(&mut self, object: ObjectId) -> Lifted {
        let from = if self.in_order { Some(object) } else { self.matches.before(object) };
        let Some((end, head)) = from.map(|from| self.end(from)) else { return Lifted { owner: object, head: None } };
        let owner = if self.in_order { Some(end) } else { self.matches.after(end) };
        Lifted { owner: owner.unwrap_or(object), head: Some(head).filter(|&head| head != end) }
    }

    /// The highest matched part and the head of the structure of an object of the newer heap.
    fn end(&mut self, from: ObjectId) -> (ObjectId, ObjectId) {
        let mut passed = Vec::new();
        // Unmatched objects are skipped: their owner may be matched.
        let (mut at, mut end, mut head, mut to_end) = (from, from, from, 1);
        loop {
            if let Some(&known) = self.known.get(&at) {
                ((end, head), to_end) = (known, passed.len());
                break;
            }
            passed.push(at);
            let Some(above) = self.above(at) else { break };
            (at, head) = (above, above);
            if self.is_matched(at) {
                (end, to_end) = (at, passed.len() + 1);
            }
        }
        // No owner beyond this point.
        for object in passed.into_iter().take(to_end) {
            self.known.insert(object, (end, head));
        }
        (end, head)
    }

    fn is_matched(&self, object: ObjectId) -> bool {
        let other = if self.in_order { self.matches.before(object) } else { self.matches.after(object) };
        other.is_some()
    }

    /// Collection or chain that an object is part of.
    fn above(&self, object: ObjectId) -> Option<ObjectId> {
        let above = self.newer.analysis.immediate_dominator(object)?;
        is_part_of(self.newer, object, above).then_some(above)
    }
}

/// True if an object is a part of its immediate dominator: a node or the array of a collection, a link of a chain, the
/// engine's storage of an object.
pub(super) fn is_part_of(side: DumpData<'_>, object: ObjectId, above: ObjectId) -> bool {
    let role = |object: ObjectId| side.contents.role(side.heap.class_id(object));
    let (class, class_above) = (side.heap.class(object), side.heap.class(above));
    let is_array = class.kind != ClassKind::Plain;
    let is_node = role(object) == Role::Other && is_part(&class.name);
    let holds_nodes = role(above) == Role::Collection || is_part(&class_above.name);
    // An array in a field is the structure that the source names, unless a collection has it.
    let in_array = is_array
        && side.heap.classes.of_object(above).is_none()
        && (holds_nodes || class_above.kind == ClassKind::ObjectArray);
    let in_collection = is_node && (holds_nodes || class_above.kind == ClassKind::ObjectArray);
    let in_chain = side.heap.class_id(object) == side.heap.class_id(above)
        && side.heap.classes.of_object(object).is_none()
        && role(object) != Role::Collection
        // An object that is used as a dictionary is a structure of its own.
        && !has_many_fields(side, object);
    let is_wrapped = role(object) == Role::Collection && role(above) == Role::Collection && {
        // A wrapped collection is internal structure, not an entry.
        let wrapped = side.contents.logical(side.heap, above, 0..0);
        wrapped.is_some_and(|logical| logical.internals.contains(&object))
    };
    in_array || is_storage(side, object) || in_collection || in_chain || is_wrapped
}

/// True of the engine's storage of an object or a collection, in V8 snapshots.
pub(super) fn is_storage(side: DumpData<'_>, object: ObjectId) -> bool {
    side.heap.snapshot().is_some() && STORAGE.contains(&&*side.heap.class(object).name)
}
