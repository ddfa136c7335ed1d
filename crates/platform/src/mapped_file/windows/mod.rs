//! Windows: views of a file in an address range that is reserved for them.
//!
//! Windows unmaps a view as a whole, and between that and the next mapping the addresses would be free for others. So the
//! range is a *placeholder* (`VirtualAlloc2` with `MEM_RESERVE_PLACEHOLDER`, since Windows 10 version 1803), which is
//! divided, and each part is replaced by a view. A view whose bytes cannot be read turns into a placeholder again, and
//! that into zeros.

mod fault;
mod view;

use std::fs::File;
use std::io;
use std::ops::Deref;

use self::view::{Range, Section};

pub(super) use self::fault::handle_faults;

/// Pages of a file.
pub(super) struct Pages {
    range: Range,
    /// Bytes before the first one that was asked for: views begin at multiples of [`view::GRANULARITY`].
    skipped: usize,
    len: usize,
    /// Open as long as the views: a temporary file is deleted when it is closed, and some file systems empty it first.
    _file: File,
}

impl Pages {
    pub(super) fn map(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        let too_short = || io::Error::new(io::ErrorKind::UnexpectedEof, "the file is too short");
        let end = offset.checked_add(len as u64).ok_or_else(too_short)?;
        if end > file.metadata()?.len() {
            return Err(too_short());
        }
        let skipped = (offset % view::GRANULARITY as u64) as usize;
        let section = Section::of(file)?;
        let mut range = Range::reserve(skipped + len)?;
        range.fill(&section, offset - skipped as u64, skipped + len)?;
        Ok(Self { range, skipped, len, _file: file.try_clone()? })
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.range.bytes(self.skipped, self.len)
    }
}
