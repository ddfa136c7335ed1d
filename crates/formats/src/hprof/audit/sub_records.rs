//! Sub-records of a heap dump, one after another.

use super::bytes::{Bytes, size_of};

/// A sub-record, as far as an audit needs it.
pub(super) enum SubRecord<'a> {
    Class,
    /// Name of the heap of the objects that follow.
    Heap(u64),
    /// Object, its class, values of its fields.
    Instance(u64, u64, &'a [u8]),
    /// Object, type, number of elements, and the elements as far as they are there.
    Array(u64, u64, usize, &'a [u8]),
    /// Root of a global reference of JNI: the object, and the address of the reference.
    Global(u64, &'a [u8]),
    Other,
}

/// Reads a sub-record; `None` if there is none of a known kind, or it is cut off.
pub(super) fn sub_record<'a>(bytes: &mut Bytes<'a>, id: usize) -> Option<SubRecord<'a>> {
    let tag = bytes.number(1)?;
    // Bytes of roots after their object.
    let of_root = match tag {
        0xff | 0x05 | 0x07 | 0x89..=0x8d | 0x90 => 0,
        0x01 => {
            let object = bytes.number(id)?;
            return Some(SubRecord::Global(object, bytes.take(id)?));
        }
        0x02 | 0x03 | 0x08 | 0x8e => 8,
        0x04 | 0x06 => 4,
        0x20 => {
            class(bytes, id)?;
            return Some(SubRecord::Class);
        }
        0x21 => {
            let object = bytes.number(id)?;
            bytes.take(4)?;
            let class = bytes.number(id)?;
            let length = bytes.length()?;
            return Some(SubRecord::Instance(object, class, bytes.take(length)?));
        }
        0x22 => {
            bytes.take(id + 4)?;
            let length = bytes.length()?;
            bytes.take(id.checked_add(length.checked_mul(id)?)?)?;
            return Some(SubRecord::Other);
        }
        0x23 | 0xc3 => {
            let object = bytes.number(id)?;
            bytes.take(4)?;
            let length = bytes.length()?;
            let kind = bytes.number(1).filter(|kind| *kind != 2)?;
            let size = length.checked_mul(size_of(kind, id)?)?;
            let elements = if tag == 0x23 { bytes.take(size)? } else { &[] };
            return Some(SubRecord::Array(object, kind, length, elements));
        }
        0xfe => {
            bytes.take(4)?;
            return Some(SubRecord::Heap(bytes.number(id)?));
        }
        _ => return None,
    };
    bytes.take(id + of_root)?;
    Some(SubRecord::Other)
}

fn class(bytes: &mut Bytes<'_>, id: usize) -> Option<()> {
    bytes.take(7 * id + 8)?;
    for name in [2, id] {
        for _ in 0..bytes.number(2)? {
            bytes.take(name)?;
            let size = size_of(bytes.number(1)?, id)?;
            bytes.take(size)?;
        }
    }
    for _ in 0..bytes.number(2)? {
        bytes.take(id)?;
        size_of(bytes.number(1)?, id)?;
    }
    Some(())
}
