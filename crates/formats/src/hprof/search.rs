//! Finds where readable records begin after unreadable bytes. A single record may be chance, since arrays contain
//! anything: several in a row are not, nor are objects of classes that the file has loaded.

use rustc_hash::FxHashSet;

use super::records::{Index, LONGEST_RECORD, begins_file, begins_record, record_header};
use super::tags::{BasicType, record, sub};
use crate::cursor::Cursor;

/// Maximum number of sub-records that are read to decide.
const ROW: usize = 32;
/// Score of a row of sub-records that is no chance.
const ENOUGH: u32 = 12;
/// Minimum score of a row of sub-records that ends where a record begins.
const ENOUGH_AT_END: u32 = 2;
/// Score of the first sub-records of a segment that is no chance.
const ENOUGH_OF_SEGMENT: u32 = 4;
/// Number of roots in a row that are no chance.
const ROOTS: usize = 4;
/// Tags of objects.
const OBJECTS: [u8; 4] = [sub::CLASS_DUMP, sub::INSTANCE_DUMP, sub::OBJECT_ARRAY_DUMP, sub::PRIMITIVE_ARRAY_DUMP];
/// Number of records that are no chance, if one of them has the only length that it can have.
const CHAIN: u32 = 3;
/// Number of records of any length that are no chance: elements of an array may look like a few.
const LONG_CHAIN: u32 = 16;
/// Maximum number of members of a plausible class, and of frames of a plausible stack trace.
const MEMBERS: u64 = 1 << 14;

/// Readable records of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Record,
    SubRecord,
    /// Another HPROF file.
    File,
}

/// A record with a plausible length.
enum RecordKind {
    /// A heap dump or a segment of one, which begins with a sub-record.
    Heap,
    /// Its length follows from its contents.
    Exact,
    Other,
}

/// Search in one file.
pub(super) struct RecordSearch<'a> {
    file: &'a [u8],
    id_bytes: u32,
    /// Ids of the classes that were loaded before the search.
    pub(super) classes: FxHashSet<u64>,
    /// Number of records that may still be read to decide: in a malformed file, every byte may begin a row.
    steps: u64,
}

impl<'a> RecordSearch<'a> {
    pub(super) fn of(file: &'a [u8], index: &Index) -> Self {
        let classes = index.loaded.iter().map(|loaded| loaded.class).collect();
        Self { file, id_bytes: index.id_bytes, classes, steps: 4 * file.len() as u64 }
    }

