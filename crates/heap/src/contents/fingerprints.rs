//! Identity by content, to find duplicates in one dump and equal objects of two dumps.

use crate::{ClassId, Heap, ObjectId};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Identity of a text or a primitive array by content. Different contents have the same fingerprint with a probability
/// of 2^-128.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Hash of type, length and all elements; for a text, of its characters, independent of their encoding.
    pub hash: [u64; 2],
    /// Elements or characters (UTF-16 units).
    pub length: u64,
    /// True if all elements are zero.
    pub zero: bool,
    /// Array with the characters of a text; otherwise the array itself.
    pub array: ObjectId,
}

/// Values that a program compares by content: two equal ones are one key of a map, whichever objects they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// Strings, in whatever form the runtime stores them.
    Text,
    /// Boxed primitives, and numbers of JavaScript.
    Number,
    /// Integers of any size of JavaScript.
    BigInt,
}

/// Step of reading an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefetchStep {
    /// Its file offset.
    Offset,
    /// Its record.
    Record,
    /// What tells the rows of the addresses in the record.
    Rows,
    /// File offset of the array of a text.
    ArrayOffset,
    /// Record of the array of a text.
    Array,
}

impl PrefetchStep {
    /// All steps, in order.
    pub const ALL: [Self; 5] = [Self::Offset, Self::Record, Self::Rows, Self::ArrayOffset, Self::Array];
    /// Steps for an object that is no text.
    pub const OF_RECORD: [Self; 3] = [Self::Offset, Self::Record, Self::Rows];
}

/// Hash of a text or an array, given in blocks: the same blocks have the same hash. It is xxHash (XXH3), which takes a
/// fraction of the time of two independent hashes of 64 bits.
#[derive(Debug, Default)]
pub struct ContentHash(u128);

impl ContentHash {
    /// Odd, so that multiplying by it loses nothing of the blocks before: the digits of the golden ratio.
    const STEP: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

    /// Adds the next block.
    pub fn write(&mut self, block: &[u8]) {
        self.0 = self.0.wrapping_mul(Self::STEP).wrapping_add(xxh3_128_with_seed(block, self.0 as u64));
    }

    /// The hash of all blocks.
    pub fn finish(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

/// Hashes of the values of an object.
pub trait Fingerprints: Send + Sync {
    /// Prefetches one step of reading an object for [`Fingerprints::digest`] or [`Fingerprints::fingerprint`]. A step reads
    /// what the one before has loaded, so it should follow some objects later.
    fn prefetch(&self, _heap: &Heap, _object: ObjectId, _step: PrefetchStep) {}

    /// Fingerprint of a text or a primitive array.
    fn fingerprint(&self, _heap: &Heap, _object: ObjectId) -> Option<Fingerprint> {
        None
    }

    /// Hash of the values of an object other than references: the characters of a text, primitive elements, the length
    /// of an object array, primitive fields. Comparable between dumps: equal hashes mean equal values, different ones
    /// mean different values. `None` if unreadable, if there are none, or if the file does not have all of them.
    fn digest(&self, _heap: &Heap, _object: ObjectId) -> Option<u64> {
        None
    }

    /// Kind of value that the objects of a class are; `None` if the program tells them apart by identity, or if the
    /// format has no values. A value without a [`Fingerprints::digest`] may be equal to any other of its kind.
    fn value_kind(&self, _class: ClassId) -> Option<ValueKind> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_counts_and_so_does_their_order() {
        let blocks: [&[u8]; 4] = [b"", b"a", b"b", &[0; 300]];
        let mut hashes = Vec::new();
        for number in 0..blocks.len().pow(4) {
            // All lists of up to four blocks: the digits of the number.
            let mut hash = ContentHash::default();
            let mut left = number;
            while left > 0 {
                hash.write(blocks[left % blocks.len()]);
                left /= blocks.len();
            }
            hashes.push(hash.finish());
        }
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), blocks.len().pow(4));
    }
}
