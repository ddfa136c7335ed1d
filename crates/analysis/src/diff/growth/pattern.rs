//! Groups owners that are held in the same way: by objects of the same classes through the same
//! fields, all the way up. Keys and indices are ignored, and so is the place in a collection, a chain or a recursive
//! structure: the maps in a map are one pattern, and so are the lists that four threads of a pool keep in one field each.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::charges::Holder;
use super::dictionary::has_many_fields;
use super::lift::{is_part_of, is_storage};
use crate::answers::DumpData;
use crate::diff::{Pair, matches::Matches};
use heaplens_heap::{ClassId, ClassKind, ObjectId, ReferenceKind, Role};

/// Depth limit: deeper owners each form a pattern of their own.
const DEEPEST: usize = 1 << 20;
/// Maximum number of steps up to an object of the same class, in a recursive structure.
const PERIOD: usize = 8;

/// How an object is held.
#[derive(Clone, Copy)]
struct Step {
    /// Equal for objects held in the same way; 0 at the top.
    pattern: u64,
    /// Kind of its class; `None` of objects that hold unrelated ones of the same class, such as collections.
    kind: Option<u32>,
    /// The object that holds the one that the step is of.
    outer: Option<ObjectId>,
}

/// Patterns by object.
pub(super) struct Patterns<'a> {
    /// The target, on either side of the pair.
    newer: DumpData<'a>,
    in_order: bool,
    matches: &'a Matches,
    known: FxHashMap<ObjectId, Step>,
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
        let mut chain = vec![object];
        let (mut outer, mut step) = loop {
            let at = chain[chain.len() - 1];
            if let Some(&known) = self.known.get(&at) {
                chain.pop();
                break (Some(at), known);
            }
            if chain.len() > DEEPEST {
                return Self::alone(u64::from(object.raw()));
            }
            match self.newer.analysis.immediate_dominator(at) {
                Some(above) => chain.push(above),
                None => break (None, Step { pattern: 0, kind: None, outer: None }),
            }
        };
        while let Some(at) = chain.pop() {
            step = self.step((outer, step), at);
            self.known.insert(at, step);
            outer = Some(at);
        }
        step.pattern
    }

    /// How `object` is held by `above`, which is held in its own way.
    fn step(&self, (above, held): (Option<ObjectId>, Step), object: ObjectId) -> Step {
        let side = self.newer;
        let heap = side.heap;
        let Some(above) = above else {
            let (pattern, kind) = (self.hash(0, object, None), self.recursive_kind(object));
            return Step { pattern, kind, outer: None };
        };
        if is_part_of(side, object, above) {
            return held;
        }
        let kind = self.recursive_kind(object);
        // An object of the same class not far above: the structure is recursive.
        let mut up = std::iter::successors(Some(held), |step| self.known.get(&step.outer?).copied()).take(PERIOD);
        if kind.is_some()
            && let Some(same) = up.find(|step| step.kind == kind)
        {
            return same;
        }
        let is_of_entries = is_storage(side, above)
            || (heap.snapshot().is_some()
                && (side.contents.is_dictionary(heap, above) || has_many_fields(side, above)));
        let name = || side.contents.reference_names(heap, above, object, 1).into_iter().next();
        let name = if is_of_entries { None } else { name() };
        let name = name.filter(|name| name.kind != ReferenceKind::Element);
        Step {
            pattern: self.hash(held.pattern, object, name.as_ref().map(|name| &*name.text)),
            kind,
            outer: Some(above),
        }
    }

    /// Pattern of `object` held by an object with pattern `above` in a field.
    fn hash(&self, above: u64, object: ObjectId, field: Option<&str>) -> u64 {
        let heap = self.newer.heap;
        let mut hash = FxHasher::default();
        hash.write_u64(above);
        hash.write_u32(self.kind(heap.class_id(object)));
        // Class objects are distinguished by the class they represent.
        if let Some(class) = heap.classes.of_object(object) {
            hash.write_u32(self.kind(class));
        }
        field.into_iter().for_each(|field| hash.write(field.as_bytes()));
        hash.finish()
    }

    /// Kind of the class of an object that a recursive structure may consist of: neither class objects nor collections, nor,
    /// in snapshots, objects that no constructor of a script made.
    fn recursive_kind(&self, object: ObjectId) -> Option<u32> {
        let heap = self.newer.heap;
        let (id, class) = (heap.class_id(object), heap.class(object));
        let is_one = class.kind == ClassKind::Plain
            && heap.classes.of_object(object).is_none()
            && self.newer.contents.role(id) != Role::Collection
            && (heap.snapshot().is_none() || class.made_at.is_some());
        is_one.then(|| self.kind(id))
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
