//! The part of the overview that is computed from columns as soon as the dump is open.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use super::health::{Fact, health};
use super::runtime_rule::RuntimeRule;
use crate::answers::DumpData;
use crate::native_memory::OutsideHeap;
use crate::out_of_memory::{MemoryErrors, MemoryErrorsQuestion};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::{ClassId, Heap, ImportNote, MemoryType, ObjectId, Snapshot};
use serde::{Deserialize, Serialize};

/// Maximum number of rows per list.
const ROWS: usize = 10;
/// An object of a snapshot with less than one part in so many of the heap is no large one.
const PARTS: u64 = 1_000;

/// The part of the overview that is known at once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeapSummary {
    /// The health card.
    pub health: Vec<Fact>,
    /// The `OutOfMemoryError`s that the dump shows.
    pub out_of_memory: Arc<MemoryErrors>,
    /// Totals of the heap.
    pub totals: Totals,
    /// Native memory of its objects.
    pub outside: OutsideHeap,
    /// Objects that retain most and that only objects of the runtime dominate, without those.
    pub objects: Vec<BigObject>,
    /// Objects of the runtime at the top of the dominator tree.
    pub runtime: RuntimeObjects,
    /// Bytes by type of memory, largest first; V8 snapshots only.
    pub memory: Vec<(MemoryType, Bytes)>,
    /// Number and shallow size of detached DOM nodes; V8 snapshots only.
    pub detached: Option<(u64, Bytes)>,
    /// Classes that retain most.
    pub by_retained: Vec<SumRow>,
    /// Classes with the largest shallow size.
    pub by_shallow: Vec<SumRow>,
}

/// Totals of the heap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Reachable objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Objects that no GC root reaches.
    pub unreachable_objects: u64,
    /// Sum of their shallow sizes.
    pub unreachable: Bytes,
    /// Number of classes.
    pub classes: u64,
    /// Number of class loaders that defined a class, the bootstrap loader included.
    pub loaders: u64,
    /// Objects that are GC roots.
    pub gc_roots: u64,
    /// Number of references.
    pub references: u64,
}

/// Objects of a JavaScript engine or of the Java runtime that no object of the program dominates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuntimeObjects {
    /// Number of them.
    pub objects: u64,
    /// What they retain together.
    pub retained: Bytes,
}

/// An object that retains much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BigObject {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// A short label, if its class has one.
    pub label: Option<String>,
    /// Shallow size.
    pub shallow: Bytes,
    /// Retained size.
    pub retained: Bytes,
    /// Number of objects it dominates.
    pub dominated: u64,
}

/// Sums of a class or package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SumRow {
    /// Display name.
    pub name: String,
    /// The class; of a package, the one with the largest retained size.
    pub class: Option<ClassId>,
    /// Number of them.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Combined retained size.
    pub retained: Bytes,
}

/// Computes the part that is known at once. `open_warnings` are warnings about how the dump was opened.
pub fn glance(of: DumpData<'_>, open_warnings: &[ImportNote], task: &Task) -> Result<HeapSummary, Cancelled> {
    task.step("Summarizing the heap", Unit::Objects, 0);
    let heap = of.heap;
    let out_of_memory = of.answer(&MemoryErrorsQuestion, task)?;
    let (largest, runtime) = top(of, task)?;
    Ok(HeapSummary {
        health: health(of, open_warnings, &out_of_memory, task)?,
        out_of_memory,
        totals: totals(of),
        outside: OutsideHeap::of(of),
        objects: largest.into_iter().map(|object| big(of, object)).collect(),
        runtime,
        memory: memory(heap),
        detached: heap.snapshot().map(|snapshot| detached(heap, snapshot)),
        by_retained: classes(of, |row| row.retained),
        by_shallow: classes(of, |row| row.shallow),
    })
}

fn memory(heap: &Heap) -> Vec<(MemoryType, Bytes)> {
    let parts = heap.snapshot().into_iter().flat_map(|snapshot| snapshot.statistics().parts());
    let mut parts: Vec<(MemoryType, Bytes)> = parts.filter(|(_, bytes)| bytes.0 > 0).collect();
    parts.sort_by_key(|&(kind, bytes)| (Reverse(bytes), kind.title()));
    parts
}

fn detached(heap: &Heap, snapshot: &Snapshot) -> (u64, Bytes) {
    let rows = snapshot.detached().iter().copied().filter_map(ObjectId::from_raw);
    rows.fold((0, Bytes(0)), |(count, bytes), object| (count + 1, bytes + heap.shallow(object)))
}

