//! Lengths of sub-records, for copying them without parsing their contents.

use crate::cursor::Cursor;
use crate::hprof::tags::{BasicType, sub};

/// Form in which elements of primitive arrays are stored in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hprof) enum ElementStorage {
    /// All of them.
    Present,
    /// Only their number, although the length of the segment includes them.
    Omitted,
}

/// Measured sub-record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::hprof) struct RecordSize {
    pub(in crate::hprof) tag: u8,
    /// Bytes that are there.
    pub(in crate::hprof) stored_bytes: u64,
    /// Size included in the length of the segment, in bytes.
    pub(in crate::hprof) declared_bytes: u64,
    /// True if it is a primitive array with elements.
    pub(in crate::hprof) has_elements: bool,
}

/// Measures the sub-record at `cursor` and moves past it. `None` if there is none, or it is truncated.
pub(in crate::hprof) fn measure(cursor: &mut Cursor<'_>, id_bytes: u32, numbers: ElementStorage) -> Option<RecordSize> {
    let (start, id) = (cursor.offset(), u64::from(id_bytes));
    let tag = cursor.u8()?;
    let (mut left_out, mut has_elements) = (0, false);
    match tag {
        _ if let Some((_, shape)) = sub::root(tag) => cursor.skip(id + u64::from(shape.bytes(id_bytes)))?,
        sub::UNREACHABLE => cursor.skip(id)?,
        sub::HEAP_DUMP_INFO => cursor.skip(4 + id)?,
        sub::INSTANCE_DUMP => {
            cursor.skip(2 * id + 4)?;
            let length = cursor.u32()?;
            cursor.skip(length.into())?;
        }
        sub::OBJECT_ARRAY_DUMP => {
            cursor.skip(id + 4)?;
            let length = cursor.u32()?;
            cursor.skip(id + u64::from(length) * id)?;
        }
        sub::PRIMITIVE_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_NODATA => {
            cursor.skip(id + 4)?;
            let length = cursor.u32()?;
            let kind = BasicType::from_tag(cursor.u8()?).filter(|&kind| kind != BasicType::Object)?;
            let bytes = u64::from(length) * u64::from(kind.bytes(id_bytes));
            if tag == sub::PRIMITIVE_ARRAY_DUMP {
                has_elements = length > 0;
                match numbers {
                    ElementStorage::Present => cursor.skip(bytes)?,
                    ElementStorage::Omitted => left_out = bytes,
                }
            }
        }
        sub::CLASS_DUMP => class(cursor, id_bytes)?,
        _ => return None,
    }
    let stored_bytes = cursor.offset() - start;
    Some(RecordSize { tag, stored_bytes, declared_bytes: stored_bytes + left_out, has_elements })
}

fn class(cursor: &mut Cursor<'_>, id_bytes: u32) -> Option<()> {
    cursor.skip(7 * u64::from(id_bytes) + 8)?;
    members(cursor, id_bytes)
}

/// Constants, statics and fields of a class.
pub(in crate::hprof) fn members(cursor: &mut Cursor<'_>, id_bytes: u32) -> Option<()> {
    let width = |cursor: &mut Cursor<'_>| Some(u64::from(BasicType::from_tag(cursor.u8()?)?.bytes(id_bytes)));
    for _ in 0..cursor.u16()? {
        cursor.u16()?;
        let width = width(cursor)?;
        cursor.skip(width)?;
    }
    for _ in 0..cursor.u16()? {
        cursor.skip(id_bytes.into())?;
        let width = width(cursor)?;
        cursor.skip(width)?;
    }
    for _ in 0..cursor.u16()? {
        cursor.skip(u64::from(id_bytes) + 1)?;
    }
    Some(())
}

/// Builds a record: tag, zero timestamp, length, and body.
pub(in crate::hprof) fn record(out: &mut Vec<u8>, tag: u8, body: &[u8]) {
    out.extend(record_head(tag, body.len() as u32));
    out.extend_from_slice(body);
}

pub(in crate::hprof) fn record_head(tag: u8, length: u32) -> [u8; 9] {
    let [a, b, c, d] = length.to_be_bytes();
    [tag, 0, 0, 0, 0, a, b, c, d]
}
