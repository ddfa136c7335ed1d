//! Table of protected mappings. It is static and of fixed size, since the handler of faults reads it while threads are
//! interrupted at arbitrary points.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of protected mappings. A dump needs up to a few dozen.
const SLOTS: usize = 2048;
/// `end` of a free entry.
const FREE: usize = 0;
/// `end` of an entry that is being filled in.
const TAKEN: usize = 1;

pub(super) struct GuardSlot {
    /// End address of the mapping, exclusive; or [`FREE`] or [`TAKEN`].
    end: AtomicUsize,
    start: AtomicUsize,
    /// Offset of the first lost byte plus 1; 0 if nothing was lost.
    lost_at: AtomicUsize,
}

static TABLE: [GuardSlot; SLOTS] =
    [const { GuardSlot { end: AtomicUsize::new(FREE), start: AtomicUsize::new(0), lost_at: AtomicUsize::new(0) } };
        SLOTS];

pub(super) fn take(start: usize, len: usize) -> Option<&'static GuardSlot> {
    let free = |slot: &&GuardSlot| {
        slot.end.load(Ordering::Relaxed) == FREE
            && slot.end.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
    };
    let slot = TABLE.iter().find(free)?;
    slot.start.store(start, Ordering::Relaxed);
    slot.lost_at.store(0, Ordering::Relaxed);
    // Stored last: it makes the entry visible to the handler.
    slot.end.store(start + len, Ordering::Release);
    Some(slot)
}

/// Entry of the mapping that contains `address`.
pub(super) fn at(address: usize) -> Option<&'static GuardSlot> {
    TABLE.iter().find(|slot| {
        let end = slot.end.load(Ordering::Acquire);
        address < end && slot.start.load(Ordering::Relaxed) <= address
    })
}

impl GuardSlot {
    pub(super) fn leave(&self) {
        self.end.store(FREE, Ordering::Release);
    }

    pub(super) fn lost_at(&self) -> Option<u64> {
        self.lost_at.load(Ordering::Acquire).checked_sub(1).map(|at| at as u64)
    }

    /// Addresses of the mapping.
    pub(super) fn range(&self) -> Range<usize> {
        self.start.load(Ordering::Relaxed)..self.end.load(Ordering::Relaxed)
    }

    /// Records that the byte at `address` is lost.
    pub(super) fn lose(&self, address: usize) {
        let at = address - self.start.load(Ordering::Relaxed) + 1;
        let first = |known| (known == 0 || at < known).then_some(at);
        // An error means that an earlier offset is already recorded.
        let _earlier = self.lost_at.fetch_update(Ordering::Release, Ordering::Relaxed, first);
    }
}
