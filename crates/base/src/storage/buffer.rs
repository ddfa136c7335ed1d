//! Large mutable arrays. They are anonymous mappings, in huge pages if available: random access to an array of
//! hundreds of megabytes otherwise costs a TLB miss for every cache miss. Beyond the memory limit they are mappings of
//! an unnamed temporary file.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU32;

use bytemuck::Pod;
use memmap2::MmapMut;
use zerocopy::{FromBytes, IntoBytes, KnownLayout};

use super::pool::Pool;

/// Array of fixed capacity, initially all zero unless made by `Space::scratch`.
pub struct Buffer<T> {
    pages: Option<MmapMut>,
    len: usize,
    /// Pool that gets the pages back on drop; `None` for pages of a file.
    pool: Option<Pool>,
    _values: PhantomData<T>,
}

impl<T> Default for Buffer<T> {
    /// Empty array.
    fn default() -> Self {
        Self { pages: None, len: 0, pool: None, _values: PhantomData }
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let (Some(pool), Some(pages)) = (&self.pool, self.pages.take()) {
            pool.give_back(pages);
        }
    }
}

impl<T: Pod> Buffer<T> {
    /// Array of `len` values in `pages`; `pool` gets the pages back on drop.
    pub(super) fn over(pages: Option<MmapMut>, len: usize, pool: Option<Pool>) -> Self {
        Self { pages, len, pool, _values: PhantomData }
    }

    /// Changes the length, up to the original one; values beyond the current length are unchanged.
    ///
    /// # Panics
    /// If `len` is above the original length.
    pub fn set_len(&mut self, len: usize) {
        let most = self.pages.as_deref().map_or(0, <[u8]>::len) / size_of::<T>();
        assert!(len <= most, "{len} of {most} values");
        self.len = len;
    }

    /// The values as atomics, so that several threads can write.
    ///
    /// # Panics
    /// If atomics and values differ in size.
    pub fn shared<A: FromBytes + IntoBytes + Send + Sync>(&mut self) -> &[A]
    where
        [A]: KnownLayout<PointerMetadata = usize> + FromBytes + IntoBytes,
    {
        assert_eq!(size_of::<A>(), size_of::<T>(), "atomics as wide as the values");
        let bytes = self.len * size_of::<T>();
        let Some(pages) = self.pages.as_deref_mut().and_then(|pages| pages.get_mut(..bytes)) else { return &[] };
        // Page addresses are multiples of all alignments.
        <[A]>::mut_from_bytes(pages).unwrap_or_else(|error| unreachable!("{error:?}"))
    }
}

/// The values as atomics, so that several threads can write them.
pub fn as_atomics(values: &mut [u32]) -> &[AtomicU32] {
    // Both have the same size and alignment.
    <[AtomicU32]>::mut_from_bytes(values.as_mut_bytes()).unwrap_or_else(|error| unreachable!("{error:?}"))
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // An empty slice of bytes may not be aligned for `T`.
        let Some(pages) = self.pages.as_deref() else { return &[] };
        bytemuck::cast_slice(&pages[..self.len * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let Some(pages) = self.pages.as_deref_mut() else { return &mut [] };
        bytemuck::cast_slice_mut(&mut pages[..self.len * size_of::<T>()])
    }
}
