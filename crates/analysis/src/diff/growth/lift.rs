//! Lifts the lowest matched owner to one that people recognize: out of the arrays and nodes of a collection to the
//! collection, and from link to link to the head of a chain.

use rustc_hash::FxHashMap;

use super::charges::Holder;
use crate::diff::{Pair, Side, matches::Matches};
use heaplens_core::heap::{ClassKind, ObjectId, Role};

/// Prefixes of internal classes of the runtime's collections.
const LIBRARY: [&str; 2] = ["java.util.", "java.lang.ThreadLocal$"];

/// Lifts owners and caches the results.
pub(super) struct Lift<'a> {
    /// The target, on either side of the pair.
    newer: Side<'a>,
    in_order: bool,
    matches: &'a Matches,
    known: FxHashMap<ObjectId, ObjectId>,
}

impl<'a> Lift<'a> {
    pub(super) fn new(pair: Pair<'a>, matches: &'a Matches) -> Self {
        let in_order = pair.is_in_order();
        Self { newer: if in_order { pair.after } else { pair.before }, in_order, matches, known: FxHashMap::default() }
    }

    /// Lifted owner of a holder.
    pub(super) fn lifted(&mut self, holder: Holder) -> Holder {
        let Holder::Object(holder) = holder else { return holder };
        let from = if self.in_order { Some(holder) } else { self.matches.before(holder) };
        let end = from.map(|from| self.end(from));
        let end = if self.in_order { end } else { end.and_then(|end| self.matches.after(end)) };
        Holder::Object(end.unwrap_or(holder))
    }

    /// Lifted owner of an object of the target.
    fn end(&mut self, from: ObjectId) -> ObjectId {
        let mut passed = Vec::new();
        // Unmatched objects are skipped: their owner may be matched.
        let (mut at, mut end, mut to_end) = (from, from, 1);
        loop {
            if let Some(&known) = self.known.get(&at) {
                (end, to_end) = (known, passed.len());
                break;
            }
            passed.push(at);
            let Some(above) = self.above(at) else { break };
            at = above;
            if self.is_matched(at) {
                (end, to_end) = (at, passed.len() + 1);
            }
        }
        // No owner beyond this point.
        for object in passed.into_iter().take(to_end) {
            self.known.insert(object, end);
        }
        end
    }

    fn is_matched(&self, object: ObjectId) -> bool {
        let other = if self.in_order { self.matches.before(object) } else { self.matches.after(object) };
        other.is_some()
    }

    /// Collection or chain that an object is part of.
    fn above(&self, object: ObjectId) -> Option<ObjectId> {
        let side = self.newer;
        let role = |object: ObjectId| side.contents.role(side.heap.class_id(object));
        let above = side.analysis.immediate_dominator(object)?;
        let (class, class_above) = (side.heap.class(object), side.heap.class(above));
        let is_array = class.kind != ClassKind::Plain;
        let is_node = role(object) == Role::Other && LIBRARY.iter().any(|library| class.name.starts_with(library));
        let holds_nodes =
            role(above) == Role::Collection || LIBRARY.iter().any(|library| class_above.name.starts_with(library));
        // A static array belongs to its class: statics are found by their class.
        let in_array = is_array && side.heap.classes.of_object(above).is_none();
        let in_collection = is_node && (holds_nodes || class_above.kind == ClassKind::ObjectArray);
        let in_chain = side.heap.class_id(object) == side.heap.class_id(above)
            && side.heap.classes.of_object(object).is_none()
            && role(object) != Role::Collection;
        let is_wrapped = role(object) == Role::Collection && role(above) == Role::Collection && {
            // A wrapped collection is internal structure, not an entry.
            let wrapped = side.contents.logical(side.heap, above, 0..0);
            wrapped.is_some_and(|logical| logical.internals.contains(&object))
        };
        (in_array || in_collection || in_chain || is_wrapped).then_some(above)
    }
}
