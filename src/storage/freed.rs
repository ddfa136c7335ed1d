//! Memory that was freed, back to the system.
//!
//! The allocator of the GNU C library keeps what many small and middling
//! blocks leave behind, in an arena for every thread; where most of it is never
//! asked for again, as between the phases of an open, it is only in the way.

/// Gives back what the allocator keeps. Costs as much as there is to give back; elsewhere than on GNU systems
/// allocators do so by themselves.
pub fn give_back() {
    super::reserve::put_by();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a call of the C library")]
        // SAFETY: `malloc_trim` takes a number, returns one, may be called at any time by any thread, and touches
        // nothing but pages of free blocks. What it returns says whether there was any.
        let _some = unsafe { libc::malloc_trim(0) };
    }
}
