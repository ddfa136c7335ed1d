//! Sub-records of a heap dump, passed to a visitor in file order.

use std::ops::Range;

use super::tags::BasicType;
use super::tags::sub::{self, RootShape};
use crate::cursor::Cursor;
use heaplens_base::Task;
use heaplens_heap::RootKind;

#[derive(Debug, Clone, Copy)]
pub(super) struct RawRoot {
    pub(super) kind: RootKind,
    pub(super) object: u64,
    /// Serial number of the thread, for kinds that belong to one.
    pub(super) thread: Option<u32>,
    /// Serial number of the stack trace, for a thread; number of the frame, for a local.
    pub(super) stack: u32,
    /// Offset of the sub-record.
    pub(super) offset: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawStatic {
    pub(super) name: u64,
    pub(super) kind: BasicType,
    /// Bits of the value, as wide as the type.
    pub(super) value: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawField {
    pub(super) name: u64,
    pub(super) kind: BasicType,
}

#[derive(Debug, Clone, Default)]
pub(super) struct RawClass {
    pub(super) id: u64,
    pub(super) offset: u64,
    pub(super) superclass: u64,
    pub(super) loader: u64,
    /// Instance size declared by the file, in bytes.
    pub(super) instance_bytes: u32,
    pub(super) statics: Vec<RawStatic>,
    pub(super) fields: Vec<RawField>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawInstance<'a> {
    pub(super) id: u64,
    pub(super) offset: u64,
    pub(super) class: u64,
    /// Values of the class's own fields, then of its superclass, and so on.
    pub(super) values: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawArray<'a> {
    pub(super) id: u64,
    pub(super) offset: u64,
    pub(super) length: u32,
    /// Class of an object array; 0 for a primitive one.
    pub(super) class: u64,
    /// Type of the elements.
    pub(super) kind: BasicType,
    /// Elements; empty if the file omits them, regardless of the length.
    pub(super) elements: &'a [u8],
}

impl RawArray<'_> {
    /// True if the file has the elements.
    #[inline]
    pub(super) fn is_recorded(&self) -> bool {
        self.length == 0 || !self.elements.is_empty()
    }
}

/// Sub-record of an object.
pub(super) enum Record<'a> {
    /// On the heap: few are classes, and the others are moved often.
    Class(Box<RawClass>),
    Instance(RawInstance<'a>),
    Array(RawArray<'a>),
}

impl Record<'_> {
    /// Id of the object.
    pub(super) fn id(&self) -> u64 {
        match self {
            Self::Class(class) => class.id,
            Self::Instance(instance) => instance.id,
            Self::Array(array) => array.id,
        }
    }
}

/// Heap of Android that the following objects belong to, up to the end of the segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawHeap {
    pub(super) id: u32,
    /// Id of the string with its name.
    pub(super) name: u64,
    /// Offset of the sub-record.
    pub(super) offset: u64,
}

/// Receives sub-records in file order, borrowed from the file.
pub(super) trait Visitor<'a> {
    fn root(&mut self, _root: RawRoot) {}
    fn class(&mut self, _class: RawClass) {}
    fn instance(&mut self, _instance: RawInstance<'a>) {}
    fn array(&mut self, _array: RawArray<'a>) {}
    fn heap(&mut self, _heap: RawHeap) {}
    /// Called before each sub-record; `false` ends the walk there.
    #[inline]
    fn should_continue(&mut self, _offset: u64) -> bool {
        true
    }
}

/// Checks for cancellation at intervals, not before each record.
pub(super) struct CancelCheck<'a> {
    task: &'a Task,
    records: u32,
}

impl<'a> CancelCheck<'a> {
    /// Records read between two cancellation checks.
    const RECORDS: u32 = 1 << 12;

    pub(super) fn new(task: &'a Task) -> Self {
        Self { task, records: 0 }
    }

    /// True if one more record should be read.
    #[inline]
    pub(super) fn is_running(&mut self) -> bool {
        self.records = self.records.wrapping_add(1);
        !self.records.is_multiple_of(Self::RECORDS) || !self.task.is_cancelled()
    }
}

/// Reason of an early end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopReason {
    /// Unknown tag; the length is unknown, so the rest cannot be read.
    UnknownTag(u8),
    /// Unknown value type, and thus unknown value length.
    UnknownType,
    /// Sub-record that extends past the end.
    CutOff,
    /// The visitor stopped the walk.
    Stopped,
}

const CUT: StopReason = StopReason::CutOff;

/// Position and reason of an early end.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkStop {
    pub(super) offset: u64,
    pub(super) reason: StopReason,
}

