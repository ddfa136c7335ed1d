//! The part of the overview that is computed from columns as soon as the dump is open.

use std::collections::BTreeSet;
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
    /// Objects that retain most, without those of the runtime.
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
    parts.sort_by_key(|&(kind, bytes)| (std::cmp::Reverse(bytes), kind.title()));
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

/// The objects at the top of the dominator tree that retain most, and the sum of those of the runtime.
fn top(of: DumpData<'_>, task: &Task) -> Result<(Vec<ObjectId>, RuntimeObjects), Cancelled> {
    let of_runtime = RuntimeRule::of(of);
    let mut largest: Vec<(std::cmp::Reverse<Bytes>, ObjectId)> = Vec::new();
    let mut runtime = RuntimeObjects::default();
    for (object, retained) in of.analysis.dominator_children_with_retained(None) {
        task.checkpoint()?;
        if of_runtime.covers(object, retained) {
            runtime.objects += 1;
            runtime.retained += retained;
            continue;
        }
        let key = (std::cmp::Reverse(retained), object);
        if largest.len() < ROWS || largest.last().is_some_and(|last| key < *last) {
            largest.insert(largest.partition_point(|other| *other < key), key);
            largest.truncate(ROWS);
        }
    }
    Ok((largest.into_iter().map(|(_, object)| object).collect(), runtime))
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
