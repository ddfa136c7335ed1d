//! Memory: large pages, giving it back, loading ahead.

mod prefetch;

pub use self::prefetch::prefetch;

/// Size in bytes from which huge pages are requested.
#[cfg(target_os = "linux")]
const HUGE: usize = 1 << 22;

/// Returns the free blocks of the allocator to the system. Takes time in proportion to them; does nothing on systems
/// without glibc, whose allocators do it themselves.
pub fn give_back_free_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a call of the C library")]
        // SAFETY: `malloc_trim` takes a number, returns one, may be called at any time by any thread, and touches
        // nothing but pages of free blocks. The result is true if memory was released.
        let _some = unsafe { libc::malloc_trim(0) };
    }
}

/// Asks for huge pages where that pays, and where the system has them.
pub fn prefer_huge_pages(pages: &memmap2::MmapMut) {
    #[cfg(target_os = "linux")]
    if pages.len() >= HUGE {
        // Ignored: huge pages are an optimization.
        let _refused = pages.advise(memmap2::Advice::HugePage);
    }
    #[cfg(not(target_os = "linux"))]
    let _unused = pages;
}
