//! Dumps that KOOM cropped while they were written. Primitive arrays have a header but no elements, while the length of
//! their segment includes the elements, so lengths cannot be trusted. The header does not show this: a dump is read in
//! both ways until one of them fails.

use super::rewrite::{Numbers, measure, record};
use super::unpacked::{Parts, Rewritten};
use crate::formats::cursor::Cursor;
use crate::formats::error::OpenError;
use crate::formats::hprof::tags::{record as tags, sub};

/// Number of arrays to read before deciding.
const ARRAYS: usize = 16;
/// Number of bytes read to decide.
const BYTES: u64 = 16 << 20;

/// Result of reading the first segments in one of the possible ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    /// All ended correctly.
    Well,
    /// The file ended before.
    CutOff,
    /// One did not.
    Wrong,
}

/// Offset of the first record and size of an id in bytes.
fn begun(file: &[u8]) -> Option<(u32, u64)> {
    let mut cursor = Cursor::new(file, 0);
    let version = cursor.take(super::VERSION.len() as u64 + 1)?;
    let id_bytes = cursor.u32().filter(|_| version.strip_suffix(&[0]) == Some(super::VERSION.as_bytes()))?;
    cursor.skip(8)?;
    Some((id_bytes, cursor.offset()))
}

/// True if a dump was cropped in this way.
pub(super) fn is_cropped(file: &[u8]) -> bool {
    let Some((id_bytes, at)) = begun(file) else { return false };
    match read(file, at, id_bytes, Numbers::There) {
        Read::Well => false,
        Read::CutOff => read(file, at, id_bytes, Numbers::LeftOut) == Read::Well,
        Read::Wrong => read(file, at, id_bytes, Numbers::LeftOut) != Read::Wrong,
    }
}

/// Reads the first segments, until there were enough arrays.
fn read(file: &[u8], at: u64, id_bytes: u32, numbers: Numbers) -> Read {
    let (mut cursor, mut arrays) = (Cursor::new(file, at), 0);
    while cursor.left() > 0 && cursor.offset() < at + BYTES && arrays < ARRAYS {
        let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) else { return Read::CutOff };
        if !tags::is_known(tag) {
            return Read::Wrong;
        }
        if tag != tags::HEAP_DUMP_SEGMENT && tag != tags::HEAP_DUMP {
            if cursor.skip(length.into()).is_none() {
                return Read::CutOff;
            }
            continue;
        }
        let mut counted = 0;
        while counted < u64::from(length) {
            let at = cursor;
            let Some(of) = measure(&mut cursor, id_bytes, numbers) else {
                return if is_cut_off(at) { Read::CutOff } else { Read::Wrong };
            };
            counted += of.counted;
            arrays += usize::from(of.has_numbers);
        }
        if counted > u64::from(length) {
            return Read::Wrong;
        }
    }
    Read::Well
}

/// True if the file ends inside the sub-record at `cursor`, according to its tag.
fn is_cut_off(mut cursor: Cursor<'_>) -> bool {
    cursor.u8().is_none_or(|tag| {
        matches!(tag, sub::CLASS_DUMP..=sub::PRIMITIVE_ARRAY_DUMP | sub::ROOT_JNI_GLOBAL..=sub::ROOT_THREAD_OBJECT)
    })
}

/// Writes the dump in the standard form, with a record type of its own for such arrays.
pub(super) fn rewrite(file: &[u8], parts: &mut Parts<'_>) -> Result<Rewritten, OpenError> {
    let Some((id_bytes, at)) = begun(file) else { return Ok(Rewritten::default()) };
    let mut cursor = Cursor::new(file, 0);
    parts.write(cursor.take(at).unwrap_or_default())?;
    let mut out = Vec::new();
    while cursor.left() > 0 {
        let start = cursor.offset();
        let (Some(tag), Some(_), Some(length)) = (cursor.u8(), cursor.u32(), cursor.u32()) else {
            return Ok(Rewritten::broken(start));
        };
        if tag != tags::HEAP_DUMP_SEGMENT && tag != tags::HEAP_DUMP {
            let left = cursor.left().min(length.into());
            record(&mut out, tag, cursor.take(left).unwrap_or_default());
            parts.write(&out)?;
            out.clear();
            continue;
        }
        let (mut counted, mut body) = (0, Vec::new());
        while counted < u64::from(length) {
            let (at, mut before) = (cursor.offset(), cursor);
            let Some(of) = measure(&mut cursor, id_bytes, Numbers::LeftOut) else {
                record(&mut out, tag, &body);
                parts.write(&out)?;
                return Ok(Rewritten::broken(at));
            };
            counted += of.counted;
            let bytes = before.take(of.there).unwrap_or_default();
            match bytes {
                [sub::PRIMITIVE_ARRAY_DUMP, rest @ ..] if of.has_numbers => {
                    body.push(sub::PRIMITIVE_ARRAY_NODATA);
                    body.extend_from_slice(rest);
                }
                _ => body.extend_from_slice(bytes),
            }
        }
        record(&mut out, tag, &body);
        parts.write(&out)?;
        out.clear();
    }
    Ok(Rewritten::default())
}
