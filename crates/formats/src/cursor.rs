//! Panic-free reader of numbers, big-endian unless their name says otherwise: reads past the end yield `None`.

/// Reading position in a byte slice. Copies are cheap and independent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at `offset` of `bytes`; past the end nothing can be read.
    pub(crate) fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { bytes, at: usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len()) }
    }

    /// Current position, in bytes from the start of the file.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.at as u64
    }

    #[inline]
    pub(crate) fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    #[inline]
    pub(crate) fn take(&mut self, n: u64) -> Option<&'a [u8]> {
        let end = self.at.checked_add(usize::try_from(n).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

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

    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[b]| b)
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    pub(crate) fn u16_le(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32_le(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64_le(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// An id of `size` bytes, 4 or 8.
    #[inline]
    pub(crate) fn id(&mut self, size: u32) -> Option<u64> {
        if size == 8 { self.u64() } else { self.u32().map(u64::from) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_past_the_end_is_none_and_does_not_advance() {
        let bytes: Vec<u8> = (1..=9).collect();
        for offset in [0, 1, 8, 9, 10, 1 << 32, u64::MAX] {
            let start = Cursor::new(&bytes, offset);
            let left = 9_u64.saturating_sub(offset);
            assert_eq!((start.offset(), start.left()), (offset.min(9), left));
            for n in [0, 1, left, left + 1, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
                let mut cursor = start;
                assert_eq!(cursor.take(n).map(|taken| taken.len() as u64), (n <= left).then_some(n), "{n} at {offset}");
                assert_eq!(cursor.left(), if n <= left { left - n } else { left });
            }
        }
        let mut cursor = Cursor::new(&bytes, 0);
        let read = (cursor.u8(), cursor.u16(), cursor.u32(), cursor.u64(), cursor.skip(2), cursor.left());
        assert_eq!(read, (Some(1), Some(0x0203), Some(0x0405_0607), None, Some(()), 0));
    }
}
