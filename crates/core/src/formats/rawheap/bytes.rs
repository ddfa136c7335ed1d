//! Panic-free reader of little-endian numbers: reads past the end yield `None`. [`Cursor`] reads big-endian ones.

use crate::formats::cursor::Cursor;

fn array_at<const N: usize>(bytes: &[u8], at: u64) -> Option<[u8; N]> {
    bytes.get(usize::try_from(at).ok()?..)?.first_chunk::<N>().copied()
}

#[inline]
pub(super) fn u32_at(bytes: &[u8], at: u64) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

#[inline]
pub(super) fn u64_at(bytes: &[u8], at: u64) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}

/// Bytes from one offset to another, clipped to the existing ones.
pub(super) fn between(bytes: &[u8], start: u64, end: u64) -> &[u8] {
    let end = end.min(bytes.len() as u64);
    bytes.get(usize::try_from(start.min(end)).unwrap_or(usize::MAX)..end as usize).unwrap_or_default()
}

/// Text up to the first NUL.
pub(super) fn to_nul(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Sequential reader of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(Cursor<'a>);

impl<'a> Reader<'a> {
    /// At `offset` of `bytes`.
    pub(super) fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self(Cursor::new(bytes, offset))
    }

    pub(super) fn offset(&self) -> u64 {
        self.0.offset()
    }

    pub(super) fn left(&self) -> u64 {
        self.0.left()
    }

    pub(super) fn take(&mut self, n: u64) -> Option<&'a [u8]> {
        self.0.take(n)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.0.u8()
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.0.u16().map(u16::swap_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.0.u32().map(u32::swap_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.0.u64().map(u64::swap_bytes)
    }

    /// A number of `bytes` bytes, at most eight.
    pub(super) fn number(&mut self, bytes: u64) -> Option<u64> {
        let taken = self.take(bytes)?;
        Some(taken.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}
