//! A location where memory accumulates.

use std::{cmp::Reverse, collections::HashSet, ops::Range};

use rayon::prelude::*;

use super::query::LeakQuery;
use crate::{dominator_tree::chains::Chain, structure::Container};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Analysis, Heap, ObjectId, Subtree, Totals};

/// Percentage of an object's retained size above which its largest child is examined instead.
const MOST_OF_IT: u64 = 80;
/// Maximum number of levels between a location and an object that contains it.
const LEVELS: usize = 256;
/// Maximum number of steps up to a common dominator.
const STEPS: usize = 64;

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
    /// Positions in the dominator tree of what each member retains; empty if not known yet.
    pub(super) preorders: Vec<Range<u32>>,
    /// Number and bytes of the objects that all members retain, themselves included.
    pub(super) held: Totals,
    /// Owners of shared objects; empty if there are too many.
    pub(super) owners: Vec<ObjectId>,
    /// Structures that hold shared objects directly, those that hold most first.
    pub(super) containers: Vec<Container>,
    /// Common parent in the dominator tree; `None` of a single object, and at the top of the tree.
    pub(super) within: Option<ObjectId>,
    /// True if the collection does not dominate the point, its storage, which a method that is growing it has in a local
    /// variable: a virtual machine that runs out of memory does so mostly there.
    pub(super) is_apart: bool,
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
            preorders: Vec::new(),
            held: Totals::default(),
            owners: Vec::new(),
            containers: Vec::new(),
            within: None,
            is_apart: false,
            is_of_runtime: false,
        }
    }

    /// A location of sibling objects in address order, named by the largest. `None` if their combined retained size is
    /// below `min_bytes`.
    pub(super) fn of_several(
        shape: Shape,
        members: Vec<ObjectId>,
        analysis: &Analysis,
        min_bytes: Bytes,
    ) -> Option<Self> {
        let sizes = members.par_iter().map(|&member| {
            let held = analysis.kept_by(member);
            (held, (held.shallow, Reverse(member)))
        });
        let (held, (_, Reverse(largest))) =
            sizes.reduce_with(|one, other| (one.0.plus(other.0), one.1.max(other.1)))?;
        (held.shallow >= min_bytes).then(|| Self { members, held, ..Self::one(shape, largest, largest) })
    }

    /// [`AccumulationPoint::of_several`] given the subtrees of the members.
    pub(super) fn of_subtrees(
        shape: Shape,
        subtrees: impl ExactSizeIterator<Item = Subtree>,
        min_bytes: Bytes,
    ) -> Option<Self> {
        let (mut members, mut preorders) = (Vec::with_capacity(subtrees.len()), Vec::with_capacity(subtrees.len()));
        let (mut held, mut largest) = (Totals::default(), None);
        for Subtree { object, preorder, dominated, retained } in subtrees {
            members.push(object);
            preorders.push(preorder..preorder + dominated + 1);
            held.add(Totals { objects: u64::from(dominated) + 1, shallow: retained });
            largest = largest.max(Some((retained, Reverse(object))));
        }
        let (_, Reverse(largest)) = largest?;
        (held.shallow >= min_bytes).then(|| Self { members, preorders, held, ..Self::one(shape, largest, largest) })
    }

    /// Positions in the dominator tree of what the location retains, ascending.
    pub(super) fn runs(&self, analysis: &Analysis) -> Vec<Range<u32>> {
        let mut runs = self.preorders.clone();
        if runs.is_empty() {
            runs = self.tops().par_iter().filter_map(|&top| analysis.subtree(top)).collect();
        }
        runs.par_sort_unstable_by_key(|run| run.start);
        runs
    }

    /// Objects and bytes that the location retains; of several objects, the sum.
    pub(super) fn totals(&self, analysis: &Analysis) -> Totals {
        match self.tops() {
            [one] if self.members.is_empty() => analysis.kept_by(*one),
            _ => self.held,
        }
    }

    /// Retained size; of several objects, the sum.
    pub(super) fn retained(&self, analysis: &Analysis) -> Bytes {
        self.totals(analysis).shallow
    }

    /// The objects of the location.
    pub(super) fn tops(&self) -> &[ObjectId] {
        match self.members.as_slice() {
            [] if self.is_apart => std::slice::from_ref(&self.point),
            [] => std::slice::from_ref(&self.unit),
            members => members,
        }
    }

    pub(super) fn class_name<'a>(&self, heap: &'a Heap) -> &'a str {
        &heap.class(self.unit).name
    }
}

/// True if `part` is most of `total`.
pub(super) fn is_most(part: Bytes, total: Bytes) -> bool {
    u128::from(part.0) * 100 >= u128::from(total.0) * u128::from(MOST_OF_IT)
}

/// The lowest object that dominates all, none of them; `None` if there is none nearby.
pub(super) fn common_dominator(analysis: &Analysis, objects: &[ObjectId]) -> Option<ObjectId> {
    let (first, others) = objects.split_first()?;
    let mut above = analysis.immediate_dominator(*first);
    for _ in 0..STEPS {
        let at = above?;
        if others.iter().all(|&object| object != at && analysis.dominates(at, object)) {
            return Some(at);
        }
        above = analysis.immediate_dominator(at);
    }
    None
}

/// Adds a location for each group of objects that retains enough, with its owners, and removes the locations within it.
pub(super) fn put_together(
    shape: Shape,
    groups: impl IntoIterator<Item = (Vec<ObjectId>, Vec<ObjectId>)>,
    question: LeakQuery<'_>,
    points: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let (analysis, mut taken, mut combined) = (question.namer.analysis, Vec::new(), Vec::new());
    for (mut members, owners) in groups {
        task.checkpoint()?;
        members.sort_unstable();
        if let Some(point) = AccumulationPoint::of_several(shape, members, analysis, question.min_bytes) {
            taken.extend(&point.members);
            combined.push(AccumulationPoint { owners, ..point });
        }
    }
    without(analysis, points, &taken);
    points.append(&mut combined);
    Ok(())
}

/// Removes locations within some objects, and those that hold little besides them.
fn without(analysis: &Analysis, points: &mut Vec<AccumulationPoint>, taken: &[ObjectId]) {
    let taken: HashSet<ObjectId> = taken.iter().copied().collect();
    let up = |object| std::iter::successors(Some(object), |&at| analysis.immediate_dominator(at)).take(LEVELS);
    let is_within = |&top: &ObjectId| up(top).any(|at| taken.contains(&at));
    let is_little = |point: &AccumulationPoint| {
        let is_top = |at: &ObjectId| point.tops().binary_search(at).is_ok();
        let inside = taken.par_iter().filter(|&&object| up(object).any(|at| is_top(&at)));
        let inside: Bytes = inside.map(|&object| analysis.retained(object)).reduce(|| Bytes(0), |a, b| a + b);
        inside.0.saturating_mul(2) >= point.retained(analysis).0.max(1)
    };
    if !taken.is_empty() {
        points.retain(|point| !point.tops().iter().all(is_within) && !is_little(point));
    }
}
