//! Dumps that KOOM cropped while they were written. Primitive arrays have a header but no elements, while the length of
//! their segment includes the elements, so lengths cannot be trusted. The header does not show this: a dump is read in
//! both ways until one of them fails.

use super::conversion_output::ConversionOutput;
use crate::hprof::record_sizes::{ElementStorage, measure, record};
use crate::hprof::tags::{record as tags, sub};
use crate::{cursor::Cursor, error::OpenError, hprof::records::ANDROID_VERSION};

/// Number of arrays to read before deciding.
const ARRAYS: usize = 16;
/// Number of bytes read to decide.
const BYTES: u64 = 16 << 20;

/// Result of reading the first segments in one of the possible ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadOutcome {
    /// All ended correctly.
    Complete,
    /// The file ended before.
    Truncated,
    /// One did not.
    Malformed,
}

/// Offset of the first record and size of an id in bytes.
fn first_segment(file: &[u8]) -> Option<(u32, u64)> {
    let mut cursor = Cursor::new(file, 0);
    let version = cursor.take(ANDROID_VERSION.len() as u64 + 1)?;
    let id_bytes = cursor.u32().filter(|_| version.strip_suffix(&[0]) == Some(ANDROID_VERSION.as_bytes()))?;
    cursor.skip(8)?;
    Some((id_bytes, cursor.offset()))
}

pub(super) fn is_cropped(file: &[u8]) -> bool {
    let Some((id_bytes, at)) = first_segment(file) else { return false };
    match read(file, at, id_bytes, ElementStorage::Present) {
        ReadOutcome::Complete => false,
        ReadOutcome::Truncated => read(file, at, id_bytes, ElementStorage::Omitted) == ReadOutcome::Complete,
        ReadOutcome::Malformed => read(file, at, id_bytes, ElementStorage::Omitted) != ReadOutcome::Malformed,
    }
}

/// Reads the first segments, until there were enough arrays.
fn read(file: &[u8], at: u64, id_bytes: u32, numbers: ElementStorage) -> ReadOutcome {
    let (mut cursor, mut arrays) = (Cursor::new(file, at), 0);
    while cursor.left() > 0 && cursor.offset() < at + BYTES && arrays < ARRAYS {
        let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) else {
            return ReadOutcome::Truncated;
        };
        if !tags::is_known(tag) {
            return ReadOutcome::Malformed;
        }
        if tag != tags::HEAP_DUMP_SEGMENT && tag != tags::HEAP_DUMP {
            if cursor.skip(length.into()).is_none() {
                return ReadOutcome::Truncated;
            }
            continue;
        }
        let mut declared_bytes = 0;
        while declared_bytes < u64::from(length) {
            let at = cursor;
            let Some(of) = measure(&mut cursor, id_bytes, numbers) else {
                return if is_cut_off(at) { ReadOutcome::Truncated } else { ReadOutcome::Malformed };
            };
            declared_bytes += of.declared_bytes;
            arrays += usize::from(of.has_elements);
        }
        if declared_bytes > u64::from(length) {
            return ReadOutcome::Malformed;
        }
    }
    ReadOutcome::Complete
}

/// True if the file ends inside the sub-record at `cursor`, according to its tag.
fn is_cut_off(mut cursor: Cursor<'_>) -> bool {
    cursor.u8().is_none_or(|tag| {
        matches!(tag, sub::CLASS_DUMP..=sub::PRIMITIVE_ARRAY_DUMP | sub::ROOT_JNI_GLOBAL..=sub::ROOT_THREAD_OBJECT)
    })
}

/// Writes the dump in the standard form, with a record type of its own for such arrays. Returns the offset at which
/// reading stopped, if it is before the end.
pub(super) fn rewrite(file: &[u8], output: &mut ConversionOutput<'_>) -> Result<Option<u64>, OpenError> {
    let Some((id_bytes, at)) = first_segment(file) else { return Ok(None) };
    let mut cursor = Cursor::new(file, 0);
    output.write(cursor.take(at).unwrap_or_default())?;
    let mut out = Vec::new();
    while cursor.left() > 0 {
        let start = cursor.offset();
        let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) else {
            return Ok(Some(start));
        };
        if tag != tags::HEAP_DUMP_SEGMENT && tag != tags::HEAP_DUMP {
            let left = cursor.left().min(length.into());
            record(&mut out, tag, cursor.take(left).unwrap_or_default());
            output.write(&out)?;
            out.clear();
            continue;
        }
        let (mut declared_bytes, mut body) = (0, Vec::new());
        while declared_bytes < u64::from(length) {
            let (at, mut before) = (cursor.offset(), cursor);
            let Some(of) = measure(&mut cursor, id_bytes, ElementStorage::Omitted) else {
                record(&mut out, tag, &body);
                output.write(&out)?;
                return Ok(Some(at));
            };
            declared_bytes += of.declared_bytes;
            let bytes = before.take(of.stored_bytes).unwrap_or_default();
            match bytes {
                [sub::PRIMITIVE_ARRAY_DUMP, rest @ ..] if of.has_elements => {
                    body.push(sub::PRIMITIVE_ARRAY_NODATA);
                    body.extend_from_slice(rest);
                }
                _ => body.extend_from_slice(bytes),
            }
        }
        record(&mut out, tag, &body);
        output.write(&out)?;
        out.clear();
    }
    Ok(None)
}
