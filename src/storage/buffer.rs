//! Large arrays while they are worked on. They are the system's own pages, in
//! huge pages where it has them: an array of hundreds of megabytes that is read
//! at random otherwise costs a miss of the address table for every miss of the
//! cache. Over a limit on memory they are pages of a nameless file instead.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;
use zerocopy::{FromBytes, IntoBytes, KnownLayout};

use super::pool::Pool;

/// A fixed number of values, all zero at first.
pub struct Buffer<T> {
    pages: Option<MmapMut>,
    len: usize,
    /// Where the pages go when they are no longer needed; none for pages of a file.
    pool: Option<Pool>,
    _values: PhantomData<T>,
}

impl<T> Default for Buffer<T> {
    /// No value at all.
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
    /// Over `pages`, which are all zero and hold `len` values; `pool` gets them back.
    pub(super) fn over(pages: Option<MmapMut>, len: usize, pool: Option<Pool>) -> Self {
        Self { pages, len, pool, _values: PhantomData }
    }

    /// Makes it shorter, or as long again as it was made: values in between are what they were.
    ///
    /// # Panics
    /// If that is longer than it was made.
    pub fn set_len(&mut self, len: usize) {
        let most = self.pages.as_deref().map_or(0, <[u8]>::len) / size_of::<T>();
        assert!(len <= most, "{len} of {most} values");
        self.len = len;
    }

    /// The values as atomics, for several threads to write to.
    ///
    /// # Panics
    /// If the atomics are not as wide as the values.
    pub fn shared<A: FromBytes + IntoBytes + Send + Sync>(&mut self) -> &[A]
    where
        [A]: KnownLayout<PointerMetadata = usize> + FromBytes + IntoBytes,
    {
        assert_eq!(size_of::<A>(), size_of::<T>(), "atomics as wide as the values");
        let bytes = self.len * size_of::<T>();
        let Some(pages) = self.pages.as_deref_mut().and_then(|pages| pages.get_mut(..bytes)) else { return &[] };
        // Pages begin at multiples of any alignment there is.
        <[A]>::mut_from_bytes(pages).unwrap_or_else(|error| unreachable!("{error:?}"))
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // No pages have no alignment.
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
