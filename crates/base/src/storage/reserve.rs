//! Global allocator: the system's, with a memory reserve. When the system refuses a request, the reserve is released,
//! the request is repeated and all running tasks are cancelled. Otherwise the first failed small allocation would abort
//! the process. Large blocks are in huge pages if available, like the arrays of [`super::buffer`]: their first use
//! otherwise costs a page fault for every four kilobytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

use heaplens_platform::memory::{HUGE, prefer_huge_pages_in};
use memmap2::MmapMut;

/// Size of the reserve in bytes: enough for running tasks until their next checkpoint.
const RESERVE_BYTES: usize = 32 << 20;

/// Number of times that a refused thread yields to the one that holds the reserve; it may be itself.
const WAITS: usize = 1_000;

static RESERVE: Mutex<Option<MmapMut>> = Mutex::new(None);

/// Refills the reserve if it is empty. Call it at start, and after a dump was opened or closed.
pub fn refill() {
    if let Ok(mut reserve) = RESERVE.try_lock()
        && reserve.is_none()
    {
        // Reserves address space only: pages without writes use no memory.
        *reserve = MmapMut::map_anon(RESERVE_BYTES).ok();
    }
}

/// The system's allocator with a memory reserve.
pub struct Reserve {
    /// Cancels all running tasks.
    end_work: fn(),
}

impl Reserve {
    /// Creates an allocator that calls `end_work`, which must not allocate, when memory runs out.
    pub const fn new(end_work: fn()) -> Self {
        Self { end_work }
    }

    /// Takes a block as the system's allocator gave it, which may be none.
    #[inline]
    fn given(block: *mut u8, bytes: usize) -> Option<*mut u8> {
        if bytes >= HUGE && !block.is_null() {
            prefer_huge_pages_in(block, bytes);
        }
        Some(block).filter(|block| !block.is_null())
    }

    /// Releases the reserve to the system, unless another thread has done so since this one was refused: then there may
    /// be memory, too.
    #[cold]
    fn release(&self) {
        for _ in 0..WAITS {
            // A held lock: another thread is releasing or refilling the reserve. It needs no memory for that.
            if let Ok(mut reserve) = RESERVE.try_lock() {
                let released = reserve.take().is_some();
                drop(reserve);
                if released {
                    (self.end_work)();
                }
                return;
            }
            std::thread::yield_now();
        }
    }
}

#[expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait")]
// SAFETY: every call is handed to the system's allocator as it came, a second time if it was refused and memory was
// released meanwhile. Releasing unmaps pages without references, and neither allocates nor unwinds.
unsafe impl GlobalAlloc for Reserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let first = Self::given(unsafe { System.alloc(layout) }, layout.size());
        if let Some(block) = first {
            return block;
        }
        self.release();
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let first = Self::given(unsafe { System.alloc_zeroed(layout) }, layout.size());
        if let Some(block) = first {
            return block;
        }
        self.release();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on; where it is refused, what was there stays.
        let first = Self::given(unsafe { System.realloc(pointer, layout, bytes) }, bytes);
        if let Some(block) = first {
            return block;
        }
        self.release();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}