/// Walks the sub-records in `range` of `file`. Range ends past the file are clipped.
pub(super) fn walk<'a>(
    file: &'a [u8],
    range: Range<u64>,
    id_bytes: u32,
    visitor: &mut impl Visitor<'a>,
) -> Result<(), WalkStop> {
    let end = usize::try_from(range.end).unwrap_or(usize::MAX).min(file.len());
    let bytes = file.get(..end).unwrap_or(file);
    let mut cursor = Cursor::new(bytes, range.start);
    while cursor.left() > 0 {
        let offset = cursor.offset();
        if !visitor.should_continue(offset) {
            return Err(WalkStop { offset, reason: StopReason::Stopped });
        }
        // Two copies of the same code, each specialized for an id width.
        let read = if id_bytes == 8 { one(&mut cursor, 8, visitor) } else { one(&mut cursor, 4, visitor) };
        read.map_err(|reason| WalkStop { offset, reason })?;
    }
    Ok(())
}

/// The sub-record at an offset of `file`; `None` if it is cut off, or not that of an object.
pub(super) fn record_at(file: &[u8], offset: u64, id_bytes: u32) -> Option<Record<'_>> {
    let mut cursor = Cursor::new(file, offset);
    Some(match cursor.u8()? {
        sub::INSTANCE_DUMP => Record::Instance(instance(&mut cursor, offset, id_bytes)?),
        sub::OBJECT_ARRAY_DUMP => Record::Array(object_array(&mut cursor, offset, id_bytes)?),
        sub::PRIMITIVE_ARRAY_DUMP => Record::Array(primitive_array(&mut cursor, offset, id_bytes).ok()?),
        sub::CLASS_DUMP => Record::Class(Box::new(class(&mut cursor, offset, id_bytes).ok()?)),
        sub::PRIMITIVE_ARRAY_NODATA => Record::Array(array_without_data(&mut cursor, offset, id_bytes).ok()?),
        _ => return None,
    })
}

// Otherwise both id widths would share one function body, with a check of the width in every read.
#[expect(clippy::inline_always, reason = "each call is to be compiled for its own width of ids")]
#[inline(always)]
fn one<'a>(cursor: &mut Cursor<'a>, id_bytes: u32, visitor: &mut impl Visitor<'a>) -> Result<(), StopReason> {
    let offset = cursor.offset();
    let tag = cursor.u8().ok_or(CUT)?;
    match tag {
        sub::INSTANCE_DUMP => visitor.instance(instance(cursor, offset, id_bytes).ok_or(CUT)?),
        sub::OBJECT_ARRAY_DUMP => visitor.array(object_array(cursor, offset, id_bytes).ok_or(CUT)?),
        sub::PRIMITIVE_ARRAY_DUMP => visitor.array(primitive_array(cursor, offset, id_bytes)?),
        sub::CLASS_DUMP => visitor.class(class(cursor, offset, id_bytes)?),
        sub::HEAP_DUMP_INFO => visitor.heap(heap_info(cursor, offset, id_bytes).ok_or(CUT)?),
        sub::PRIMITIVE_ARRAY_NODATA => visitor.array(array_without_data(cursor, offset, id_bytes)?),
        // Objects marked unreachable are not roots.
        sub::UNREACHABLE => cursor.skip(u64::from(id_bytes)).ok_or(CUT)?,
        _ => {
            let (kind, shape) = sub::root(tag).ok_or(StopReason::UnknownTag(tag))?;
            visitor.root(root(cursor, offset, id_bytes, kind, shape).ok_or(CUT)?);
        }
    }
    Ok(())
}

fn instance<'a>(cursor: &mut Cursor<'a>, offset: u64, id_bytes: u32) -> Option<RawInstance<'a>> {
    let id = cursor.id(id_bytes)?;
    let _stack = cursor.u32()?;
    let class = cursor.id(id_bytes)?;
    let length = cursor.u32()?;
    Some(RawInstance { id, offset, class, values: cursor.take(u64::from(length))? })
}

fn object_array<'a>(cursor: &mut Cursor<'a>, offset: u64, id_bytes: u32) -> Option<RawArray<'a>> {
    let id = cursor.id(id_bytes)?;
    let _stack = cursor.u32()?;
    let length = cursor.u32()?;
    let class = cursor.id(id_bytes)?;
    let elements = cursor.take(u64::from(length) * u64::from(id_bytes))?;
    Some(RawArray { id, offset, length, class, kind: BasicType::Object, elements })
}

fn primitive_array<'a>(cursor: &mut Cursor<'a>, offset: u64, id_bytes: u32) -> Result<RawArray<'a>, StopReason> {
    let id = cursor.id(id_bytes).ok_or(CUT)?;
    let _stack = cursor.u32().ok_or(CUT)?;
    let length = cursor.u32().ok_or(CUT)?;
    let kind = basic_type(cursor)?;
    let elements = cursor.take(u64::from(length) * u64::from(kind.bytes(id_bytes))).ok_or(CUT)?;
    Ok(RawArray { id, offset, length, class: 0, kind, elements })
}

