//! A place where memory accumulates, whatever found it.

use std::cmp::Reverse;
use std::collections::HashSet;

use rayon::prelude::*;

use crate::analysis::dominator_tree::chains::Chain;
use crate::heap::analyzed::Analyzed;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::units::Bytes;

/// Hundredths of what an object retains that its biggest child must retain to be what matters.
const MOST_OF_IT: u64 = 80;

/// What kind of place it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A collection of the runtime's library.
    Collection,
    /// An array of references.
    Array,
    /// An array of numbers.
    Data,
    /// Objects of one class one behind the other.
    Chain,
    /// An object of many fields.
    Object,
    /// Many objects of one class directly below another object.
    Siblings,
    /// Objects that the same owners share.
    Shared,
    /// The values of one thread local in several threads.
    ThreadLocals,
    /// Threads of one name but for numbers.
    Threads,
    /// Objects that wait for their finalizer.
    Finalizers,
    /// Actions that a cleaner is to run.
    Cleaners,
    /// A class loader, one of several that define a class again.
    Loader,
}

/// A place where memory accumulates.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// What kind of place it is.
    pub(super) shape: Shape,
    /// The collection, array, head of the chain or object; of several the biggest.
    pub(super) unit: ObjectId,
    /// Where what it holds fans out: itself, or below.
    pub(super) point: ObjectId,
    /// The chain that begins there.
    pub(super) chain: Option<Chain>,
    /// Of several objects all of them, by address; none of a single one.
    pub(super) members: Vec<ObjectId>,
    /// Who shares them; of what very many share nobody.
    pub(super) owners: Vec<ObjectId>,
    /// What they all stand below in the dominator tree; `None` of a single one, and at the top of the tree.
    pub(super) within: Option<ObjectId>,
    /// Whether the runtime alone keeps them alive, without any object of the application.
    pub(super) is_of_runtime: bool,
}

impl Place {
    pub(super) fn one(shape: Shape, unit: ObjectId, point: ObjectId) -> Self {
        Self {
            shape,
            unit,
            point,
            chain: None,
            members: Vec::new(),
            owners: Vec::new(),
            within: None,
            is_of_runtime: false,
        }
    }

    /// The place of several objects, in order of their addresses, that stand beside each other in the tree: called by the
    /// biggest of them. `None` where they keep less than `least` alive together.
    pub(super) fn of_several(shape: Shape, members: Vec<ObjectId>, analyzed: &Analyzed, least: Bytes) -> Option<Self> {
        let sizes = members.par_iter().map(|&member| {
            let size = analyzed.retained(member);
            (size, (size, Reverse(member)))
        });
        let (retained, (_, Reverse(biggest))) =
            sizes.reduce_with(|one, other| (one.0 + other.0, one.1.max(other.1)))?;
        (retained >= least).then(|| Self { members, ..Self::one(shape, biggest, biggest) })
    }

    /// What it keeps alive; of several what each does, together.
    pub(super) fn retained(&self, analyzed: &Analyzed) -> Bytes {
        if self.members.is_empty() {
            return analyzed.retained(self.unit);
        }
        self.members.par_iter().map(|&member| analyzed.retained(member)).reduce(|| Bytes(0), |one, other| one + other)
    }

    /// The objects it stands for.
    pub(super) fn tops(&self) -> &[ObjectId] {
        if self.members.is_empty() { std::slice::from_ref(&self.unit) } else { &self.members }
    }

    pub(super) fn class_name<'a>(&self, heap: &'a Heap) -> &'a str {
        &heap.class(self.unit).name
    }
}

/// Whether a part is what matters of the whole.
pub(super) fn is_most(part: Bytes, whole: Bytes) -> bool {
    u128::from(part.0) * 100 >= u128::from(whole.0) * u128::from(MOST_OF_IT)
}

/// Takes away the places that lie within some objects, or hold little else than these.
pub(super) fn without(analyzed: &Analyzed, places: &mut Vec<Place>, taken: &[ObjectId]) {
    let tops: HashSet<ObjectId> = taken.iter().copied().collect();
    let is_within = |object: ObjectId| {
        let mut at = Some(object);
        // Deeper than that nothing is found.
        for _ in 0..256 {
            match at {
                Some(object) if tops.contains(&object) => return true,
                Some(object) => at = analyzed.immediate_dominator(object),
                None => return false,
            }
        }
        false
    };
    let mut by_place: Vec<(u32, Bytes)> =
        taken.iter().filter_map(|&top| Some((analyzed.place(top)?, analyzed.retained(top)))).collect();
    by_place.sort_unstable();
    places.retain(|place| {
        if place.tops().iter().all(|&top| is_within(top)) {
            return false;
        }
        let inside = |&top: &ObjectId| {
            let begin = analyzed.place(top).unwrap_or(0);
            let end = begin.saturating_add(analyzed.dominated(top) as u32);
            let from = by_place.partition_point(|&(place, _)| place < begin);
            by_place[from..].iter().take_while(|&&(place, _)| place <= end).map(|&(_, bytes)| bytes).sum::<Bytes>()
        };
        let inside: Bytes = place.tops().iter().map(inside).sum();
        inside.0.saturating_mul(2) < place.retained(analyzed).0.max(1)
    });
}
