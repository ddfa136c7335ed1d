//! Objects with equal contents, found by hashes of 128 bits: for twenty million strings these are half a gigabyte instead
//! of ten.
//!
//! Hashes are distributed over parts while they are found. So each part is sorted for itself, in the cache.

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use heaplens_heap::ObjectId;

/// Number of parts: one of a few million hashes fits the cache next to a core.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 8;

/// Hash of the contents of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContentsHash {
    pub(crate) hash: [u64; 2],
    pub(crate) object: ObjectId,
    /// The array with the contents, or the object itself.
    pub(crate) array: ObjectId,
}

impl ContentsHash {
    /// Order in which equal contents are adjacent, in address order.
    fn order(&self, other: &Self) -> Ordering {
        let [one, more] = self.hash;
        one.cmp(&other.hash[0]).then_with(|| (more, self.object).cmp(&(other.hash[1], other.object)))
    }

    /// Part that has equal contents. Some hashes are small numbers, which differ in their low bits only.
    fn part(&self) -> usize {
        let mixed = (self.hash[0] ^ self.hash[1].rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - PART_BITS)) as usize
    }
}

/// Hashes of contents, by part. Any thread may add some.
pub(crate) struct HashedContents {
    parts: Vec<Mutex<Vec<ContentsHash>>>,
}

impl Default for HashedContents {
    fn default() -> Self {
        Self { parts: std::iter::repeat_with(Mutex::default).take(PARTS).collect() }
    }
}

impl HashedContents {
    /// Adds some hashes.
    pub(crate) fn add(&self, some: &[ContentsHash]) {
        let mut ends = [0; PARTS];
        some.iter().for_each(|hashed| ends[hashed.part()] += 1);
        let mut all = 0;
        for end in &mut ends {
            (*end, all) = (all, all + *end);
        }
        let Some(&first) = some.first() else { return };
        let mut by_part = vec![first; some.len()];
        for hashed in some {
            let end = &mut ends[hashed.part()];
            by_part[*end] = *hashed;
            *end += 1;
        }
        let mut begin = 0;
        for (part, end) in self.parts.iter().zip(ends) {
            // A panic elsewhere cannot leave a list half-written.
            part.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&by_part[begin..end]);
            begin = end;
        }
    }

    /// All hashes, in no particular order.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = &ContentsHash> {
        self.parts.iter_mut().flat_map(|part| part.get_mut().unwrap_or_else(PoisonError::into_inner).iter())
    }

    /// The parts, in an order that follows from the hashes, each with equal contents next to each other and in address
    /// order.
    pub(crate) fn into_parts(self) -> impl IndexedParallelIterator<Item = Vec<ContentsHash>> {
        self.parts.into_par_iter().with_max_len(1).map(|part| {
            let mut part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
            // Of equal strings alone, one part has all.
            part.par_sort_unstable_by(ContentsHash::order);
            part
        })
    }
}

/// Groups of equal contents in a part.
pub(crate) fn groups(part: &[ContentsHash]) -> impl Iterator<Item = &[ContentsHash]> {
    part.chunk_by(|a, b| a.hash == b.hash).filter(|group| group.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_contents_are_together_in_address_order() {
        let object = |row: usize| ObjectId::new(row).expect("a row below 2³²");
        let hashed = |row: usize| {
            // Both small numbers, as of boxed values, and large ones.
            let kind = (row * 7_919) as u64 % 50;
            let hash =
                if kind.is_multiple_of(2) { [3, kind] } else { [kind.wrapping_mul(0x1234_5678_9abc_def1), !kind] };
            ContentsHash { hash, object: object(row), array: object(row + 1) }
        };
        let all: Vec<ContentsHash> = (0..1_000).map(hashed).collect();
        let contents = HashedContents::default();
        contents.add(&[]);
        all.par_chunks(17).for_each(|some| contents.add(some));
        let parts: Vec<Vec<ContentsHash>> = contents.into_parts().collect();
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), all.len());
        let mut known = Vec::new();
        for group in parts.iter().flat_map(|part| groups(part)) {
            let same: Vec<ContentsHash> = all.iter().filter(|of| of.hash == group[0].hash).copied().collect();
            assert_eq!(group, same);
            known.push(group[0].hash);
        }
        assert_eq!(known.len(), 50);
        assert!(parts.iter().filter(|part| !part.is_empty()).count() > 20, "hashes are distributed");
    }
}
