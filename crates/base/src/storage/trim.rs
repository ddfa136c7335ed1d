//! Returns freed memory to the system.
//!
//! The allocator of the GNU C library keeps freed small and medium blocks in one arena per thread. Between the phases
//! of an open most of them are never reused.

use heaplens_platform::memory::give_back_free_blocks;

/// Returns the allocator's free memory to the system, and fills the reserve again. Takes time in proportion to that
/// memory.
pub fn give_back() {
    super::reserve::refill();
    give_back_free_blocks();
}
