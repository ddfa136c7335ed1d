//! Returns freed memory to the system.
//!
//! The allocator of the GNU C library keeps freed small and medium blocks in one arena per thread. Between the phases
//! of an open most of them are never reused.

/// Returns the allocator's free memory to the system. Takes time in proportion to that memory; does nothing on systems
/// without glibc, whose allocators do it themselves.
pub fn give_back() {
    super::reserve::refill();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a call of the C library")]
        // SAFETY: `malloc_trim` takes a number, returns one, may be called at any time by any thread, and touches
        // nothing but pages of free blocks. The result is true if memory was released.
        let _some = unsafe { libc::malloc_trim(0) };
    }
}
