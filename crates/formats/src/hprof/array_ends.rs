//! The ends of the primitive arrays of a dump, collected when all are counted: tools and JVMs that save only the first
//! elements of each array write zeros after them, so no array that is longer ends in anything else.

use super::{subrecords::RawArray, tags::BasicType};

/// Minimum number of arrays, or of strings, for a conclusion.
pub(super) const LEAST: usize = 4;
/// Longest array that counts as beginning of a longer one: JVMs keep 120 characters by default.
const LONGEST_BEGINNING: u32 = 1 << 16;

/// Ends of primitive arrays, of bytes and chars or of other types.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrayEnds {
    /// Length of the longest array whose last element is not zero.
    pub(super) longest: u32,
    /// Arrays whose last element is zero, by the logarithm of their length.
    zero_ended: [u64; u32::BITS as usize],
}

/// True for the types of the arrays that hold the characters of strings.
pub(super) fn is_of_characters(kind: BasicType) -> bool {
    matches!(kind, BasicType::Byte | BasicType::Char)
}

impl ArrayEnds {
    /// Counts a primitive array with `width` bytes an element. The next record begins after its last element, so reading
    /// that costs nothing.
    #[inline]
    pub(super) fn see(both: &mut [Self; 2], array: &RawArray<'_>, width: u32) {
        let from = array.elements.len().saturating_sub(width as usize);
        let [characters, numbers] = both;
        let ends = if is_of_characters(array.kind) { characters } else { numbers };
        if array.elements.get(from..).is_some_and(|last| last.iter().any(|&byte| byte != 0)) {
            ends.longest = ends.longest.max(array.length);
        } else if let Some(count) = array.length.checked_ilog2().and_then(|log| ends.zero_ended.get_mut(log as usize)) {
            *count += 1;
        }
    }

    /// Merges the ends of other arrays.
    pub(super) fn join(&mut self, other: Self) {
        self.longest = self.longest.max(other.longest);
        self.zero_ended.iter_mut().zip(other.zero_ended).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// True if there are arrays that may be longer than all whose last element is not zero.
    pub(super) fn may_be_limited(&self) -> bool {
        let log = self.longest.checked_ilog2().unwrap_or_default() as usize;
        self.longest < LONGEST_BEGINNING && self.zero_ended.iter().skip(log).sum::<u64>() >= LEAST as u64
    }
}
