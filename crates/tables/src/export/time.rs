//! Times of dumps as text.

use heaplens_heap::Heap;

/// Time of a dump.
pub(super) fn taken_at(heap: &Heap) -> Option<String> {
    heap.origin.taken_at_millis.and_then(rfc3339)
}

/// Time in RFC 3339 format: `2026-11-21T02:30:24Z`.
pub(super) fn rfc3339(millis: u64) -> Option<String> {
    let time = std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_millis(millis))?;
    // Years after 9999 cannot be formatted; a damaged header may contain one.
    (millis < 253_402_300_800_000).then(|| humantime::format_rfc3339_seconds(time).to_string())
}