fn array_without_data<'a>(cursor: &mut Cursor<'a>, offset: u64, id_bytes: u32) -> Result<RawArray<'a>, StopReason> {
    let id = cursor.id(id_bytes).ok_or(CUT)?;
    let _stack = cursor.u32().ok_or(CUT)?;
    let length = cursor.u32().ok_or(CUT)?;
    Ok(RawArray { id, offset, length, class: 0, kind: basic_type(cursor)?, elements: &[] })
}

fn heap_info(cursor: &mut Cursor<'_>, offset: u64, id_bytes: u32) -> Option<RawHeap> {
    Some(RawHeap { id: cursor.u32()?, name: cursor.id(id_bytes)?, offset })
}

fn class(cursor: &mut Cursor<'_>, offset: u64, id_bytes: u32) -> Result<RawClass, StopReason> {
    let mut class = class_head(cursor, offset, id_bytes).ok_or(CUT)?;
    // Constants, each with its index in the constant pool.
    for _ in 0..cursor.u16().ok_or(CUT)? {
        cursor.u16().ok_or(CUT)?;
        value(cursor, id_bytes)?;
    }
    for _ in 0..cursor.u16().ok_or(CUT)? {
        let name = cursor.id(id_bytes).ok_or(CUT)?;
        let (kind, value) = value(cursor, id_bytes)?;
        class.statics.push(RawStatic { name, kind, value });
    }
    for _ in 0..cursor.u16().ok_or(CUT)? {
        let name = cursor.id(id_bytes).ok_or(CUT)?;
        class.fields.push(RawField { name, kind: basic_type(cursor)? });
    }
    Ok(class)
}

/// A class without its statics and fields.
fn class_head(cursor: &mut Cursor<'_>, offset: u64, id_bytes: u32) -> Option<RawClass> {
    let id = cursor.id(id_bytes)?;
    let _stack = cursor.u32()?;
    let superclass = cursor.id(id_bytes)?;
    let loader = cursor.id(id_bytes)?;
    // Signers, protection domain and two reserved ids.
    cursor.skip(4 * u64::from(id_bytes))?;
    let instance_bytes = cursor.u32()?;
    Some(RawClass { id, offset, superclass, loader, instance_bytes, ..RawClass::default() })
}

/// A type and a value of it.
fn value(cursor: &mut Cursor<'_>, id_bytes: u32) -> Result<(BasicType, u64), StopReason> {
    let kind = basic_type(cursor)?;
    let bits = match kind.bytes(id_bytes) {
        1 => cursor.u8().map(u64::from),
        2 => cursor.u16().map(u64::from),
        4 => cursor.u32().map(u64::from),
        _ => cursor.u64(),
    };
    Ok((kind, bits.ok_or(CUT)?))
}

fn basic_type(cursor: &mut Cursor<'_>) -> Result<BasicType, StopReason> {
    BasicType::from_tag(cursor.u8().ok_or(CUT)?).ok_or(StopReason::UnknownType)
}

fn root(cursor: &mut Cursor<'_>, offset: u64, id_bytes: u32, kind: RootKind, shape: RootShape) -> Option<RawRoot> {
    let object = cursor.id(id_bytes)?;
    let (mut thread, mut stack) = (None, 0);
    match shape {
        RootShape::Nothing => {}
        RootShape::Id => cursor.skip(u64::from(id_bytes))?,
        RootShape::Thread => thread = Some(cursor.u32()?),
        RootShape::ThreadAndFrame => {
            thread = Some(cursor.u32()?);
            stack = cursor.u32()?;
        }
    }
    Some(RawRoot { kind, object, thread, stack, offset })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts records; another thread cancels its task in the meantime.
    struct CancellingVisitor<'a>(CancelCheck<'a>, u32);

    impl Visitor<'_> for CancellingVisitor<'_> {
        fn root(&mut self, _root: RawRoot) {
            self.1 += 1;
            self.0.task.cancel();
        }

        fn should_continue(&mut self, _offset: u64) -> bool {
            self.0.is_running()
        }
    }

    #[test]
    fn a_walk_ends_soon_after_its_task_is_cancelled() {
        let task = Task::new();
        let roots = [sub::ROOT_STICKY_CLASS, 0, 0, 0, 8].repeat(100_000);
        let mut reader = CancellingVisitor(CancelCheck::new(&task), 0);
        let ended = walk(&roots, 0..roots.len() as u64, 4, &mut reader).map_err(|at| at.reason);
        assert_eq!(ended, Err(StopReason::Stopped));
        assert!(reader.1 < CancelCheck::RECORDS);
    }
}
