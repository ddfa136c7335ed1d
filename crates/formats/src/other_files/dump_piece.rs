//! Recognises a piece of an HPROF dump that lacks the beginning: a segment file that the JVM had no time to merge, or a
//! part that a tool split off.

use crate::cursor::Cursor;

/// Number of bytes in which the first whole record must begin.
const SEARCHED: usize = 4096;
/// Number of consecutive records that are no chance.
const ENOUGH: u32 = 12;
/// Maximum length in bytes of a record in a row.
const LONGEST: u64 = 1 << 16;
/// Maximum serial number of a stack trace.
const SERIAL: u32 = 1 << 20;

/// True if the file begins with a segment, or if a row of records begins soon after its beginning.
pub(super) fn is_dump_piece(file: &[u8]) -> bool {
    let start = file.get(..file.len().min(SEARCHED + (LONGEST as usize))).unwrap_or_default();
    let offsets = || 0..SEARCHED.min(start.len()) as u64;
    begins_segment(start) || [8, 4].into_iter().any(|id_bytes| offsets().any(|at| is_row(start, at, id_bytes)))
}

/// HEAP_DUMP_SEGMENT, no time, a length, and the tag of a root or an object.
fn begins_segment(start: &[u8]) -> bool {
    let mut cursor = Cursor::new(start, 0);
    let is_segment = cursor.u8() == Some(0x1c) && cursor.u32() == Some(0);
    let length = cursor.u32().unwrap_or_default();
    is_segment && length > 0 && matches!(cursor.u8(), Some(1..=8 | 0x20..=0x23 | 0xff))
}

/// True if a row of records of objects begins here.
fn is_row(start: &[u8], at: u64, id_bytes: u64) -> bool {
    let mut offset = at;
    for _ in 0..ENOUGH {
        let Some(length) = record(start, offset, id_bytes) else { return false };
        offset += length;
    }
    true
}

/// Length in bytes of an instance or array record; `None` if none begins here.
fn record(start: &[u8], at: u64, id_bytes: u64) -> Option<u64> {
    let mut cursor = Cursor::new(start, at);
    let tag = cursor.u8()?;
    let id = |cursor: &mut Cursor<'_>| if id_bytes == 8 { cursor.u64() } else { cursor.u32().map(u64::from) };
    // Objects have even addresses, other than 0.
    id(&mut cursor).filter(|&id| id != 0 && id.is_multiple_of(8) && id >> 56 == 0)?;
    let serial = cursor.u32()?;
    let head = 1 + id_bytes + 4;
    let length = match tag {
        0x21 => {
            id(&mut cursor).filter(|&class| class != 0)?;
            head + id_bytes + 4 + u64::from(cursor.u32()?)
        }
        0x22 => {
            let count = u64::from(cursor.u32()?);
            id(&mut cursor).filter(|&class| class != 0)?;
            head + 4 + id_bytes + count.checked_mul(id_bytes)?
        }
        0x23 => {
            let count = u64::from(cursor.u32()?);
            let width = match cursor.u8()? {
                4 | 8 => 1,
                5 | 9 => 2,
                6 | 10 => 4,
                7 | 11 => 8,
                _ => return None,
            };
            head + 4 + 1 + count.checked_mul(width)?
        }
        _ => return None,
    };
    (serial < SERIAL && length < LONGEST).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances with 8 bytes of values.
    fn instances(count: u64) -> Vec<u8> {
        let one = |n: u64| {
            let id = (0x7000_0000 + n * 16).to_be_bytes();
            let head = [&[0x21][..], &id, &1_u32.to_be_bytes(), &0x6000_0000_u64.to_be_bytes()].concat();
            [head, 8_u32.to_be_bytes().to_vec(), vec![7; 8]].concat()
        };
        (0..count).flat_map(one).collect()
    }

    #[test]
    fn pieces_are_recognised_from_any_offset() {
        let records = instances(200);
        assert!(is_dump_piece(&records) && is_dump_piece(&records[13..]) && is_dump_piece(&records[500..]));
        assert!(is_dump_piece(&[&[0x1c, 0, 0, 0, 0, 0, 0, 0, 9, 5][..], &[0; 8]].concat()));
        for other in [&b""[..], b"\x1c\0\0\0\0\0\0\0\0", &[0x21; 9000], &[0; 9000], &instances(5)] {
            assert!(!is_dump_piece(other));
        }
    }
}
