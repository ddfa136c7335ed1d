//! Reads big-endian numbers from bytes without a way to panic: what is not
//! there is `None`.

/// A place in some bytes. Copies are cheap and independent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At `offset` of `bytes`; past the end nothing can be read.
    pub(crate) fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { bytes, at: usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len()) }
    }

    /// Where it stands.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.at as u64
    }

    /// How many bytes are left.
    #[inline]
    pub(crate) fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    /// The next `n` bytes.
    #[inline]
    pub(crate) fn take(&mut self, n: u64) -> Option<&'a [u8]> {
        let end = self.at.checked_add(usize::try_from(n).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// Goes on `n` bytes.
    #[inline]
    pub(crate) fn skip(&mut self, n: u64) -> Option<()> {
        self.take(n).map(|_| ())
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*taken)
    }

    /// One byte.
    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[b]| b)
    }

    /// Two bytes.
    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes.
    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes.
    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// An id of `size` bytes, 4 or 8.
    #[inline]
    pub(crate) fn id(&mut self, size: u32) -> Option<u64> {
        if size == 8 { self.u64() } else { self.u32().map(u64::from) }
    }
}
