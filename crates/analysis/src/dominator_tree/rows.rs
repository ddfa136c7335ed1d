//! Rows of a computed level: the objects behind each, the position of an object, and the level that each expands to.

use std::collections::HashMap;

use super::fold::{Fold, FoldKind};
use super::order::{RowWeights, index_of_parent};
use super::parts::{LevelPart, Partition, PartitionBy, Source};
use super::{drops::LargestChild, level_order::LevelOrder, shared::Shared};
use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::{Analysis, ClassId, Heap, ObjectId};

/// The rows of a level in their order.
#[derive(Debug, Default)]
pub struct Rows {
    /// Representative object of each row.
    pub rows: Vec<ObjectId>,
    pub(super) folds: HashMap<ObjectId, Fold>,
    pub(super) drops: HashMap<ObjectId, LargestChild>,
    pub(super) groups: HashMap<ClassId, ObjectId>,
    pub(super) sets: HashMap<u32, ObjectId>,
    pub(super) chain: Option<ObjectId>,
    /// Retained size from which objects are not grouped.
    pub(super) alone: Bytes,
    /// Grouping criterion.
    pub(super) by: PartitionBy,
    pub(super) order: (LevelOrder, bool),
}

impl Rows {
    /// Objects behind a row, if it is more than its own object.
    pub fn fold(&self, object: ObjectId) -> Option<&Fold> {
        self.folds.get(&object)
    }

    /// Largest child of a row marked as an accumulation point.
    pub fn drop_at(&self, object: ObjectId) -> Option<LargestChild> {
        self.drops.get(&object).copied()
    }

    /// Row of a representative object.
    pub fn position(&self, dump: DumpData<'_>, object: ObjectId) -> Option<usize> {
        index_of_parent(&RowWeights { dump, folds: &self.folds, then: None }, &self.rows, self.order, object)
    }

    /// Level that the row of `object` expands to; `None` if it has no children. `part` is the level of these rows.
    pub fn below(&self, analysis: &Analysis, part: LevelPart, object: ObjectId) -> Option<LevelPart> {
        let complete = |source| Some(LevelPart { source, only: None });
        match self.fold(object).map(|fold| &fold.kind) {
            Some(FoldKind::Chain { chain, .. }) => complete(Source::Chain(*chain)),
            Some(FoldKind::Members(chain)) => complete(Source::Members(*chain)),
            Some(FoldKind::Group(by, class)) => Some(LevelPart { only: Some((*by, *class)), ..part }),
            Some(FoldKind::Shared(set)) => complete(Source::Shared(*set)),
            None if matches!(part.source, Source::Members(_)) || analysis.dominated_count(object) == 0 => None,
            None => Some(LevelPart::below(object)),
        }
    }

    /// Object of the row that expands to `part`, if any.
    pub fn unfolds_to(&self, part: LevelPart) -> Option<ObjectId> {
        match (part.only, part.source) {
            (Some((_, class)), _) => self.groups.get(&class).copied(),
            (None, Source::Shared(set)) => self.sets.get(&set).copied(),
            (None, Source::Chain(chain) | Source::Members(chain)) => Some(chain.head),
            (None, Source::Below(object)) => object,
        }
    }

    /// Representative of the row that contains `object` of this level: itself, or that of its group.
    pub fn row_of(
        &self,
        (heap, analysis): (&Heap, &Analysis),
        partition: &Partition,
        shared: Option<&Shared>,
        object: ObjectId,
    ) -> ObjectId {
        let set = shared.filter(|_| !self.sets.is_empty()).and_then(|shared| shared.row_of(object));
        let in_set = set.and_then(|set| self.sets.get(&set));
        let class = heap.class_id(object);
        let key = if self.by == PartitionBy::Class { class } else { partition.group_of(heap, object) };
        let in_group = || self.groups.get(&key).filter(|_| analysis.retained(object) < self.alone);
        let group = in_set.or_else(in_group).copied();
        group.unwrap_or(object)
    }
}
