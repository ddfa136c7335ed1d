//! Native memory that cuts free with the objects that own it.

use super::freed::FreedObjects;
use crate::answers::DumpData;
use crate::native_memory::keepers;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::ExcludedReferences;

/// Bytes of the native memory that nothing keeps any more: its owner is freed, or only its cleaner is left, which frees the
/// memory.
pub(super) fn native_freed(
    dump: DumpData<'_>,
    freed: &FreedObjects,
    excluded: &ExcludedReferences,
    task: &Task,
) -> Result<Bytes, Cancelled> {
    let mut bytes = Bytes(0);
    let live = dump.heap.native_bytes().all().filter(|owned| dump.analysis.has_live_native(*owned));
    for (at, owned) in live.enumerate() {
        task.checkpoint_at(at)?;
        let object = owned.object;
        let is_left_alone = || {
            let is_root = !dump.analysis.roots().of(object).is_empty() && !excluded.has_root(object.raw());
            let (keepers, has_cleaner) = keepers(dump, object);
            let goes = |&from| freed.contains(dump.analysis, from) || excluded.excludes(from.raw(), object.raw());
            has_cleaner && !is_root && keepers.iter().all(goes)
        };
        if freed.contains(dump.analysis, object) || is_left_alone() {
            bytes += owned.bytes;
        }
    }
    Ok(bytes)
}
