//! Where some bytes are in the dominator tree, in a few numbers: whether nearly all of them are below some objects can be
//! told without the list of their objects, which may be as long as the heap.

use std::ops::Range;

use heaplens_base::Bytes;
use heaplens_heap::{Analysis, ObjectId};
use serde::{Deserialize, Serialize};

/// Number of equal parts of the bytes whose positions are known.
const PARTS: u64 = 1_000;
/// Divisor of the heap's size: objects below that size are sampled, so that their number is limited.
const SAMPLED: u64 = 1 << 18;
/// Of 1,000 parts of some bytes, those that must be below an object for nearly all to be.
const NEARLY_ALL: u64 = 900;

/// Positions in the preorder of the dominator tree of equal parts of some bytes, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent(Vec<u32>);

impl Extent {
    /// True if nearly all of the bytes are in some subtrees, given by their positions.
    pub fn is_nearly_within(&self, subtrees: &[Range<u32>]) -> bool {
        let is_within = |&&preorder: &&u32| subtrees.iter().any(|subtree| subtree.contains(&preorder));
        let within = self.0.iter().filter(is_within).count() as u64;
        !self.0.is_empty() && within * PARTS >= NEARLY_ALL * self.0.len() as u64
    }
}

/// Collects where bytes are.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExtentCollector {
    /// Size below which objects are sampled.
    least: u64,
    /// Position and bytes.
    samples: Vec<(u32, u64)>,
}

impl ExtentCollector {
    /// For a heap of this size.
    pub(crate) fn new(heap: Bytes) -> Self {
        Self { least: heap.0 / SAMPLED, samples: Vec::new() }
    }

    /// Adds bytes of an object. Of small ones, some stand for all, the same in every order of calls.
    pub(crate) fn add(&mut self, analysis: &Analysis, object: ObjectId, bytes: Bytes) {
        let stands_for = self.stands_for(object, bytes);
        if stands_for > 0 {
            self.samples.extend(analysis.preorder(object).map(|preorder| (preorder, stands_for)));
        }
    }

    /// Bytes that an object stands for; 0 if others stand for it.
    fn stands_for(&self, object: ObjectId, bytes: Bytes) -> u64 {
        if bytes.0 >= self.least {
            return bytes.0;
        }
        // Multiplicative hash (Knuth), twice: neighbours are far apart, at any regular distance.
        let hash = object.raw().wrapping_mul(0x9e37_79b1).rotate_left(15).wrapping_mul(0x85eb_ca6b);
        if (u128::from(hash) * u128::from(self.least)) >> u32::BITS < u128::from(bytes.0) { self.least } else { 0 }
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.samples.append(&mut other.samples);
    }

    pub(crate) fn extent(mut self) -> Extent {
        self.samples.sort_unstable();
        let all: u128 = self.samples.iter().map(|&(_, bytes)| u128::from(bytes)).sum();
        let (mut preorders, mut passed) = (Vec::new(), 0_u128);
        for (preorder, bytes) in self.samples {
            passed += u128::from(bytes);
            // The middle of each part.
            while (2 * preorders.len() as u128 + 1) * all < 2 * u128::from(PARTS) * passed {
                preorders.push(preorder);
            }
        }
        Extent(preorders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(extent: &Extent, part: Range<u32>) -> bool {
        extent.is_nearly_within(std::slice::from_ref(&part))
    }

    fn extent(heap: u64, bytes: impl IntoIterator<Item = (u32, u64)>) -> Extent {
        let mut collector = ExtentCollector::new(Bytes(heap));
        for (row, bytes) in bytes {
            let object = ObjectId::from_raw(row).expect("an object");
            collector.samples.push((row, collector.stands_for(object, Bytes(bytes))));
        }
        collector.extent()
    }

    #[test]
    fn parts_are_of_equal_bytes() {
        let uneven = extent(1_000, [(7, 50), (1, 900), (9, 50)]);
        assert_eq!(uneven.0.len(), 1_000);
        assert!(within(&uneven, 0..2) && within(&uneven, 1..8));
        assert!(!within(&uneven, 2..10) && !uneven.is_nearly_within(&[]));
        assert!(!within(&Extent::default(), 0..u32::MAX));
    }

    #[test]
    fn many_small_objects_are_sampled() {
        // Nine of ten bytes in the first part of the positions.
        let small = |row: u32| (row, if row < 900_000 { 24 } else { 16 });
        let many = extent(1 << 30, (0..1_000_000).map(small));
        assert!(within(&many, 0..920_000) && !within(&many, 0..850_000));
    }
}
