//! Little-endian numbers and texts at an offset: reads past the end yield `None`.

use crate::cursor::Cursor;

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

/// A little-endian number of `bytes` bytes, at most eight.
pub(super) fn number(reader: &mut Cursor<'_>, bytes: u64) -> Option<u64> {
    Some(reader.take(bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
