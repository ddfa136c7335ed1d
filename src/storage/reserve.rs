//! The allocator of the program: the system's, with some memory put by for the moment when there is none left. A
//! small request that the system refuses then gets what was put by, and all work under way is told to end; without
//! that, the first list of a few bytes would end the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

use memmap2::MmapMut;

/// Bytes put by: what all work under way may still ask for until it ends at its next checkpoint.
const PUT_BY: usize = 32 << 20;

static KEPT: Mutex<Option<MmapMut>> = Mutex::new(None);

/// Puts memory by, unless there is some. To be called at the start, and when a dump was opened or closed.
pub fn put_by() {
    if let Ok(mut kept) = KEPT.try_lock()
        && kept.is_none()
    {
        // Addresses alone: pages that nobody writes to are none.
        *kept = MmapMut::map_anon(PUT_BY).ok();
    }
}

/// The system's allocator with something put by.
pub struct Reserve {
    /// Tells all work under way that it is to end.
    end_work: fn(),
}

impl Reserve {
    /// One that calls `end_work`, which may not allocate, when memory runs out.
    pub const fn new(end_work: fn()) -> Self {
        Self { end_work }
    }

    /// Gives what was put by back to the system; says whether there was anything.
    #[cold]
    fn spend(&self) -> bool {
        // Whoever holds the lock is giving it back, or putting it by.
        let spent = KEPT.try_lock().is_ok_and(|mut kept| kept.take().is_some());
        if spent {
            (self.end_work)();
        }
        spent
    }
}

#[expect(unsafe_code, reason = "an allocator can only be written so")]
// SAFETY: every call is handed to the system's allocator as it came, a second time if it was refused and memory was
// given back meanwhile. Giving back unmaps pages that nobody ever had, and neither allocates nor unwinds.
unsafe impl GlobalAlloc for Reserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let first = unsafe { System.alloc(layout) };
        if !first.is_null() || !self.spend() {
            return first;
        }
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let first = unsafe { System.alloc_zeroed(layout) };
        if !first.is_null() || !self.spend() {
            return first;
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on; where it is refused, what was there stays.
        let first = unsafe { System.realloc(pointer, layout, bytes) };
        if !first.is_null() || !self.spend() {
            return first;
        }
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}
