//! Files that are mapped for reading, and pages of them that can no longer be read: another program truncated the file,
//! the disk failed, the device was removed, or a network share vanished. Without a handler that ends the process.
//!
//! The handler puts zeros in the place of such pages and records their offset. The read continues, and the caller checks
//! afterwards whether data was lost ([`MappedFile::lost_at`]), so intact files have no overhead. libwayland protects
//! compositors against clients that shrink a shared buffer in the same way (`wl_shm_buffer_begin_access`).

mod slots;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::File;
use std::io;
use std::ops::Deref;

use self::slots::GuardSlot;
#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

/// A read-only view of a file, or of a part of it. Bytes that can no longer be read are zeros.
pub struct MappedFile {
    /// Entry in the handler's table; `None` if that is full.
    slot: Option<&'static GuardSlot>,
    pages: system::Pages,
}

impl MappedFile {
    /// Maps `len` bytes from `offset`; `len` must not be zero.
    ///
    /// # Errors
    /// If the file is shorter, cannot be mapped, or the address space is full.
    pub fn of(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        system::handle_faults();
        let pages = system::Pages::map(file, offset, len)?;
        Ok(Self { slot: slots::take(pages.as_ptr().addr(), len), pages })
    }

    /// Offset in the view of the first byte that could not be read; `None` if nothing was lost.
    pub fn lost_at(&self) -> Option<u64> {
        self.slot.and_then(GuardSlot::lost_at)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.pages
    }
}

impl Drop for MappedFile {
    /// Leaves the table before the pages are unmapped.
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            slot.leave();
        }
    }
}
