//! A location where memory accumulates.

use std::{cmp::Reverse, collections::HashSet};

use rayon::prelude::*;

use super::query::LeakQuery;
use crate::{dominator_tree::chains::Chain, structure::Container};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_core::heap::{Analysis, Heap, ObjectId};

/// Percentage of an object's retained size above which its largest child is examined instead.
const MOST_OF_IT: u64 = 80;

/// Kind of location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A collection of the runtime's library.
    Collection,
    /// An array of references.
    Array,
    /// An array of numbers.
    Data,
    /// Linked objects of one class.
    Chain,
    /// Objects of one class that branch, such as the inner nodes of a tree.
    Tree,
    /// An object with many fields.
    Object,
    /// Many objects of one class directly below another object.
    Siblings,
    /// Objects that the same owners share.
    Shared,
    /// The values of one thread local in several threads.
    ThreadLocals,
    /// Threads whose names differ only in numbers.
    Threads,
    /// Objects that await finalization.
    Finalizers,
    /// Pending actions of a cleaner.
    Cleaners,
    /// One of several class loaders that define the same class.
    Loader,
}

/// A location where memory accumulates.
#[derive(Debug, Clone)]
pub(super) struct AccumulationPoint {
    /// Kind of location.
    pub(super) shape: Shape,
    /// The collection, array, head of the chain or object; of several, the largest.
    pub(super) unit: ObjectId,
    /// The accumulation point: the unit itself or an object below it.
    pub(super) point: ObjectId,
    /// The chain that starts there.
    pub(super) chain: Option<Chain>,
    /// All objects of the location, by address; empty for a single one.
    pub(super) members: Vec<ObjectId>,
    /// Owners of shared objects; empty if there are too many.
    pub(super) owners: Vec<ObjectId>,
    /// Structures that hold shared objects directly, those that hold most first.
    pub(super) containers: Vec<Container>,
    /// Common parent in the dominator tree; `None` of a single object, and at the top of the tree.
    pub(super) within: Option<ObjectId>,
    /// True if the runtime retains them without any application object.
    pub(super) is_of_runtime: bool,
}

impl AccumulationPoint {
    pub(super) fn one(shape: Shape, unit: ObjectId, point: ObjectId) -> Self {
        Self {
            shape,
            unit,
            point,
            chain: None,
            members: Vec::new(),
            owners: Vec::new(),
            containers: Vec::new(),
            within: None,
            is_of_runtime: false,
        }
    }

    /// A location of sibling objects in address order, named by the largest. `None` if their combined retained size is
    /// below `least`.
    pub(super) fn of_several(shape: Shape, members: Vec<ObjectId>, analysis: &Analysis, least: Bytes) -> Option<Self> {
        let sizes = members.par_iter().map(|&member| {
            let size = analysis.retained(member);
            (size, (size, Reverse(member)))
        });
        let (retained, (_, Reverse(biggest))) =
            sizes.reduce_with(|one, other| (one.0 + other.0, one.1.max(other.1)))?;
        (retained >= least).then(|| Self { members, ..Self::one(shape, biggest, biggest) })
    }

    /// Retained size; of several objects, the sum.
    pub(super) fn retained(&self, analysis: &Analysis) -> Bytes {
        if self.members.is_empty() {
            return analysis.retained(self.unit);
        }
        self.members.par_iter().map(|&member| analysis.retained(member)).reduce(|| Bytes(0), |one, other| one + other)
    }

    /// The objects of the location.
    pub(super) fn tops(&self) -> &[ObjectId] {
        if self.members.is_empty() { std::slice::from_ref(&self.unit) } else { &self.members }
    }

    pub(super) fn class_name<'a>(&self, heap: &'a Heap) -> &'a str {
        &heap.class(self.unit).name
    }
}

/// True if `part` is most of `whole`.
pub(super) fn is_most(part: Bytes, whole: Bytes) -> bool {
    u128::from(part.0) * 100 >= u128::from(whole.0) * u128::from(MOST_OF_IT)
}

/// Adds a location for each group of objects that retains enough, with its owners, and removes the locations within it.
pub(super) fn put_together(
    shape: Shape,
    groups: impl IntoIterator<Item = (Vec<ObjectId>, Vec<ObjectId>)>,
    question: LeakQuery<'_>,
    places: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let (analysis, mut taken, mut found) = (question.namer.analysis, Vec::new(), Vec::new());
    for (mut members, owners) in groups {
        task.checkpoint()?;
        members.sort_unstable();
        if let Some(place) = AccumulationPoint::of_several(shape, members, analysis, question.least) {
            taken.extend(&place.members);
            found.push(AccumulationPoint { owners, ..place });
        }
    }
    without(analysis, places, &taken);
    places.append(&mut found);
    Ok(())
}

/// Removes locations within some objects, and those that hold little besides them.
fn without(analysis: &Analysis, places: &mut Vec<AccumulationPoint>, taken: &[ObjectId]) {
    let tops: HashSet<ObjectId> = taken.iter().copied().collect();
    let is_within = |object: ObjectId| {
        let mut at = Some(object);
        // No location is deeper.
        for _ in 0..256 {
            match at {
                Some(object) if tops.contains(&object) => return true,
                Some(object) => at = analysis.immediate_dominator(object),
                None => return false,
            }
        }
        false
    };
    let mut by_place: Vec<(u32, Bytes)> =
        taken.iter().filter_map(|&top| Some((analysis.place(top)?, analysis.retained(top)))).collect();
    by_place.sort_unstable();
    places.retain(|place| {
        if place.tops().iter().all(|&top| is_within(top)) {
            return false;
        }
        let inside = |&top: &ObjectId| {
            let begin = analysis.place(top).unwrap_or(0);
            let end = begin.saturating_add(analysis.dominated_count(top) as u32);
            let from = by_place.partition_point(|&(place, _)| place < begin);
            by_place[from..].iter().take_while(|&&(place, _)| place <= end).map(|&(_, bytes)| bytes).sum::<Bytes>()
        };
        let inside: Bytes = place.tops().iter().map(inside).sum();
        inside.0.saturating_mul(2) < place.retained(analysis).0.max(1)
    });
}
