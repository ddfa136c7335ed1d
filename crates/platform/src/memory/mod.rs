//! Memory: large pages, giving it back.

/// Size in bytes from which huge pages are requested.
pub const HUGE: usize = 1 << 22;

/// Returns the free blocks of the allocator to the system. Takes time in proportion to them; does nothing on systems
/// whose allocators do it themselves.
pub fn give_back_free_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a call of the C library")]
        // SAFETY: `malloc_trim` takes a number, returns one, may be called at any time by any thread, and touches
        // nothing but pages of free blocks. The result is true if memory was released.
        let _some = unsafe { libc::malloc_trim(0) };
    }
    #[cfg(target_os = "macos")]
    {
        #[expect(unsafe_code, reason = "a call of the C library that the crate libc does not declare")]
        // SAFETY: declared as in `malloc/malloc.h`, since OS X 10.7. No zone means all of them, no goal as much as
        // possible. It takes the locks of the allocator itself, so any thread may call it at any time, and touches
        // nothing but pages of free blocks. The result is the number of bytes released.
        let _bytes = unsafe {
            unsafe extern "C" {
                fn malloc_zone_pressure_relief(zone: *mut libc::malloc_zone_t, goal: usize) -> usize;
            }
            malloc_zone_pressure_relief(std::ptr::null_mut(), 0)
        };
    }
}

/// Asks for huge pages where that pays.
#[cfg(target_os = "linux")]
pub fn prefer_huge_pages(pages: &memmap2::MmapMut) {
    if pages.len() >= HUGE {
        // Ignored: huge pages are an optimization.
        let _refused = pages.advise(memmap2::Advice::HugePage);
    }
}

/// Does nothing: this system has no huge pages that a program may ask for.
#[cfg(not(target_os = "linux"))]
pub fn prefer_huge_pages(_pages: &memmap2::MmapMut) {}

/// Asks for huge pages for a block of at least [`HUGE`] bytes, from the page it begins in to the one it ends in: the
/// system cannot grow a mapping of which only a part was advised.
#[cfg(target_os = "linux")]
pub fn prefer_huge_pages_in(block: *mut u8, bytes: usize) {
    const PAGE: usize = 1 << 12;
    let before = block.addr() % PAGE;
    let rounded = (before + bytes).next_multiple_of(PAGE);
    #[expect(unsafe_code, reason = "a call of the system")]
    // SAFETY: this advice changes how pages are mapped, not what is in them. The system refuses addresses that are not
    // mapped; that is ignored, since huge pages are an optimization.
    let _refused = unsafe { libc::madvise(block.wrapping_sub(before).cast(), rounded, libc::MADV_HUGEPAGE) };
}

/// Does nothing: this system has no huge pages that a program may ask for.
#[cfg(not(target_os = "linux"))]
pub fn prefer_huge_pages_in(_block: *mut u8, _bytes: usize) {}
