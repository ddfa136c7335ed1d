//! Memory-mapped files.

use std::ops::{Deref, Range};
use std::{fs::File, io, sync::Arc};

use bytemuck::Pod;
use heaplens_platform::mapped_file::MappedFile;
use memmap2::{MmapMut, MmapOptions};
use yoke::Yoke;

/// Read-only mapping of a file, or of a range of it; clones share it. Bytes that can no longer be read from the file
/// are zeros: see [`Mapping::lost_at`].
#[derive(Clone, Default)]
pub struct Mapping(Option<Arc<MappedFile>>);

/// Values in a mapped file, with the mapping: looking one up is as cheap as in any slice.
pub(super) type MappedSlice<T> = Yoke<&'static [T], Arc<MappedFile>>;

impl Mapping {
    /// Values in a byte range; `None` if it is out of bounds or misaligned for `T`, or the file is empty.
    pub(super) fn slice<T: Pod>(&self, bytes: Range<usize>) -> Option<MappedSlice<T>> {
        let values = MappedSlice::<T>::try_attach_to_cart(self.0.clone()?, |file| {
            file.get(bytes).and_then(|bytes| bytemuck::try_cast_slice(bytes).ok()).ok_or(())
        });
        values.ok()
    }

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
        MappedFile::of(file, range.start, len).map(|file| Self(Some(Arc::new(file))))
    }

    /// Offset of the first byte that could no longer be read, because another program truncated the file or the disk
    /// failed; `None` if all reads succeeded. Readers must check it before they use the data.
    pub fn lost_at(&self) -> Option<u64> {
        self.0.as_ref()?.lost_at()
    }
}

impl Deref for Mapping {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], |file| file)
    }
}

/// Maps an unnamed file of this process for writing. All its blocks are already allocated, so writing needs no more
/// disk space.
#[expect(unsafe_code, reason = "the language cannot check access to a mapped file")]
pub(super) fn map_own(file: &File, len: usize) -> io::Result<MmapMut> {
    // SAFETY: the file has no name (see `Space`), so no other process can write to it or truncate it.
    unsafe { MmapOptions::new().len(len).map_mut(file) }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::io::Write;

    use super::Mapping;

    const PAGE: usize = 1 << 16; // a multiple of all page sizes

    fn mapped(pages: usize) -> (std::fs::File, Mapping) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&vec![7; pages * PAGE]).expect("room for it");
        let mapping = Mapping::of(&file).expect("it is mapped");
        (file, mapping)
    }

    /// False on Windows, which does not shorten a mapped file.
    fn shorten(file: &std::fs::File, bytes: usize) -> bool {
        let shortened = file.set_len(bytes as u64);
        if let Err(error) = &shortened {
            assert_eq!(error.raw_os_error(), Some(1224), "{error}");
        }
        shortened.is_ok()
    }

    #[test]
    fn pages_lost_by_truncation_are_zeros_and_reported() {
        let (file, mapping) = mapped(4);
        let (other_file, other) = mapped(4);
        assert_eq!(mapping.lost_at(), None);
        if !shorten(&file, PAGE) {
            return;
        }
        assert_eq!(mapping[PAGE - 1], 7);
        assert_eq!(mapping.lost_at(), None, "nothing was missed yet");
        assert_eq!(mapping[3 * PAGE + 5], 0);
        assert_eq!(mapping.lost_at(), Some(3 * PAGE as u64 + 5));
        assert_eq!(mapping[PAGE], 0);
        assert_eq!(mapping.clone().lost_at(), Some(PAGE as u64), "the first of all, by all who share it");
        assert_eq!(mapping.iter().map(|&b| u64::from(b)).sum::<u64>(), 7 * PAGE as u64);
        assert_eq!(other.lost_at(), None);
        drop(mapping);
        other_file.set_len(0).expect("it can be made shorter");
        assert_eq!((other[0], other.lost_at()), (0, Some(0)));
    }

    #[test]
    fn every_thread_survives_truncation() {
        let (file, mapping) = mapped(64);
        if !shorten(&file, 0) {
            return;
        }
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let mapping = &mapping;
                scope.spawn(move || {
                    for page in 0..64 {
                        assert_eq!(mapping[(page * 7 + thread * 5) % 64 * PAGE], 0);
                    }
                });
            }
        });
        assert_eq!(mapping.lost_at(), Some(0));
    }
}