fn totals(dump: DumpData<'_>) -> Totals {
    let DumpData { heap, analysis, .. } = dump;
    let loaders: BTreeSet<Option<ObjectId>> = heap.classes.iter().map(|(_, class)| class.loader).collect();
    Totals {
        objects: analysis.shown.objects,
        shallow: analysis.shown.shallow,
        unreachable_objects: analysis.unreachable.objects,
        unreachable: analysis.unreachable.shallow,
        classes: heap.classes.len() as u64,
        loaders: loaders.len() as u64,
        gc_roots: analysis.roots().objects().len() as u64,
        references: heap.reference_count(),
    }
}

fn big(of: DumpData<'_>, object: ObjectId) -> BigObject {
    let DumpData { heap, contents, analysis, .. } = of;
    BigObject {
        object,
        id: heap.id_text(object),
        class: heap.class(object).name.to_string(),
        label: contents.label(heap, object),
        shallow: heap.shallow(object),
        retained: analysis.retained(object),
        dominated: analysis.dominated_count(object),
    }
}

/// The objects that retain most and that only the runtime dominates, and the sum of those of the runtime at the top.
fn top(of: DumpData<'_>, task: &Task) -> Result<(Vec<ObjectId>, RuntimeObjects), Cancelled> {
    let of_runtime = RuntimeRule::of(of);
    // Below an engine there are thousands of objects of nothing.
    let least = of.heap.snapshot().map_or(1, |_| (of.analysis.shown.shallow.0 / PARTS).max(1));
    let mut largest = Largest { least: Bytes(least), rows: Vec::new() };
    let mut runtime = RuntimeObjects::default();
    // Objects of an engine, which dominates the whole program, largest first.
    let mut above: BinaryHeap<(Bytes, Reverse<ObjectId>)> = BinaryHeap::new();
    for (object, retained) in of.analysis.dominator_children_with_retained(None) {
        task.checkpoint()?;
        if of_runtime.covers(object, retained) {
            runtime.objects += 1;
            runtime.retained += retained;
            if of_runtime.is_of_engine(object) {
                above.push((retained, Reverse(object)));
            }
        } else {
            largest.add(object, retained);
        }
    }
    while let Some((_, Reverse(engine))) = above.pop().filter(|&(retained, _)| largest.takes(retained)) {
        for (object, below) in of.analysis.dominator_children_with_retained(Some(engine)) {
            task.checkpoint()?;
            if !of_runtime.is_of_engine(object) {
                largest.add(object, below);
            } else if largest.takes(below) {
                above.push((below, Reverse(object)));
            }
        }
    }
    Ok((largest.rows.into_iter().map(|(_, object)| object).collect(), runtime))
}

/// The largest objects, at most as many as there are rows.
struct Largest {
    /// Least retained size of a row.
    least: Bytes,
    rows: Vec<(Reverse<Bytes>, ObjectId)>,
}

impl Largest {
    fn add(&mut self, object: ObjectId, retained: Bytes) {
        if self.takes(retained) {
            let key = (Reverse(retained), object);
            self.rows.insert(self.rows.partition_point(|other| *other < key), key);
            self.rows.truncate(ROWS);
        }
    }

    /// True if an object that retains so much may be one of them.
    fn takes(&self, retained: Bytes) -> bool {
        let is_large = |&(Reverse(least), _): &(Reverse<Bytes>, ObjectId)| retained >= least;
        retained >= self.least && (self.rows.len() < ROWS || self.rows.last().is_some_and(is_large))
    }
}

fn classes(dump: DumpData<'_>, key: impl Fn(&SumRow) -> Bytes) -> Vec<SumRow> {
    let row = |(id, class): (ClassId, &heaplens_heap::Class)| {
        let totals = dump.analysis.class_totals(id);
        let retained = dump.analysis.class_retained(id);
        let name = class.name.to_string();
        SumRow { name, class: Some(id), objects: totals.objects, shallow: totals.shallow, retained }
    };
    let listed = dump.heap.classes.iter().filter(|(_, class)| !class.unlisted);
    let mut rows: Vec<SumRow> = listed.map(row).filter(|row| row.objects > 0).collect();
    rows.sort_by(|a, b| {
        let size = key(b).cmp(&key(a)).then(b.retained.cmp(&a.retained));
        size.then_with(|| a.name.cmp(&b.name)).then(a.class.cmp(&b.class))
    });
    rows.truncate(ROWS);
    rows
}
