//! The rows of a level once they are found: what each stands for, where an
//! object is among them, and what each unfolds to.

use std::collections::HashMap;

use super::LevelOrder;
use super::chains::Chain;
use super::drops::Biggest;
use super::order::{Measured, place_of};
use super::parts::{By, Part, Partition, Source};
use super::shared::Shared;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::figures::Amounts;
use crate::heap::ids::{ClassId, ObjectId};
use crate::units::Bytes;

/// A row that stands for several objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Fold {
    /// What they have in common.
    pub kind: FoldKind,
    /// How many they are.
    pub objects: u64,
    /// What they take by themselves, together.
    pub shallow: Bytes,
    /// What they keep alive together, each byte once.
    pub retained: Bytes,
    /// How many further objects they keep alive.
    pub dominated: u64,
    /// What those of them retained together in another dump that were there, if they are compared with one.
    pub then: Option<Bytes>,
    /// Figures that only some dumps have.
    pub amounts: Amounts,
}

/// What the objects of a row have in common.
#[derive(Debug, Clone, PartialEq)]
pub enum FoldKind {
    /// Each dominates the next.
    Chain {
        /// The chain.
        chain: Chain,
        /// The names by which each refers to the next: `next`; empty where nobody can say.
        via: Box<str>,
    },
    /// They are the chain that the level hangs off.
    Members(Chain),
    /// They are of one class, package or loader, which a class stands for.
    Group(By, ClassId),
    /// They are shared by the same owners.
    Shared(u32),
}

/// The rows of a level in their order.
#[derive(Debug, Default)]
pub struct Rows {
    /// The object of each row.
    pub rows: Vec<ObjectId>,
    pub(super) folds: HashMap<ObjectId, Fold>,
    pub(super) drops: HashMap<ObjectId, Biggest>,
    pub(super) groups: HashMap<ClassId, ObjectId>,
    pub(super) sets: HashMap<u32, ObjectId>,
    pub(super) chain: Option<ObjectId>,
    /// Objects that retain at least so much are in no group.
    pub(super) alone: Bytes,
    /// By what groups are put together.
    pub(super) by: By,
    pub(super) order: (LevelOrder, bool),
}

impl Rows {
    /// What a row stands for, if not for its object alone.
    pub fn fold(&self, object: ObjectId) -> Option<&Fold> {
        self.folds.get(&object)
    }

    /// What is biggest below the object of a row that is marked: what it holds is not in one piece.
    pub fn drop_at(&self, object: ObjectId) -> Option<Biggest> {
        self.drops.get(&object).copied()
    }

    /// By what the rows are sorted, and whether the other way round.
    pub fn order(&self) -> (LevelOrder, bool) {
        self.order
    }

    /// The row of an object that stands for a row.
    pub fn position(&self, heap: &Heap, analyzed: &Analyzed, object: ObjectId) -> Option<usize> {
        place_of(&Measured { heap, analyzed, folds: &self.folds, then: None }, &self.rows, self.order, object)
    }

    /// The part that the row of `object` unfolds to; `None` if there is nothing below it. `part` is that of these rows.
    pub fn below(&self, analyzed: &Analyzed, part: Part, object: ObjectId) -> Option<Part> {
        let whole = |source| Some(Part { source, only: None });
        match self.fold(object).map(|fold| &fold.kind) {
            Some(FoldKind::Chain { chain, .. }) => whole(Source::Chain(*chain)),
            Some(FoldKind::Members(chain)) => whole(Source::Members(*chain)),
            Some(FoldKind::Group(by, class)) => Some(Part { only: Some((*by, *class)), ..part }),
            Some(FoldKind::Shared(set)) => whole(Source::Shared(*set)),
            None if matches!(part.source, Source::Members(_)) || analyzed.dominated(object) == 0 => None,
            None => Some(Part::below(object)),
        }
    }

    /// The object of the row that unfolds to `part`, if one of these does.
    pub fn unfolds_to(&self, part: Part) -> Option<ObjectId> {
        match (part.only, part.source) {
            (Some((_, class)), _) => self.groups.get(&class).copied(),
            (None, Source::Shared(set)) => self.sets.get(&set).copied(),
            (None, Source::Chain(chain) | Source::Members(chain)) => Some(chain.head),
            (None, Source::Below(object)) => object,
        }
    }

    /// The object of the row that `object`, which is of this level, stands in: its own, or that of its group.
    pub fn row_of(
        &self,
        (heap, analyzed): (&Heap, &Analyzed),
        partition: &Partition,
        shared: Option<&Shared>,
        object: ObjectId,
    ) -> ObjectId {
        let set = shared.filter(|_| !self.sets.is_empty()).and_then(|shared| shared.row_of(object));
        let in_set = set.and_then(|set| self.sets.get(&set));
        let class = heap.class_id(object);
        let key = if self.by == By::Class { class } else { partition.group_of(heap, object) };
        let in_group = || self.groups.get(&key).filter(|_| analyzed.retained(object) < self.alone);
        let group = in_set.or_else(in_group).copied();
        group.unwrap_or(object)
    }
}
