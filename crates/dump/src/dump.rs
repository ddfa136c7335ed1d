//! An opened dump: what the file records ([`Facts`]), what follows from it ([`Analysis`]), and short methods for the
//! usual questions about one object.

use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

use crate::facts::Facts;
use heaplens_base::{Bytes, Task, storage::MemoryBudget};
use heaplens_formats::error::OpenError;
use heaplens_heap::{Analysis, Census, ClassId, ExcludedReferences, ImportNote, ObjectId};

/// A dump, opened and analyzed. Returned by [`open`](crate::open()).
///
/// Objects are rows, in the order of their addresses. The methods answer the usual questions about one of them;
/// [`Heap`](heaplens_heap::Heap), [`Contents`](heaplens_heap::Contents) and [`Analysis`] have the rest.
#[derive(Clone)]
pub struct Dump {
    /// Header of the file, and objects by class as counted in the first pass, reachable or not.
    pub census: Arc<Census>,
    /// Objects, classes, references and values.
    pub facts: Facts,
    /// Dominators, retained sizes and distances.
    pub analysis: Arc<Analysis>,
    /// Notes about this open, not about the dump; those about the dump are [`Heap::notes`](heaplens_heap::Heap).
    pub remarks: Vec<ImportNote>,
}

impl Dump {
    /// All objects in the file, in address order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.facts.heap.objects()
    }

    /// The `count` objects with the largest retained sizes, largest first; of equal ones, the first by address.
    pub fn largest(&self, count: usize) -> Vec<ObjectId> {
        let mut largest = BinaryHeap::new();
        for object in self.objects() {
            largest.push((Reverse(self.retained_size(object)), object));
            if largest.len() > count {
                largest.pop();
            }
        }
        largest.into_sorted_vec().into_iter().map(|(_, object)| object).collect()
    }

    /// The object with an id as printed by tools of the format: `0x7f00`, `@17`, or digits. `None` if there is none.
    pub fn find(&self, id: &str) -> Option<ObjectId> {
        self.facts.heap.find(id)
    }

    /// Id of the object in the notation of the format: its address, in snapshots the number assigned by the engine.
    pub fn id(&self, object: ObjectId) -> String {
        self.facts.heap.id_text(object)
    }

    /// Class of the object.
    pub fn class_of(&self, object: ObjectId) -> ClassId {
        self.facts.heap.class_id(object)
    }

    /// Name of a class in source notation: `java.lang.String`, `byte[]`.
    pub fn class_name(&self, class: ClassId) -> &str {
        &self.facts.heap.classes.get(class).name
    }

    /// Short text by which users recognize the object: the text of a string, the name of a thread or class, the length
    /// of an array. `None` if there is nothing to add to class and id.
    pub fn label(&self, object: ObjectId) -> Option<String> {
        self.facts.contents.label(&self.facts.heap, object)
    }

    /// Size in bytes of the object itself.
    pub fn shallow_size(&self, object: ObjectId) -> Bytes {
        self.facts.heap.shallow(object)
    }

    /// Bytes that would be freed if the object were collected, its own included; 0 if it is unreachable.
    pub fn retained_size(&self, object: ObjectId) -> Bytes {
        self.analysis.retained(object)
    }

    /// Nearest object that every path from a GC root to `object` passes. `None` if there is none, and if it is
    /// unreachable.
    pub fn dominator_of(&self, object: ObjectId) -> Option<ObjectId> {
        self.analysis.immediate_dominator(object)
    }

    /// Objects that `object` refers to, without its class, in file order, once per reference.
    pub fn references_of(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.facts.heap.references(object).iter().filter_map(|&row| ObjectId::from_raw(row))
    }

    /// Objects that refer to `object`, in address order, once per reference.
    pub fn referrers_of(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.analysis.retainers(object).iter().filter_map(|&row| ObjectId::from_raw(row))
    }

    /// Shortest path to the object from a GC root, which comes first. Empty if the object is unreachable.
    pub fn path_from_root(&self, object: ObjectId) -> Vec<ObjectId> {
        let start = self.analysis.is_reachable(object).then_some(object);
        let step = |&at: &ObjectId| self.analysis.predecessor(&self.facts.heap, at);
        let mut path: Vec<ObjectId> = std::iter::successors(start, step).collect();
        path.reverse();
        path
    }

    /// The same dump without some references, with all columns derived anew.
    pub fn without(&self, excluded: &ExcludedReferences, space: &MemoryBudget, task: &Task) -> Result<Self, OpenError> {
        let (heap, analysis) = self.facts.heap.without(&self.analysis, excluded, space, task)?;
        let facts = Facts { heap: Arc::new(heap), ..self.facts.clone() };
        Ok(Self { facts, analysis: Arc::new(analysis), ..self.clone() })
    }

    /// True if it came from a stored analysis.
    pub fn is_from_cache(&self) -> bool {
        self.facts.stored.is_some()
    }
}
