//! Groups owners that are held in the same way: by objects of the same classes through the same
//! fields, all the way up, ignoring keys and indices. The lists that
//! four threads of a pool keep in one field each are four owners and one pattern.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::charges::Holder;
use crate::diff::{Pair, Side, matches::Matches};
use heaplens_core::heap::{ClassId, ObjectId, ReferenceKind};

/// Depth limit: deeper owners each form a pattern of their own.
const DEEPEST: usize = 256;

/// Patterns by object.
pub(super) struct Patterns<'a> {
    /// The target, on either side of the pair.
    newer: Side<'a>,
    in_order: bool,
    matches: &'a Matches,
    known: FxHashMap<ObjectId, u64>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(pair: Pair<'a>, matches: &'a Matches) -> Self {
        let in_order = pair.is_in_order();
        Self { newer: if in_order { pair.after } else { pair.before }, in_order, matches, known: FxHashMap::default() }
    }

    /// Pattern of an owner; equal for owners held in the same way.
    pub(super) fn of(&mut self, holder: Holder) -> u64 {
        let (object, field) = match holder {
            Holder::Object(object) => (object, None),
            Holder::Field(object, field) => (object, Some(field)),
            Holder::Top(kind) => return Self::alone(u64::from(kind.0) << 32),
            Holder::Added(object) | Holder::Removed(object) => return Self::alone(u64::from(object.raw())),
        };
        let object = if self.in_order { object } else { self.matches.before(object).unwrap_or(object) };
        let pattern = self.of_object(object);
        let Some(field) = field else { return pattern };
        let mut hash = FxHasher::default();
        hash.write_u64(pattern);
        hash.write_u64(field);
        hash.finish()
    }

    fn of_object(&mut self, object: ObjectId) -> u64 {
        let mut way = vec![object];
        let mut pattern = loop {
            let at = way[way.len() - 1];
            if let Some(&known) = self.known.get(&at) {
                way.pop();
                break known;
            }
            if way.len() > DEEPEST {
                return Self::alone(u64::from(object.raw()));
            }
            match self.newer.analysis.immediate_dominator(at) {
                Some(above) => way.push(above),
                None => break 0,
            }
        };
        while let Some(at) = way.pop() {
            pattern = self.step(pattern, at);
            self.known.insert(at, pattern);
        }
        pattern
    }

    /// Pattern of `object` held by an object with pattern `above`.
    fn step(&self, above: u64, object: ObjectId) -> u64 {
        let heap = self.newer.heap;
        let mut hash = FxHasher::default();
        hash.write_u64(above);
        hash.write_u32(self.kind(heap.class_id(object)));
        // Class objects are distinguished by the class they represent.
        if let Some(class) = heap.classes.of_object(object) {
            hash.write_u32(self.kind(class));
        }
        let holder = self.newer.analysis.immediate_dominator(object);
        let names = holder.map(|holder| self.newer.contents.reference_names(heap, holder, object, 1));
        if let Some(name) = names.iter().flatten().next()
            && name.kind != ReferenceKind::Element
        {
            hash.write(name.text.as_bytes());
        }
        hash.finish()
    }

    fn kind(&self, class: ClassId) -> u32 {
        let kinds = &self.matches.kinds;
        if self.in_order { kinds.of_after(class).0 } else { kinds.of_before(class).0 }
    }

    /// A unique pattern.
    fn alone(number: u64) -> u64 {
        let mut hash = FxHasher::default();
        hash.write_u64(u64::MAX);
        hash.write_u64(number);
        hash.finish()
    }
}
