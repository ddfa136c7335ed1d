//! Times of dumps as text.

use heaplens_base::times::rfc3339;
use heaplens_heap::Heap;

/// Time of a dump.
pub(super) fn taken_at(heap: &Heap) -> Option<String> {
    heap.origin.taken_at_millis.and_then(rfc3339)
}
