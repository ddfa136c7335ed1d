//! Gaps between objects, as IBM's HeapRoots lists them: sizes in bytes, and number per size. An object that begins
//! before all objects below it have ended overlaps them.

use std::{cmp::Reverse, collections::HashMap};

use crate::answers::DumpData;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::{IdStyle, ObjectId};

/// Gaps of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Bytes of each.
    pub bytes: Bytes,
    /// Number of gaps.
    pub count: u64,
}

/// All gaps of a heap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    /// One row per size, the largest first.
    pub rows: Vec<Gap>,
    /// Number of gaps.
    pub count: u64,
    /// Total bytes.
    pub bytes: Bytes,
    /// Number of objects that overlap a lower one.
    pub overlaps: u64,
}

/// Gaps between the objects of a heap. `None` if ids are not addresses. In a heap without some references, unreachable
/// objects leave gaps, too, as if they were collected.
pub fn gaps(dump: DumpData<'_>, task: &Task) -> Result<Option<Gaps>, Cancelled> {
    let heap = dump.heap;
    if heap.origin.ids != IdStyle::Address {
        return Ok(None);
    }
    task.step("Measuring gaps", Unit::Objects, heap.len() as u64);
    let mut gaps = Gaps::default();
    let mut sizes: HashMap<u64, u64> = HashMap::new();
    let mut end: Option<u64> = None;
    for (row, address) in heap.addresses_from(0).enumerate() {
        if row.is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY as u64)?;
        }
        // Address 0 holds no object: it represents the bootstrap loader.
        let Some(object) = ObjectId::new(row).filter(|_| address.0 != 0) else { continue };
        if heap.is_freed(object) {
            continue;
        }
        let before = end.unwrap_or(address.0);
        match address.0.checked_sub(before) {
            Some(0) => {}
            Some(gap) => {
                *sizes.entry(gap).or_default() += 1;
                gaps.count += 1;
                gaps.bytes = Bytes(gaps.bytes.0.saturating_add(gap));
            }
            None => gaps.overlaps += 1,
        }
        end = Some(before.max(address.0.saturating_add(heap.shallow(object).0)));
    }
    gaps.rows = sizes.into_iter().map(|(bytes, count)| Gap { bytes: Bytes(bytes), count }).collect();
    gaps.rows.sort_unstable_by_key(|gap| Reverse(gap.bytes.0));
    Ok(Some(gaps))
}
