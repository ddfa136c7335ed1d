//! The dominator tree, one level at a time: [`level`] lists the children of an object, largest first, sorted on demand;
//! one may have ten million rows.
//!
//! [`folding`] makes one row of many: of [`chains`], of siblings of a class, of objects [`shared`] by the same owners.
//! [`grouped`] is the same rows as a tree for charts; [`group_owner()`] names what holds the objects of such a row,
//! [`Lead`] is what a row leads with.
//! [`drops`] finds accumulation points.

pub mod chains;
pub mod drops;
pub mod fold;
pub mod folding;
mod group_owner;
pub mod grouped;
mod lead;
mod level_order;
mod order;
pub mod parts;
pub mod rows;
pub mod shared;
mod top;

pub use self::drops::DropRule;
pub use self::fold::{Fold, FoldKind};
pub use self::folding::FoldInputs;
pub use self::group_owner::group_owner;
pub use self::grouped::{GroupRow, GroupedTree, TreeRow};
pub use self::lead::{Lead, lead_of_group, lead_of_object};
pub use self::level_order::{BaselineSize, LevelOrder};
pub use self::parts::{GroupId, LevelForm, LevelPart, Partition, PartitionBy, Source};
pub use self::shared::{Shared, SharedQuestion};

use std::collections::HashMap;

use self::order::{RowWeights, index_of_parent, ordered};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// The children of `parent` in the dominator tree (`None`: objects that only roots
/// dominate) that pass `keep`, in `order`, or in the opposite one when `reversed`.
pub fn level(
    dump: DumpData<'_>,
    parent: Option<ObjectId>,
    keep: impl Fn(ObjectId) -> bool,
    (order, reversed): (LevelOrder, bool),
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let mut rows = Vec::new();
    for object in dump.analysis.dominator_children(parent) {
        task.checkpoint()?;
        if keep(object) {
            rows.push(object);
        }
    }
    in_order(dump, rows, (order, reversed), None, task)
}

/// `objects` in `order`, or in the opposite one when `reversed`; `then` returns their retained size in the baseline.
pub fn in_order(
    dump: DumpData<'_>,
    objects: Vec<ObjectId>,
    (order, reversed): (LevelOrder, bool),
    then: Option<&BaselineSize<'_>>,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    let rows: Vec<u32> = objects.into_iter().map(ObjectId::raw).collect();
    let measured = RowWeights { dump, folds: &HashMap::new(), then };
    let rows = ordered(&measured, rows, (order, reversed), task)?;
    Ok(rows.into_iter().filter_map(ObjectId::from_raw).collect())
}

/// Index of `object` among `rows`, a level returned by [`level`] for the
/// same `order`. Costs a few comparisons, however long the level is.
pub fn position(
    dump: DumpData<'_>,
    rows: &[ObjectId],
    order: LevelOrder,
    reversed: bool,
    object: ObjectId,
) -> Option<usize> {
    index_of_parent(&RowWeights { dump, folds: &HashMap::new(), then: None }, rows, (order, reversed), object)
}
