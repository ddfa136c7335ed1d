//! Parts of a snapshot as they are written.

use std::io::Write;
use std::ops::Range;

use super::placeholders::Placeholder;
use super::snapshot::malformed;
use crate::error::OpenError;
use heaplens_base::Task;

/// Bytes written between cancellation checks.
const CHUNK: usize = 1 << 20;
/// Blanks written at once.
const BLANKS: [u8; 1 << 12] = [b'?'; 1 << 12];

/// Form of a section of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbered {
    /// The range is inside of the brackets.
    List,
    /// The range includes brackets, and lists within lists.
    Tree,
}

/// Copies a section that has nothing but numbers.
///
/// # Errors
/// If it has anything else, which may be a value.
pub(super) fn numbers(
    file: &[u8],
    range: Range<usize>,
    form: Numbered,
    out: &mut dyn Write,
    task: &Task,
) -> Result<(), OpenError> {
    let is_number = |byte: u8| byte.is_ascii_digit() || byte == b',' || byte.is_ascii_whitespace() || byte == b'-';
    let fits = |&byte: &u8| is_number(byte) || (form == Numbered::Tree && matches!(byte, b'[' | b']'));
    let bytes = file.get(range.clone()).unwrap_or_default();
    if form == Numbered::List {
        out.write_all(b"[")?;
    }
    let mut written = Vec::with_capacity(CHUNK.min(bytes.len()));
    let mut is_spaced = false;
    for (at, chunk) in bytes.chunks(CHUNK).enumerate() {
        task.advance_checked(chunk.len() as u64)?;
        if let Some(odd) = chunk.iter().position(|byte| !fits(byte)) {
            return Err(malformed((range.start + at * CHUNK + odd) as u64));
        }
        written.clear();
        for &byte in chunk {
            // A line end for any whitespace, of which nothing else remains.
            let is_space = byte.is_ascii_whitespace();
            if !is_space {
                written.push(byte);
            } else if !is_spaced {
                written.push(b'\n');
            }
            is_spaced = is_space;
        }
        out.write_all(&written)?;
    }
    if form == Numbered::List {
        out.write_all(b"]")?;
    }
    Ok(())
}

/// Writes a string as in the file, between quotes.
pub(super) fn string(raw: &[u8], out: &mut dyn Write) -> Result<(), OpenError> {
    out.write_all(b"\"")?;
    out.write_all(raw)?;
    out.write_all(b"\"")?;
    Ok(())
}

/// Writes a placeholder between quotes.
pub(super) fn placeholder(placeholder: Placeholder, out: &mut dyn Write) -> Result<(), OpenError> {
    let (mut blanks, digits) = placeholder.parts();
    out.write_all(b"\"")?;
    while blanks > 0 {
        let some = BLANKS.get(..blanks).unwrap_or(&BLANKS);
        out.write_all(some)?;
        blanks -= some.len();
    }
    out.write_all(digits.as_bytes())?;
    out.write_all(b"\"")?;
    Ok(())
}
