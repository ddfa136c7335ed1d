//! Numbers in class dumps.

use crate::cursor::Cursor;
use crate::hprof::tags::BasicType;

/// Number in a class dump: a constant, or a static field with the id of its name.
pub(super) struct ClassNumber {
    pub(super) name: Option<u64>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Numbers in a class dump, given its bytes.
pub(super) fn class_numbers(bytes: &[u8], id_bytes: u32) -> Option<Vec<ClassNumber>> {
    let mut cursor = Cursor::new(bytes, 1 + 7 * u64::from(id_bytes) + 8);
    let mut numbers = Vec::new();
    for is_static in [false, true] {
        for _ in 0..cursor.u16()? {
            let name = if is_static { Some(cursor.id(id_bytes)?) } else { cursor.u16().map(|_| None)? };
            let kind = BasicType::from_tag(cursor.u8()?)?;
            let start = usize::try_from(cursor.offset()).ok()?;
            cursor.skip(kind.bytes(id_bytes).into())?;
            if kind != BasicType::Object {
                numbers.push(ClassNumber { name, start, end: start + kind.bytes(id_bytes) as usize });
            }
        }
    }
    Some(numbers)
}
