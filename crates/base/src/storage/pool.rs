//! Pool of memory pages reused by large arrays. New pages are expensive: the system clears each, and a virtual machine
//! may have to request it from its host. Most arrays are as long as an earlier one.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use heaplens_platform::memory::prefer_huge_pages;
use memmap2::MmapMut;

/// Pages of one open; clones refer to the same pool.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    /// Pages that are not in use.
    idle: Vec<MmapMut>,
    idle_bytes: usize,
    used_bytes: usize,
    /// Peak of `used_bytes`, seen or expected. Used and idle bytes together never exceed it.
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

    /// Announces that at least `bytes` will be in use at a time.
    pub(super) fn expect(&self, bytes: usize) {
        let mut pages = self.pages();
        pages.most_bytes = pages.most_bytes.max(bytes);
    }

    /// True if `bytes` more would exceed the peak seen or expected so far.
    pub(super) fn would_grow(&self, bytes: usize) -> bool {
        let pages = self.pages();
        pages.used_bytes + bytes > pages.most_bytes
    }

    /// Takes pages of at least `bytes` bytes; cleared if `zero` is set.
    pub(super) fn take(&self, bytes: usize, zero: bool) -> io::Result<MmapMut> {
        let mut pages = self.pages();
        // The smallest that fits, but at most twice the size, so that large pages stay available for large arrays.
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
            let Some(page) = pages.idle.pop() else { break };
            pages.idle_bytes -= page.len();
        }
        drop(pages);
        let fresh = MmapMut::map_anon(bytes)?;
        prefer_huge_pages(&fresh);
        Ok(fresh)
    }

    /// Returns pages to the pool for reuse.
    pub(super) fn give_back(&self, given: MmapMut) {
        let mut pages = self.pages();
        pages.used_bytes = pages.used_bytes.saturating_sub(given.len());
        pages.idle_bytes += given.len();
        pages.idle.push(given);
    }
}
