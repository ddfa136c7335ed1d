//! Identity by content, to find duplicates in one dump and equal objects of two dumps.

use crate::heap::{Heap, ObjectId};

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

/// Hashes of the values of an object.
pub trait Fingerprints: Send + Sync {
    /// Fingerprint of a text or a primitive array.
    fn fingerprint(&self, _heap: &Heap, _object: ObjectId) -> Option<Fingerprint> {
        None
    }

    /// Hash of the values of an object other than references: the characters of a text, primitive elements, the length
    /// of an object array, primitive fields. Comparable between dumps. `None` if unreadable, or if there are none.
    fn digest(&self, _heap: &Heap, _object: ObjectId) -> Option<u64> {
        None
    }
}