    /// The first readable record that begins in `from..to`.
    pub(super) fn next(&mut self, from: u64, to: u64) -> Option<(u64, Start)> {
        let bytes = self.file.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)?;
        for (at, &tag) in (from..).zip(bytes) {
            // Most unreadable bytes are zeros.
            if tag == 0 {
                continue;
            }
            if begins_file(self.file, at) {
                return Some((at, Start::File));
            }
            if record::is_known(tag) && self.is_record(at) {
                return Some((at, Start::Record));
            }
            if (tag >= sub::CLASS_DUMP || tag <= sub::ROOT_THREAD_OBJECT)
                && self.is_sub_records(at)
                && !self.is_lone_root(at)
            {
                return Some((at, Start::SubRecord));
            }
        }
        None
    }

    /// True if records begin at an offset: several, or one with sub-records, or fewer up to the end of the file.
    pub(super) fn is_record(&mut self, at: u64) -> bool {
        let mut cursor = Cursor::new(self.file, at);
        if cursor.left() == 0 {
            return false;
        }
        let mut has_exact = false;
        for records in 1..=LONG_CHAIN {
            if cursor.left() == 0 {
                return true;
            }
            match self.record(&mut cursor) {
                None => return false,
                Some(RecordKind::Heap) => return true,
                Some(RecordKind::Exact) => has_exact = true,
                Some(RecordKind::Other) => {}
            }
            if has_exact && records >= CHAIN {
                return true;
            }
        }
        true
    }

    /// Reads one record with a length that fits its kind. That of a heap dump is not checked.
    fn record(&mut self, cursor: &mut Cursor<'_>) -> Option<RecordKind> {
        self.steps = self.steps.checked_sub(1)?;
        let (tag, length) = record_header(cursor)?;
        let length = u64::from(length);
        let id_bytes = u64::from(self.id_bytes);
        let body = *cursor;
        let fits = match tag {
            record::STRING => {
                let mut body = body;
                (id_bytes..=LONGEST_RECORD).contains(&length) && body.id(self.id_bytes) != Some(0)
            }
            record::LOAD_CLASS | record::START_THREAD => length == 8 + 2 * id_bytes || length == 8 + 4 * id_bytes,
            record::STACK_FRAME => length == 8 + 4 * id_bytes,
            record::STACK_TRACE => {
                let mut count = body;
                count.skip(8)?;
                length == 12 + u64::from(count.u32()?) * id_bytes && length <= LONGEST_RECORD
            }
            record::HEAP_DUMP_END => length == 0,
            record::HEAP_DUMP | record::HEAP_DUMP_SEGMENT => {
                if self.begins_heap(body, length) {
                    return Some(RecordKind::Heap);
                }
                length == 0
            }
            _ => record::is_known(tag) && length <= LONGEST_RECORD && length > 0,
        };
        cursor.skip(length).filter(|()| fits)?;
        let is_exact =
            matches!(tag, record::LOAD_CLASS | record::START_THREAD | record::STACK_FRAME | record::STACK_TRACE);
        Some(if is_exact { RecordKind::Exact } else { RecordKind::Other })
    }

    /// True if `length` bytes of sub-records begin at the cursor: several, or one up to the end of them, or one that is
    /// no chance.
    fn begins_heap(&mut self, mut cursor: Cursor<'_>, length: u64) -> bool {
        let end = cursor.offset() + length;
        let mut score = 0;
        for _ in 0..CHAIN {
            let Some(one) = self.sub_record(&mut cursor) else { return false };
            score += one;
            let at = cursor.offset();
            // The declared end may be within the only sub-record.
            let is_over = length > 0 && at > end && begins_record(self.file, at);
            if score >= ENOUGH_OF_SEGMENT || at == end || is_over {
                return true;
            }
        }
        true
    }

    /// True if sub-records begin at an offset: enough of them, or fewer up to a record or the end of the file.
    pub(super) fn is_sub_records(&mut self, at: u64) -> bool {
        let mut cursor = Cursor::new(self.file, at);
        let mut score = 0;
        for _ in 0..ROW {
            if cursor.left() == 0 {
                // The file may be truncated there.
                return score > ENOUGH_AT_END;
            }
            let start = cursor;
            match self.sub_record(&mut cursor) {
                Some(one) => score += one,
                None => return score >= ENOUGH_AT_END && self.is_record(start.offset()),
            }
            if score >= ENOUGH {
                return true;
            }
        }
        false
    }

    /// True if a few roots, then objects, seem to begin at an offset. Writers do not mix them: a number and an address at
    /// the end of an object look like a root.
    fn is_lone_root(&mut self, at: u64) -> bool {
        let mut cursor = Cursor::new(self.file, at);
        let tag = |mut cursor: Cursor<'_>| cursor.u8();
        let is_root = |cursor: Cursor<'_>| tag(cursor).is_some_and(|tag| sub::root(tag).is_some());
        if !is_root(cursor) {
            return false;
        }
        for _ in 0..ROOTS {
            if self.sub_record(&mut cursor).is_none() {
                return false;
            }
            if !is_root(cursor) {
                return tag(cursor).is_some_and(|tag| OBJECTS.contains(&tag));
            }
        }
        false
    }

    /// Reads one sub-record; returns how far it is from chance.
    fn sub_record(&mut self, cursor: &mut Cursor<'_>) -> Option<u32> {
        self.steps = self.steps.checked_sub(1)?;
        let tag = cursor.u8()?;
        let id_bytes = u64::from(self.id_bytes);
        if tag == sub::HEAP_DUMP_INFO {
            cursor.skip(4 + id_bytes)?;
            return Some(1);
        }
        let id = cursor.id(self.id_bytes)?;
        if let Some((_, shape)) = sub::root(tag) {
            cursor.skip(shape.bytes(self.id_bytes).into())?;
            return Some(match tag {
                sub::ROOT_STICKY_CLASS if self.classes.contains(&id) => 4,
                // Objects have even addresses, and no machine has more bits of them.
                _ => u32::from(id != 0 && id.is_multiple_of(4) && id >> 48 == 0),
            });
        }
        if tag == sub::UNREACHABLE {
            return Some(0);
        }
        cursor.skip(4).filter(|()| id != 0)?;
        match tag {
            sub::INSTANCE_DUMP => {
                let class = self.class(cursor)?;
                let length = cursor.u32()?;
                cursor.skip(length.into())?;
                Some(class)
            }
            sub::OBJECT_ARRAY_DUMP => {
                let length = u64::from(cursor.u32()?);
                let class = self.class(cursor)?;
                cursor.skip(length * id_bytes)?;
                Some(class)
            }
            sub::PRIMITIVE_ARRAY_DUMP | sub::PRIMITIVE_ARRAY_NODATA => {
                let length = u64::from(cursor.u32()?);
                let kind = BasicType::from_tag(cursor.u8()?).filter(|&kind| kind != BasicType::Object)?;
                let recorded = if tag == sub::PRIMITIVE_ARRAY_DUMP { length } else { 0 };
                cursor.skip(recorded * u64::from(kind.bytes(self.id_bytes)))?;
                Some(2)
            }
            sub::CLASS_DUMP => {
                let score = if self.classes.is_empty() { 2 } else { 4 };
                (self.classes.is_empty() || self.classes.contains(&id)).then_some(())?;
                // Superclass, loader, signers, protection domain, two reserved ids, and the size.
                cursor.skip(6 * id_bytes + 4)?;
                self.members(cursor)?;
                Some(score)
            }
            _ => None,
        }
    }

    /// Reads the id of a class; returns how far it is from chance.
    fn class(&self, cursor: &mut Cursor<'_>) -> Option<u32> {
        let id = cursor.id(self.id_bytes)?;
        if self.classes.is_empty() { (id != 0).then_some(2) } else { self.classes.contains(&id).then_some(4) }
    }

    /// Reads constants, statics and fields of a class.
    fn members(&mut self, cursor: &mut Cursor<'_>) -> Option<()> {
        for (head, has_value) in [(2, true), (self.id_bytes, true), (self.id_bytes, false)] {
            let members = u64::from(cursor.u16()?);
            self.steps = self.steps.checked_sub(members).filter(|_| members <= MEMBERS)?;
            for _ in 0..members {
                cursor.skip(head.into())?;
                let kind = BasicType::from_tag(cursor.u8()?)?;
                cursor.skip(if has_value { kind.bytes(self.id_bytes).into() } else { 0 })?;
            }
        }
        Some(())
    }
}
