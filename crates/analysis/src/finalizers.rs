//! Objects with a finalizer: their number, and how many wait for finalization, which keeps them and their retained sets
//! alive.

use std::collections::BTreeMap;

use super::rows::shown_of;
use crate::answers::{DumpData, Question};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, Field, Heap, ObjectId, ThreadStacks, Value};

const FINALIZER: &str = "java.lang.ref.Finalizer";
const THREAD: &str = "java.lang.ref.Finalizer$FinalizerThread";
/// Stack frame that runs finalizers, in all JDK versions.
const RUNNING: &str = "java.lang.ref.Finalizer.runFinalizer";

/// Finalization state of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FinalizerState {
    /// Its finalizer is running.
    Running,
    /// No longer referenced otherwise; waiting in the queue.
    Waiting,
    /// Alive, as far as the garbage collector knows.
    Registered,
}

/// Objects of one class and finalization state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalizerRow {
    /// Their class.
    pub class: ClassId,
    /// Finalization state.
    pub state: FinalizerState,
    /// The objects, by address.
    pub objects: Vec<ObjectId>,
    /// Retained size of all of them by the dominator tree; each byte counts once.
    pub retained: Bytes,
}

impl FinalizerState {
    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Registered => "registered",
        }
    }
}

/// True if the dump records objects with a finalizer: its format records the object of a reference, and the class of the
/// references to such objects is loaded.
pub fn are_recorded(heap: &Heap) -> bool {
    heap.origin.format.names_fields() && heap.classes.named(FINALIZER).is_some()
}

/// Which objects have a pending finalizer?
#[derive(Clone, PartialEq, Eq)]
pub struct FinalizersQuestion;

impl Question for FinalizersQuestion {
    type Answer = Vec<FinalizerRow>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<FinalizerRow>, Cancelled> {
        finalizers(dump, task)
    }

    fn bytes(answer: &Vec<FinalizerRow>) -> usize {
        answer.iter().map(|row| size_of_val(&*row.objects)).sum()
    }
}

/// All objects with a pending finalizer: running, waiting, then registered ones, each by retained size.
pub fn finalizers(dump: DumpData<'_>, task: &Task) -> Result<Vec<FinalizerRow>, Cancelled> {
    let heap = dump.heap;
    let Some(finalizer) = heap.classes.named(FINALIZER) else {
        return Ok(Vec::new());
    };
    task.step("Finding finalizers", Unit::Objects, heap.len() as u64);
    let waiting = queued(dump, finalizer, task)?;
    let running = running(heap, dump.contents);
    let mut groups: BTreeMap<(FinalizerState, ClassId), Vec<ObjectId>> = BTreeMap::new();
    for (at, reference) in shown_of(dump, |of| of == finalizer, task)?.into_iter().enumerate() {
        task.checkpoint_at(at)?;
        // A finalizer that has run has cleared its reference to the object.
        let referent = heap.references(reference).first().filter(|_| heap.has_referent_first(reference));
        let Some(object) = referent.and_then(|&row| ObjectId::from_raw(row)) else { continue };
        let state = match reference {
            r if running.binary_search(&r).is_ok() => FinalizerState::Running,
            r if waiting.contains(r.raw()) => FinalizerState::Waiting,
            _ => FinalizerState::Registered,
        };
        groups.entry((state, heap.class_id(object))).or_default().push(object);
    }
    let row = |((state, class), mut objects): ((FinalizerState, ClassId), Vec<ObjectId>)| {
        objects.sort_unstable();
        let retained = dump.analysis.retained_together(objects.iter().copied());
        FinalizerRow { class, state, objects, retained }
    };
    let mut rows: Vec<FinalizerRow> = groups.into_iter().map(row).collect();
    rows.sort_by(|a, b| a.state.cmp(&b.state).then(b.retained.cmp(&a.retained)).then(a.class.cmp(&b.class)));
    Ok(rows)
}

/// The references in the queue of finalizers.
fn queued(dump: DumpData<'_>, finalizer: ClassId, task: &Task) -> Result<Bits, Cancelled> {
    let heap = dump.heap;
    let mut queued = Bits::new(heap.len());
    let read = |object: ObjectId| dump.contents.fields(heap, object).unwrap_or_default();
    let queue = heap.classes.get(finalizer).object.and_then(|class| field(&read(class), FINALIZER, "queue"));
    let mut next = queue.and_then(|queue| {
        let fields = read(queue);
        // Until JDK 20 the null queue is a subclass, with the same head field.
        field(&fields, "java.lang.ref.ReferenceQueue", "head")
    });
    // The last entry of the queue references itself; a crafted one may have other cycles.
    while let Some(at) = next.filter(|at| at.index() < heap.len() && queued.insert(at.raw())) {
        task.checkpoint()?;
        next = field(&read(at), "java.lang.ref.Reference", "next");
    }
    Ok(queued)
}

/// Objects held by the finalizer thread in the frame that runs a finalizer.
fn running(heap: &Heap, contents: &dyn ThreadStacks) -> Vec<ObjectId> {
    let owners = contents.stack_owners();
    let is_theirs = |thread: ObjectId| *heap.class(thread).name == *THREAD;
    let theirs = (0..).zip(&owners).filter(|(_, owner)| owner.object.is_some_and(is_theirs)).map(|(at, _)| at);
    // There is one; a crafted dump may have many, each with a long stack.
    let frames = theirs.take(16).flat_map(|at| contents.whole_stack(at).frames);
    let of_run = frames.filter(|frame| frame.method == RUNNING);
    let mut running: Vec<ObjectId> = of_run.flat_map(|frame| frame.locals).map(|local| local.object).collect();
    running.sort_unstable();
    running
}

fn field(fields: &[Field], declared_by: &str, name: &str) -> Option<ObjectId> {
    fields.iter().find(|f| f.name == name && f.declared_by == declared_by).map(|f| f.value).and_then(Value::object)
}
