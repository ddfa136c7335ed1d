//! Memory-mapped files.

use std::ops::{Deref, Range};
use std::{fs::File, io, sync::Arc};

use memmap2::{Mmap, MmapMut, MmapOptions};

use super::guard::Guard;

/// Read-only mapping of a file, or of a range of it; clones share it. Bytes that can no longer be read from the file
/// are zeros: see [`Mapping::lost`].
#[derive(Clone, Default)]
pub struct Mapping(Option<Arc<Guarded>>);

struct Guarded {
    /// First field, so that it is dropped before the mapping that it protects.
    guard: Guard,
    map: Mmap,
}

impl Mapping {
    /// Maps a whole file.
    pub fn of(file: &File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Self::part(file, 0..len)
    }

    /// Maps a range of a file; `range` must start at a multiple of the page size.
    pub fn part(file: &File, range: Range<u64>) -> io::Result<Self> {
        let len = usize::try_from(range.end.saturating_sub(range.start)).map_err(io::Error::other)?;
        // Some systems reject empty mappings.
        if len == 0 {
            return Ok(Self(None));
        }
        map(file, range.start, len).map(|map| {
            let guard = Guard::over(map.as_ptr(), map.len());
            Self(Some(Arc::new(Guarded { guard, map })))
        })
    }

    /// Offset of the first byte that could no longer be read, because another program truncated the file or the disk
    /// failed; `None` if all reads succeeded. Readers must check it before they use the data.
    pub fn lost(&self) -> Option<u64> {
        self.0.as_ref()?.guard.lost()
    }
}

impl Deref for Mapping {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |guarded| &guarded.map)
    }
}

#[expect(unsafe_code, reason = "the language cannot check access to a mapped file")]
fn map(file: &File, offset: u64, len: usize) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and shared as `&[u8]`. The language requires that these bytes never
    // change. A program that writes to the file while it is open violates that and changes results, but
    // every read is bounds-checked against the mapped length, nothing read is used as a pointer, index or
    // length without a check, and no reference is kept to data whose validity depends on its value. Bytes
    // that can no longer be read become zeros (`guard.rs`).
    unsafe { MmapOptions::new().offset(offset).len(len).map(file) }
}

/// Maps an unnamed file of this process for writing. All its blocks are already allocated, so writing needs no more
/// disk space.
#[expect(unsafe_code, reason = "as above, for a file that no other process can open")]
pub(super) fn map_own(file: &File, len: usize) -> io::Result<MmapMut> {
    // SAFETY: the file has no name (see `Space`), so no other process can write to it or truncate it.
    unsafe { MmapOptions::new().len(len).map_mut(file) }
}
