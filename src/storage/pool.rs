//! Pages of memory that go from one large array to the next. Fresh pages are
//! dear: the system clears each, and a virtual machine may have to fetch it
//! from its host first; most of our arrays are as long as others before them.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::MmapMut;

/// From here on huge pages are worth asking for.
#[cfg(target_os = "linux")]
const HUGE: usize = 1 << 22;

/// The memory of one open; clones are the same.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    /// Nobody's at the moment.
    idle: Vec<MmapMut>,
    idle_bytes: usize,
    used_bytes: usize,
    /// Most that was in use at a time, or will be. Used and idle together never go beyond.
    most_bytes: usize,
}

impl Pool {
    fn pages(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes in use.
    pub(super) fn used(&self) -> u64 {
        self.pages().used_bytes as u64
    }

    /// So many bytes will be in use at a time at least.
    pub(super) fn expect(&self, bytes: usize) {
        let mut pages = self.pages();
        pages.most_bytes = pages.most_bytes.max(bytes);
    }

    /// Whether so many bytes more would be more than ever was in use, or expected.
    pub(super) fn would_grow(&self, bytes: usize) -> bool {
        let pages = self.pages();
        pages.used_bytes + bytes > pages.most_bytes
    }

    /// At least `bytes` bytes, all zero if need be.
    pub(super) fn take(&self, bytes: usize, zero: bool) -> io::Result<MmapMut> {
        let mut pages = self.pages();
        // The least that is enough, but not far more: that would not come back for long.
        let fit = pages.idle.iter().enumerate().filter(|(_, idle)| idle.len() >= bytes && idle.len() / 2 <= bytes);
        if let Some(at) = fit.min_by_key(|(_, idle)| idle.len()).map(|(at, _)| at) {
            let mut taken = pages.idle.swap_remove(at);
            pages.idle_bytes -= taken.len();
            pages.used_bytes += taken.len();
            drop(pages);
            if zero {
                taken.get_mut(..bytes).unwrap_or_default().fill(0);
            }
            return Ok(taken);
        }
        pages.used_bytes += bytes;
        pages.most_bytes = pages.most_bytes.max(pages.used_bytes);
        while pages.used_bytes + pages.idle_bytes > pages.most_bytes {
            let Some(gone) = pages.idle.pop() else { break };
            pages.idle_bytes -= gone.len();
        }
        drop(pages);
        let fresh = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            // Only makes it faster.
            let _refused = fresh.advise(memmap2::Advice::HugePage);
        }
        Ok(fresh)
    }

    /// Keeps pages for the next that asks.
    pub(super) fn give_back(&self, given: MmapMut) {
        let mut pages = self.pages();
        pages.used_bytes = pages.used_bytes.saturating_sub(given.len());
        pages.idle_bytes += given.len();
        pages.idle.push(given);
    }
}
