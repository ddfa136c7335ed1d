//! The dominator tree, one level at a time: children of an
//! object, largest first. Levels are sorted on demand; one
//! may have ten million rows.

pub mod chains;
pub mod drops;
pub mod folding;
mod order;
pub mod parts;
pub mod rows;
pub mod shared;
mod top;

use std::collections::HashMap;

use self::folding::BaselineSize;
use self::order::{RowWeights, ordered, place_of};
use heaplens_base::task::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::figures::Figure;
use heaplens_core::heap::ids::ObjectId;

/// Sort order of a level. Ties go by address, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelOrder {
    /// Largest retained size first.
    #[default]
    Retained,
    /// Largest shallow size first.
    Shallow,
    /// Most dominated objects first.
    Dominated,
    /// Class name, then largest retained size.
    Class,
    /// Address order.
    Address,
    /// Heap name, in dumps with several heaps, then largest retained size.
    Region,
    /// Largest value first of a figure that only some dumps have.
    Figure(Figure),
    /// Largest growth of retained size first; only in comparisons, and not on the command line.
    Growth,
}

impl LevelOrder {
    /// Orders available for every dump.
    pub const ALL: [Self; 5] = [Self::Retained, Self::Shallow, Self::Dominated, Self::Class, Self::Address];

    /// Key of the CSV and JSON column it sorts by.
    pub fn key(self) -> &'static str {
        match self {
            Self::Retained | Self::Growth => "retained_bytes",
            Self::Shallow => "shallow_bytes",
            Self::Dominated => "dominated",
            Self::Class => "class",
            Self::Address => "id",
            Self::Region => "heap",
            Self::Figure(figure) => figure.key(),
        }
    }

    /// Orders available for a dump.
    pub fn all(heap: &Heap, analysis: &Analysis) -> Vec<Self> {
        let region = heap.regions().is_some().then_some(Self::Region);
        Self::ALL.into_iter().chain(region).chain(analysis.figures().map(Self::Figure)).collect()
    }
}

/// The children of `parent` in the dominator tree (`None`: objects that only roots
/// dominate) that pass `keep`, in `order`, or in the opposite one when `reversed`.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn level(
    heap: &Heap,
    analysis: &Analysis,
    parent: Option<ObjectId>,
    keep: impl Fn(ObjectId) -> bool,
    (order, reversed): (LevelOrder, bool),
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let mut rows = Vec::new();
    for (at, object) in analysis.dominator_children(parent).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        if keep(object) {
            rows.push(object);
        }
    }
    in_order(heap, analysis, rows, (order, reversed), None, task)
}

/// `objects` in `order`, or in the opposite one when `reversed`; `then` returns their retained size in the baseline.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn in_order(
    heap: &Heap,
    analysis: &Analysis,
    objects: Vec<ObjectId>,
    (order, reversed): (LevelOrder, bool),
    then: Option<&BaselineSize<'_>>,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let rows: Vec<u32> = objects.into_iter().map(ObjectId::raw).collect();
    let measured = RowWeights { heap, analysis, folds: &HashMap::new(), then };
    let rows = ordered(&measured, rows, (order, reversed), task)?;
    Ok(rows.into_iter().filter_map(ObjectId::from_raw).collect())
}

/// Index of `object` among `rows`, a level returned by [`level`] for the
/// same `order`. Costs a few comparisons, however long the level is.
pub fn position(
    heap: &Heap,
    analysis: &Analysis,
    rows: &[ObjectId],
    order: LevelOrder,
    reversed: bool,
    object: ObjectId,
) -> Option<usize> {
    place_of(&RowWeights { heap, analysis, folds: &HashMap::new(), then: None }, rows, (order, reversed), object)
}
