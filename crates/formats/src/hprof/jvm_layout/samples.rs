//! Samples of objects of each class, taken in the first pass: the distance of each to the next object shows the size of
//! its class.

use rustc_hash::FxHashMap;

use crate::hprof::tags::BasicType;
use heaplens_heap::AddressMap;

/// Number of samples per class. At least one of them must have an adjacent neighbour.
const PER_CLASS: usize = 32;
/// Number of samples per array type.
const PER_KIND: usize = 64;
/// Number of element types: references and primitives.
const KINDS: usize = BasicType::ALL.len();

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sample {
    /// Sampling key, derived from the address.
    lot: u64,
    address: u64,
    /// Elements of an array.
    length: u32,
}

/// Objects with the lowest sampling keys. The key is computed from the address alone, so the same objects are picked
/// regardless of how the file is divided among threads.
#[derive(Debug, Clone)]
pub(in crate::hprof) struct SampleSet {
    samples: Vec<Sample>,
    most: usize,
    /// Only keys below this can still be sampled.
    below: u64,
}

impl SampleSet {
    /// Capacity for samples of a class.
    pub(in crate::hprof) fn of_class() -> Self {
        Self { samples: Vec::new(), most: PER_CLASS, below: u64::MAX }
    }

    fn of_kind() -> Self {
        Self { most: PER_KIND, ..Self::of_class() }
    }

    /// Considers an object as a sample.
    #[inline]
    pub(in crate::hprof) fn see(&mut self, address: u64, length: u32) {
        // Multiplication by an odd number keeps keys distinct; the high half is well mixed.
        let lot = address.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
        if lot < self.below {
            self.pick(Sample { lot, address, length });
        }
    }

    fn pick(&mut self, sample: Sample) {
        self.samples.push(sample);
        if self.samples.len() >= 2 * self.most {
            self.thin();
        }
    }

    /// Keeps the lowest keys. An address claimed by several records counts once.
    fn thin(&mut self) {
        self.samples.sort_unstable();
        self.samples.dedup_by_key(|sample| sample.address);
        self.samples.truncate(self.most);
        if let Some(last) = self.samples.last().filter(|_| self.samples.len() == self.most) {
            self.below = last.lot;
        }
    }

    fn join(&mut self, other: Self) {
        for sample in other.samples {
            if sample.lot < self.below {
                self.pick(sample);
            }
        }
    }
}

/// Samples of all classes and arrays.
#[derive(Debug)]
pub(in crate::hprof) struct Samples {
    classes: FxHashMap<u64, SampleSet>,
    /// By [`kind_place`].
    arrays: [SampleSet; KINDS],
}

impl Default for Samples {
    fn default() -> Self {
        Self { classes: FxHashMap::default(), arrays: std::array::from_fn(|_| SampleSet::of_kind()) }
    }
}

/// Index of an element type: primitives in order, then references.
#[inline]
fn kind_place(kind: BasicType) -> usize {
    BasicType::ALL.iter().position(|&k| k == kind).unwrap_or(KINDS - 1)
}

impl Samples {
    /// Merges the samples of the instances of a class.
    pub(in crate::hprof) fn class(&mut self, class: u64, set: SampleSet) {
        match self.classes.entry(class) {
            std::collections::hash_map::Entry::Occupied(mut mine) => mine.get_mut().join(set),
            std::collections::hash_map::Entry::Vacant(none) => drop(none.insert(set)),
        }
    }

    /// Considers an array as a sample.
    #[inline]
    pub(in crate::hprof) fn array(&mut self, kind: BasicType, address: u64, length: u32) {
        if let Some(set) = self.arrays.get_mut(kind_place(kind)) {
            set.see(address, length);
        }
    }

    /// Merges all samples of another thread.
    pub(in crate::hprof) fn join(&mut self, other: Self) {
        let Self { classes, arrays } = other;
        // Keys decide, so the order does not matter.
        classes.into_iter().for_each(|(class, set)| self.class(class, set));
        for (mine, theirs) in self.arrays.iter_mut().zip(arrays) {
            mine.join(theirs);
        }
    }

    /// True if the class has instances.
    pub(super) fn has_class(&self, class: u64) -> bool {
        self.classes.contains_key(&class)
    }

    /// Measures the distances from the samples to the next objects.
    pub(super) fn measure(mut self, addresses: &AddressMap) -> Distances {
        let mut classes = FxHashMap::default();
        self.classes.drain().for_each(|(class, mut set)| {
            set.thin();
            let distances = || set.samples.iter().filter_map(|s| addresses.distance_to_next(s.address));
            if let Some(smallest) = distances().min() {
                let measured = DistanceSummary {
                    smallest,
                    objects: distances().count(),
                    at_smallest: distances().filter(|&d| d == smallest).count(),
                };
                classes.insert(class, measured);
            }
        });
        let arrays = self.arrays.map(|mut set| {
            set.thin();
            set.samples.iter().filter_map(|s| Some((s.length, addresses.distance_to_next(s.address)?))).collect()
        });
        Distances { classes, arrays }
    }
}

/// Measured distances of the instances of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct DistanceSummary {
    /// Upper limit of the instance size.
    pub(super) smallest: u64,
    pub(super) objects: usize,
    /// Number of samples at the smallest distance.
    pub(super) at_smallest: usize,
}

/// Distances of the samples.
#[derive(Debug, Default)]
pub(super) struct Distances {
    /// By class id.
    pub(super) classes: FxHashMap<u64, DistanceSummary>,
    /// Length and distance of arrays, by [`kind_place`].
    pub(super) arrays: [Vec<(u32, u64)>; KINDS],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_objects_are_picked_in_any_order_and_from_any_parts() {
        let all: Vec<u64> = (1..5000).map(|n| n * 24).collect();
        let mut complete = SampleSet::of_class();
        all.iter().for_each(|&a| complete.see(a, 0));
        let (mut left, mut right) = (SampleSet::of_class(), SampleSet::of_class());
        all.iter().rev().for_each(|&a| if a % 16 == 0 { left.see(a, 0) } else { right.see(a, 0) });
        right.join(left);
        complete.thin();
        right.thin();
        assert_eq!(complete.samples, right.samples);
        assert_eq!(complete.samples.len(), PER_CLASS);
    }

    #[test]
    fn an_address_counts_once() {
        let mut set = SampleSet::of_class();
        for _ in 0..1000 {
            set.see(8, 1);
        }
        set.see(16, 1);
        set.thin();
        assert_eq!(set.samples.len(), 2);
    }
}
