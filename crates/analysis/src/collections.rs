//! Collections by class: number of empty ones, fill ratio of the others, and bytes of unused capacity.

use crate::answer_file::AnswerFile;
use crate::answers::{DumpData, Question};
use rayon::prelude::*;

use heaplens_base::{Bytes, Cancelled, Share, Task, Unit};
use heaplens_heap::{ClassId, Heap, LogicalCollection, ObjectId, Role};
use serde::{Deserialize, Serialize};

/// Rows read between two checkpoints: each may be a collection.
const ROWS: usize = 1 << 14;

/// The collections of a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionRow {
    /// Number of collections.
    pub objects: u64,
    /// Number of elements or entries in all of them.
    pub elements: u64,
    /// Number of empty collections.
    pub empty: u64,
    /// Number of collections with one element.
    pub single: u64,
    /// Number of non-empty collections that use less than a quarter of their capacity.
    pub sparse: u64,
    /// Capacity of the array-based ones, in elements.
    pub capacity: u64,
    /// Number of elements in the array-based ones.
    pub filled: u64,
    /// Bytes of the collections and their arrays.
    pub shallow: Bytes,
    /// Bytes of unused capacity; for empty collections the whole arrays.
    pub wasted: Bytes,
}

impl CollectionRow {
    /// Used share of the capacity; `None` if there is no capacity.
    pub fn fill_ratio(&self) -> Option<Share> {
        // Hash buckets may hold several entries: the share is capped at 1.
        (self.capacity > 0).then(|| Share { part: self.filled.min(self.capacity), total: self.capacity })
    }

    fn add(&mut self, other: &Self) {
        self.objects += other.objects;
        self.elements = self.elements.saturating_add(other.elements);
        self.empty += other.empty;
        self.single += other.single;
        self.sparse += other.sparse;
        self.capacity = self.capacity.saturating_add(other.capacity);
        self.filled = self.filled.saturating_add(other.filled);
        self.shallow += other.shallow;
        self.wasted += other.wasted;
    }

    /// One collection.
    fn of(heap: &Heap, collection: ObjectId, logical: &LogicalCollection) -> Self {
        let size = logical.size;
        // The collection inside a wrapper is a row of its own, and its bytes count there.
        let room: Bytes = logical.own_backing().iter().map(|&array| heap.shallow(array)).sum();
        Self {
            objects: 1,
            elements: size,
            empty: u64::from(size == 0),
            single: u64::from(size == 1),
            sparse: u64::from(logical.is_sparse()),
            capacity: logical.capacity.unwrap_or(0),
            filled: logical.capacity.map_or(0, |_| size),
            shallow: heap.shallow(collection) + room,
            wasted: logical.unused(heap),
        }
    }
}

/// How full are the collections, by class?
#[derive(Clone, PartialEq, Eq)]
pub struct CollectionsQuestion;

impl Question for CollectionsQuestion {
    type Answer = Vec<(ClassId, CollectionRow)>;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Vec<(ClassId, CollectionRow)>, Cancelled> {
        collections(dump, task)
    }

    fn file(&self) -> Option<AnswerFile<Vec<(ClassId, CollectionRow)>>> {
        Some(AnswerFile::json("collections", &()))
    }
}

/// Collections by class, most wasted bytes first, ties by bytes, then by name.
pub fn collections(dump: DumpData<'_>, task: &Task) -> Result<Vec<(ClassId, CollectionRow)>, Cancelled> {
    let heap = dump.heap;
    task.step("Reading collections", Unit::Objects, heap.len() as u64);
    let collection: Vec<bool> =
        heap.classes.iter().map(|(class, _)| dump.contents.role(class) == Role::Collection).collect();
    let empty = || vec![CollectionRow::default(); heap.classes.len()];
    let merged = |mut all: Vec<CollectionRow>, some: Vec<CollectionRow>| {
        all.iter_mut().zip(&some).for_each(|(all, some)| all.add(some));
        all
    };
    // A few long runs, not one per block: each has a row for every class.
    let runs = rayon::current_num_threads() * 4;
    let per_run = heap.len().div_ceil(runs).max(1);
    let runs = (0..runs).into_par_iter().with_max_len(1).map(|run| {
        let mut rows = empty();
        let end = heap.len().min((run + 1) * per_run);
        for block in (run * per_run..end).step_by(ROWS) {
            let block = block..end.min(block + ROWS);
            task.advance_checked(block.len() as u64)?;
            for object in block.filter_map(ObjectId::new) {
                let class = heap.class_id(object).index();
                if !collection.get(class).is_some_and(|&collection| collection) || !dump.analysis.is_reachable(object) {
                    continue;
                }
                if let (Some(row), Some(logical)) = (rows.get_mut(class), dump.contents.logical(heap, object, 0..0)) {
                    row.add(&CollectionRow::of(heap, object, &logical));
                }
            }
        }
        Ok(rows)
    });
    let rows = runs.try_reduce(empty, |all, some| Ok(merged(all, some)))?;
    let mut rows: Vec<(ClassId, CollectionRow)> =
        heap.classes.iter().map(|(class, _)| class).zip(rows).filter(|(_, row)| row.objects > 0).collect();
    let name = |class: ClassId| &heap.classes.get(class).name;
    rows.sort_by(|(a, x), (b, y)| {
        let size = y.wasted.cmp(&x.wasted).then(y.shallow.cmp(&x.shallow));
        size.then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b))
    });
    Ok(rows)
}
