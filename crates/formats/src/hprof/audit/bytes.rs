//! Bytes of a file, read without a panic. Numbers are big-endian.

use std::ops::Range;

/// Position in a part of a file.
#[derive(Debug, Clone)]
pub(super) struct Bytes<'a> {
    file: &'a [u8],
    pub(super) at: usize,
    end: usize,
}

impl<'a> Bytes<'a> {
    /// A part of a file; its end is clipped.
    pub(super) fn new(file: &'a [u8], range: Range<usize>) -> Self {
        Self { file, at: range.start, end: range.end.min(file.len()) }
    }

    pub(super) fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    pub(super) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(bytes).filter(|end| *end <= self.end)?;
        let taken = self.file.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// A number of up to eight bytes.
    pub(super) fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A number of four bytes as a length.
    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number(4)?).ok()
    }

    /// All that is left.
    pub(super) fn rest(&mut self) -> &'a [u8] {
        self.take(self.left()).unwrap_or_default()
    }
}

/// True if there is nothing but zeros.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Bytes of a value of a type, by the number of the type; 2 is a reference.
pub(super) fn size_of(kind: u64, id_bytes: usize) -> Option<usize> {
    Some(match kind {
        2 => id_bytes,
        4 | 8 => 1,
        5 | 9 => 2,
        6 | 10 => 4,
        7 | 11 => 8,
        _ => return None,
    })
}

/// Java name of a type.
pub(super) fn type_name(kind: u64) -> &'static str {
    match kind {
        4 => "boolean",
        5 => "char",
        6 => "float",
        7 => "double",
        8 => "byte",
        9 => "short",
        10 => "int",
        11 => "long",
        _ => "object",
    }
}
