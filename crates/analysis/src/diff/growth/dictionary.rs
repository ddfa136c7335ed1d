//! Objects that are used as dictionaries: their fields are entries, and no structures of the source.

use crate::answers::DumpData;
use heaplens_heap::ObjectId;

/// Maximum number of references of an object whose fields are owners.
const MOST_FIELDS: usize = 128;

/// True of an object with so many references that each would be looked up among all.
pub(super) fn has_many_fields(side: DumpData<'_>, object: ObjectId) -> bool {
    side.heap.references(object).len() > MOST_FIELDS
}
