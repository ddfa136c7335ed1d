//! The dominator tree, one level at a time: what hangs directly below an
//! object, biggest first. Levels are sorted when somebody looks at them; one
//! may have ten million rows.

use crate::graph::order::{ascending, by_rank, descending};
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// By what a level is sorted. Ties go by address, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelOrder {
    /// Biggest retained size first.
    #[default]
    Retained,
    /// Biggest shallow size first.
    Shallow,
    /// Most dominated objects first.
    Dominated,
    /// Class name, then biggest retained size.
    Class,
    /// Address order.
    Address,
}

impl LevelOrder {
    /// All orders.
    pub const ALL: [Self; 5] = [Self::Retained, Self::Shallow, Self::Dominated, Self::Class, Self::Address];

    /// The column of csv and json that it goes by.
    pub fn key(self) -> &'static str {
        match self {
            Self::Retained => "retained_bytes",
            Self::Shallow => "shallow_bytes",
            Self::Dominated => "dominated",
            Self::Class => "class",
            Self::Address => "id",
        }
    }

    /// The order that goes by a column.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.key() == key)
    }
}

/// The objects directly below `parent` (`None`: those that nothing but roots
/// dominate) whose class passes `keep`, in `order`, or in the opposite one when `reversed`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn level(
    heap: &Heap,
    analyzed: &Analyzed,
    parent: Option<ObjectId>,
    keep: impl Fn(ClassId) -> bool,
    (order, reversed): (LevelOrder, bool),
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let mut rows = Vec::new();
    for (at, object) in analyzed.dominator_children(parent).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if keep(heap.class_id(object)) {
            rows.push(object);
        }
    }
    in_order(heap, analyzed, rows, (order, reversed), task)
}

/// `objects` in `order`, or in the opposite one when `reversed`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn in_order(
    heap: &Heap,
    analyzed: &Analyzed,
    objects: Vec<ObjectId>,
    (order, reversed): (LevelOrder, bool),
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let mut rows: Vec<u32> = objects.into_iter().map(ObjectId::raw).collect();
    let of = |key: &(dyn Fn(ObjectId) -> u64 + Sync), row| ObjectId::from_raw(row).map_or(0, key);
    rows = match order {
        LevelOrder::Retained => descending(rows, |row| of(&|o| analyzed.retained(o).0, row), task)?,
        LevelOrder::Shallow => descending(rows, |row| of(&|o| heap.shallow(o).0, row), task)?,
        LevelOrder::Dominated => descending(rows, |row| of(&|o| analyzed.dominated(o), row), task)?,
        LevelOrder::Class => {
            let ranks = class_ranks(heap);
            let rank = |o| ranks.get(heap.class_id(o).index()).copied().unwrap_or(u32::MAX);
            rows = descending(rows, |row| of(&|o| analyzed.retained(o).0, row), task)?;
            by_rank(&rows, |row| ObjectId::from_raw(row).map_or(u32::MAX, rank), task)?
        }
        LevelOrder::Address => {
            ascending(&mut rows, task)?;
            rows
        }
    };
    if reversed {
        rows.reverse();
    }
    Ok(rows.into_iter().filter_map(ObjectId::from_raw).collect())
}

/// Where `object` stands among `rows`, a level as [`level`] gave it for the
/// same `order`. Costs a few comparisons, however long the level is.
pub fn position(
    heap: &Heap,
    analyzed: &Analyzed,
    rows: &[ObjectId],
    order: LevelOrder,
    reversed: bool,
    object: ObjectId,
) -> Option<usize> {
    let biggest = |key: &dyn Fn(ObjectId) -> u64, a: ObjectId| key(object).cmp(&key(a));
    let compare = |a: ObjectId| {
        let by_key = match order {
            LevelOrder::Retained => biggest(&|o| analyzed.retained(o).0, a),
            LevelOrder::Shallow => biggest(&|o| heap.shallow(o).0, a),
            LevelOrder::Dominated => biggest(&|o| analyzed.dominated(o), a),
            LevelOrder::Class => {
                let name = |o| (&heap.class(o).name, heap.class_id(o));
                name(a).cmp(&name(object)).then_with(|| biggest(&|o| analyzed.retained(o).0, a))
            }
            LevelOrder::Address => std::cmp::Ordering::Equal,
        };
        let forwards = by_key.then(a.cmp(&object));
        if reversed { forwards.reverse() } else { forwards }
    };
    rows.binary_search_by(|&a| compare(a)).ok()
}

/// Place of each class in the order of names, so that rows compare numbers.
fn class_ranks(heap: &Heap) -> Vec<u32> {
    let mut by_name: Vec<_> = heap.classes.iter().collect();
    by_name.sort_by(|a, b| a.1.name.cmp(&b.1.name).then(a.0.cmp(&b.0)));
    let mut rank = vec![0; heap.classes.len()];
    for (place, (class, _)) in by_name.into_iter().enumerate() {
        rank[class.index()] = place as u32;
    }
    rank
}
