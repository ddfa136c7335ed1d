//! The dominator tree, one level at a time: what hangs directly below an
//! object, biggest first. Levels are sorted when somebody looks at them; one
//! may have ten million rows.

use rayon::prelude::*;

use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};

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

/// The objects directly below `parent` (`None`: those that nothing but roots
/// dominate), in `order`, or in the opposite one when `reversed`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn level(
    heap: &Heap,
    analyzed: &Analyzed,
    parent: Option<ObjectId>,
    order: LevelOrder,
    reversed: bool,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let mut rows: Vec<ObjectId> = analyzed.dominator_children(parent).collect();
    task.checkpoint()?;
    // Keys are looked up once a row, not once a comparison: each look-up is a cache miss.
    let descending = |key: &(dyn Fn(ObjectId) -> u64 + Sync), rows: &mut Vec<ObjectId>| {
        let mut keyed: Vec<_> = rows.par_iter().map(|&o| (std::cmp::Reverse(key(o)), o)).collect();
        keyed.par_sort_unstable();
        *rows = keyed.into_par_iter().map(|(_, o)| o).collect();
    };
    match order {
        LevelOrder::Retained => descending(&|o| analyzed.retained(o).0, &mut rows),
        LevelOrder::Shallow => descending(&|o| heap.shallow(o).0, &mut rows),
        LevelOrder::Dominated => descending(&|o| analyzed.dominated(o), &mut rows),
        LevelOrder::Class => {
            let rank = class_ranks(heap);
            let key = |&o: &ObjectId| (rank.get(heap.class_id(o).index()), std::cmp::Reverse(analyzed.retained(o)), o);
            let mut keyed: Vec<_> = rows.par_iter().map(key).collect();
            keyed.par_sort_unstable();
            rows = keyed.into_par_iter().map(|(_, _, o)| o).collect();
        }
        LevelOrder::Address => rows.par_sort_unstable(),
    }
    task.checkpoint()?;
    if reversed {
        rows.reverse();
    }
    Ok(rows)
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
