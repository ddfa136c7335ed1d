//! Handler for SIGBUS, which the system sends on access to a mapped page that can no longer be read: another program
//! truncated the file, the disk failed, or the device was removed. Without a handler it ends the process.
//!
//! The handler maps zeros over the page and records its offset. The read continues, and the caller checks afterwards
//! whether data was lost ([`Guard::lost`]), so intact files have no overhead. libwayland protects compositors against
//! clients that shrink a shared buffer in the same way (`wl_shm_buffer_begin_access`).

#[cfg(not(unix))]
mod other;
mod places;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use self::other as system;
#[cfg(unix)]
use self::unix as system;

/// Protects a mapping during the guard's lifetime. Does nothing if the table is full, or on systems without SIGBUS.
pub struct Guard(Option<&'static places::GuardSlot>);

impl Guard {
    /// Protects `len` bytes from `start`, which must stay mapped during the guard's lifetime.
    pub fn over(start: *const u8, len: usize) -> Self {
        system::expect();
        Self(places::take(start.addr(), len))
    }

    /// Offset of the first byte that could not be read; `None` if nothing was lost.
    pub fn lost(&self) -> Option<u64> {
        self.0.and_then(places::GuardSlot::lost)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            place.leave();
        }
    }
}
