//! Records of objects as stored in the file. Only formats with a record per object (HPROF) have them.

use crate::{Heap, ObjectId};
use heaplens_base::Bytes;

/// Bytes of the file for an object. Redacted contents have only their number.
pub trait FileRecords: Send + Sync {
    /// Fields of an instance or elements of an array as stored in the file, references as addresses: equal for an
    /// object that neither moved nor changed, nor refers to one that moved. `None` for class objects, and without the
    /// dump.
    fn body(&self, _heap: &Heap, _object: ObjectId) -> Option<&[u8]> {
        None
    }

    /// Part of the file from the record of one object up to that of a later one. `None` if it is not later, and without
    /// the dump.
    fn records(&self, _heap: &Heap, _from: ObjectId, _to: ObjectId) -> Option<&[u8]> {
        None
    }

    /// Size in bytes of an object's record in the file: of an instance its fields, of an array its elements, of a class
    /// object its record; without header and rounding. `None` without the dump.
    fn recorded_bytes(&self, _heap: &Heap, _object: ObjectId) -> Option<Bytes> {
        None
    }
}
