//! An opened dump: what the file records ([`Facts`]), what follows from it ([`Analysis`]), and short methods for the
//! usual questions about one object.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Deref, path::Path, sync::Arc};

use crate::facts::Facts;
use heaplens_analysis::answer_file::AnswerStorage;
use heaplens_analysis::clock::Ages;
use heaplens_analysis::cuts::Reduction;
use heaplens_analysis::{Answers, DumpData, Namer, Question, RuntimeClasses};
use heaplens_base::storage::{MemoryBudget, memory_budget::PendingSeal};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_formats::error::OpenError;
use heaplens_heap::{Analysis, Census, ClassId, ExcludedReferences, ImportNote, ObjectId};

/// One state of a dump, opened and analyzed, with the answers about it. Returned by [`open`](crate::open()).
///
/// A dump never changes: other facts, other references that count and other lists of the user make another state, with
/// answers of its own. Both may be in use. Clones share all data, and the answers.
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
    pub open_warnings: Arc<[ImportNote]>,
    /// What was removed from the heap, if this is the dump after removals.
    pub reduction: Option<Arc<Reduction>>,
    answers: Arc<Answers>,
    storing: Option<Arc<Storing>>,
}

impl Deref for Dump {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

/// A stored analysis that is being written. Dropping it waits until it is complete: ending the process earlier would leave
/// it half-written.
struct Storing(PendingSeal);

impl Drop for Storing {
    fn drop(&mut self) {
        // Failures were reported before, or do not matter.
        let _stored = self.0.wait();
    }
}

impl Dump {
    /// A dump without answers so far, with the built-in rules for runtime classes.
    pub fn new(census: Arc<Census>, facts: Facts, analysis: Arc<Analysis>, open_warnings: Vec<ImportNote>) -> Self {
        let open_warnings = open_warnings.into();
        Self { census, facts, analysis, open_warnings, reduction: None, answers: Arc::default(), storing: None }
    }

    /// The same dump with other facts about the same objects: other names, redacted values, or no file. Its answers are
    /// not kept on disk.
    #[must_use]
    pub fn with_facts(&self, facts: Facts) -> Self {
        Self { facts, ..self.with_answers(Arc::clone(self.runtime_classes()), None) }
    }

    /// The same dump with the names of source maps beside its file `path`, and beside its scripts.
    #[must_use]
    pub fn with_sources_beside(&self, path: &Path) -> Self {
        self.with_facts(self.facts.with_sources_beside(path))
    }

    /// The same dump with redacted values.
    #[must_use]
    pub fn redacted(&self) -> Self {
        if self.facts.is_redacted() { self.clone() } else { self.with_facts(self.facts.redacted()) }
    }

    /// The same dump with other rules for runtime classes, and the storage of answers by these rules.
    #[must_use]
    pub fn with_answers(&self, rules: Arc<RuntimeClasses>, storage: Option<Arc<dyn AnswerStorage>>) -> Self {
        Self { answers: Arc::new(Answers::new(rules, storage)), ..self.clone() }
    }

    /// The same dump, whose last clone waits until its stored analysis is complete.
    #[must_use]
    pub fn with_storing(self, storing: Option<PendingSeal>) -> Self {
        Self { storing: storing.map(|storing| Arc::new(Storing(storing))), ..self }
    }

    /// Waits until the stored analysis is complete, if one is written. Dropping the last clone does so, too.
    pub fn wait_until_stored(&self) {
        // Failures were reported before, or do not matter.
        let _stored = self.storing.as_ref().map(|storing| storing.0.wait());
    }

    /// What analyses read.
    pub fn data(&self) -> DumpData<'_> {
        let Facts { heap, contents, record, .. } = &self.facts;
        DumpData {
            heap,
            contents: &**contents,
            analysis: &self.analysis,
            answers: &self.answers,
            record: record.as_deref(),
        }
    }

    /// The answer to a question about the whole dump; see [`DumpData::answer`].
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn answer<Q: Question>(&self, question: &Q, task: &Task) -> Result<Arc<Q::Answer>, Cancelled> {
        self.data().answer(question, task)
    }

    /// Answers about this state of the dump.
    pub fn answers(&self) -> &Arc<Answers> {
        &self.answers
    }

    /// Rules for runtime classes.
    pub fn runtime_classes(&self) -> &Arc<RuntimeClasses> {
        self.answers.runtime_classes()
    }

    /// Names objects and finds them by name. The first call reads the names of all classes and static fields.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn namer(&self, task: &Task) -> Result<Namer<'_>, Cancelled> {
        self.data().namer(task)
    }

    /// Ages of the objects, measured on the first call.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn ages(&self, task: &Task) -> Result<&Ages, Cancelled> {
        self.data().ages(task)
    }

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
    pub fn without(
        &self,
        excluded: &ExcludedReferences,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, OpenError> {
        let (heap, analysis) = self.facts.heap.without(&self.analysis, excluded, budget, task)?;
        let facts = Facts { heap: Arc::new(heap), ..self.facts.clone() };
        Ok(Self { analysis: Arc::new(analysis), ..self.with_facts(facts) })
    }

    /// The same dump with what was removed from its heap.
    #[must_use]
    pub fn with_reduction(self, reduction: Reduction) -> Self {
        Self { reduction: Some(Arc::new(reduction)), ..self }
    }

    /// True if it came from a stored analysis.
    pub fn is_from_cache(&self) -> bool {
        self.facts.stored.is_some()
    }
}
