//! Reads the record of a single object again on demand; without the dump, falls back to the heap's references
//! ([`super::inferred_fields`]).

use std::ops::Range;
use std::sync::Arc;

use super::inferred_fields::InferredFields;
use super::java::string_text;
use super::peek::Peek;
use super::runtime_rules::RuntimeRules;
use super::shapes::{FieldShape, Shape, Shapes, StaticShape};
use super::subrecords::{RawArray, RawClass, RawInstance, Visitor, walk};
use super::tags::BasicType;
use super::{collections, fingerprint, labels, stored};
use crate::formats::cursor::Cursor;
use crate::formats::source::Source;
use crate::heap::classes::ClassKind;
use crate::heap::contents::{
    Capacity, Contents, ContentsError, Field, FileRecords, Fingerprint, Fingerprints, LibraryObjects,
    LogicalCollection, ObjectTexts, ObjectValues, Role, SnapshotContents, ThreadStacks, Value,
};
use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ClassId, ObjectId};
use crate::heap::original::{MappingFit, OriginalNames};
use crate::heap::threads::{Stack, StackLocal, StackOwner};
use heaplens_base::units::Bytes;

/// Contents of the objects of an HPROF file.
pub(super) struct HprofContents {
    /// The dump; `None` for a stored analysis opened without it.
    file: Option<Source>,
    pub(super) shapes: Shapes,
    /// Rules for classes of the Java runtime.
    pub(super) rules: RuntimeRules,
}

/// One record, borrowed from the file.
pub(super) enum Record<'a> {
    Class(RawClass),
    Instance(RawInstance<'a>),
    Array(RawArray<'a>),
}

/// Visitor that keeps the record at an offset.
struct RecordFinder<'a> {
    offset: u64,
    record: Option<(u64, Record<'a>)>,
}

impl<'a> Visitor<'a> for RecordFinder<'a> {
    fn should_continue(&mut self, offset: u64) -> bool {
        offset == self.offset
    }

    fn class(&mut self, class: RawClass) {
        self.record = Some((class.id, Record::Class(class)));
    }

    fn instance(&mut self, instance: RawInstance<'a>) {
        self.record = Some((instance.id, Record::Instance(instance)));
    }

    fn array(&mut self, array: RawArray<'a>) {
        self.record = Some((array.id, Record::Array(array)));
    }
}

impl HprofContents {
    pub(super) fn new(file: Option<Source>, shapes: Shapes) -> Self {
        let rules = RuntimeRules::new(&shapes);
        Self { file, shapes, rules }
    }

    /// The dump, if available.
    pub(super) fn file(&self) -> Option<&Source> {
        self.file.as_ref()
    }

    pub(super) fn shape(&self, heap: &Heap, object: ObjectId) -> Option<&Shape> {
        // The heap's classes are in the same order as those of the shapes.
        self.shapes.class(heap.class_id(object).raw())
    }

    /// Class whose class object is `object`.
    pub(super) fn stands_for(&self, heap: &Heap, object: ObjectId) -> Option<&Shape> {
        heap.classes.of_object(object).and_then(|class| self.shapes.class(class.raw()))
    }

    /// Record of an object; `None` if the file has none, or is unavailable.
    pub(super) fn record(&self, heap: &Heap, object: ObjectId) -> Result<Option<Record<'_>>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, heap.file_offset(object)) else { return Ok(None) };
        let file = file.bytes();
        let mut finder = RecordFinder { offset, record: None };
        let _stopped = walk(file, offset..file.len() as u64, self.shapes.id_bytes, &mut finder);
        // A different object there means a different file: the dump was replaced. Looking up the row of an address is
        // cheaper than the address of a row.
        let record = finder.record.filter(|&(id, _)| heap.at(Address(id)) == Some(object));
        record.map(|(_, record)| Some(record)).ok_or_else(|| {
            ContentsError(format!("cannot read the record at offset {offset} again: the dump file has changed"))
        })
    }

    pub(super) fn array(&self, heap: &Heap, object: ObjectId) -> Result<Option<RawArray<'_>>, ContentsError> {
        match self.record(heap, object)? {
            Some(Record::Array(array)) => Ok(Some(array)),
            _ => Ok(None),
        }
    }

    /// True if the elements of an array are the original ones.
    pub(super) fn is_recorded(&self, array: &RawArray<'_>) -> bool {
        array.kind == BasicType::Object || array.is_recorded() && !self.shapes.is_blanked
    }

    /// Statics of a class object.
    fn statics(&self, heap: &Heap, object: ObjectId, class: &Shape) -> Result<Vec<Field>, ContentsError> {
        // References are known; numbers are available only from the file.
        let any_number = class.statics.iter().any(|field| field.kind != BasicType::Object);
        let record = if any_number { self.record(heap, object)? } else { None };
        let read = if let Some(Record::Class(class)) = record { class.statics } else { Vec::new() };
        let field = |(at, field): (usize, &StaticShape)| Field {
            name: self.shapes.name(field.name).to_owned(),
            type_name: field.kind.name(),
            declared_by: self.shapes.name(class.name).to_owned(),
            is_static: true,
            value: match (field.kind, read.get(at)) {
                (BasicType::Object, _) => value(heap, field.kind, field.target),
                (kind, Some(read)) if read.kind == kind => value(heap, kind, read.value),
                _ => Value::Unavailable,
            },
        };
        Ok(class.statics.iter().enumerate().map(field).collect())
    }

    /// Fields of an instance, own class first, with the declaring class of each; empty if the file does not describe
    /// its class.
    pub(super) fn instance_fields<'a>(
        &'a self,
        class: &'a Shape,
        values: &'a [u8],
    ) -> impl Iterator<Item = (&'a Shape, FieldShape, u64)> {
        let mut cursor = Cursor::new(values, 0);
        self.shapes.fields(class).map_while(move |(declares, field)| {
            Some((declares, field, bits(&mut cursor, field.kind, self.shapes.id_bytes)?))
        })
    }

    pub(super) fn string(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        let characters = Peek { contents: self, heap }.characters(object)?;
        Some(string_text(characters.kind, characters.latin1, characters.elements, limit))
    }

    /// True if the heap has it as an instance with fields, according to its class.
    pub(super) fn is_plain(heap: &Heap, object: ObjectId) -> bool {
        // The bootstrap loader is synthetic.
        heap.class(object).kind == ClassKind::Plain && heap.address(object) != Address(0)
    }
}

impl Contents for HprofContents {
    fn save(&self) -> Vec<u8> {
        stored::save(&self.shapes)
    }

    fn renamed(&self, names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        let (shapes, fit) = self.shapes.renamed(names);
        Some((Arc::new(Self::new(self.file.clone(), shapes)), fit))
    }
}

impl ObjectValues for HprofContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if let Some(class) = self.stands_for(heap, object) {
            return self.statics(heap, object, class);
        }
        let Some(class) = self.shape(heap, object) else { return Ok(Vec::new()) };
        let is_blank = self.shapes.boxes_are_blanked && self.rules.role(heap.class_id(object)) == Role::Boxed;
        let named = |(declares, field, value): (&Shape, FieldShape, Value)| Field {
            name: self.shapes.name(field.name).to_owned(),
            type_name: field.kind.name(),
            declared_by: self.shapes.name(declares.name).to_owned(),
            is_static: false,
            value: if is_blank && field.kind != BasicType::Object { Value::Unavailable } else { value },
        };
        match self.record(heap, object)? {
            Some(Record::Instance(instance)) => {
                let fields = self.instance_fields(class, instance.values);
                Ok(fields
                    .map(|(declares, field, bits)| named((declares, field, value(heap, field.kind, bits))))
                    .collect())
            }
            None if self.file.is_none() && Self::is_plain(heap, object) => {
                Ok(InferredFields::new(&self.shapes, heap, object, class).values(class).map(named).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.array(heap, object).ok()?.map(|array| u64::from(array.length))
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        if self.file.is_none() && heap.class(object).kind != ClassKind::Plain {
            return Err(ContentsError(
                "array elements are available only from the dump file, which was not found".to_owned(),
            ));
        }
        let Some(array) = self.array(heap, object)? else { return Ok(Vec::new()) };
        if !self.is_recorded(&array) {
            let end = range.end.min(u64::from(array.length));
            return Ok((range.start..end).map(|_| Value::Unavailable).collect());
        }
        let id_bytes = self.shapes.id_bytes;
        let start = range.start.saturating_mul(u64::from(array.kind.bytes(id_bytes)));
        let mut cursor = Cursor::new(array.elements, start);
        let bits = (range.start..range.end).map_while(|_| bits(&mut cursor, array.kind, id_bytes));
        Ok(bits.map(|b| value(heap, array.kind, b)).collect())
    }
}

impl ObjectTexts for HprofContents {
    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        (&*heap.class(object).name == "java.lang.String").then(|| self.string(heap, object, limit))?
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        labels::label(Peek { contents: self, heap }, object)
    }
}

impl LibraryObjects for HprofContents {
    fn role(&self, class: ClassId) -> Role {
        self.rules.role(class)
    }

    fn logical(&self, heap: &Heap, collection: ObjectId, range: Range<u64>) -> Option<LogicalCollection> {
        collections::logical(Peek { contents: self, heap }, collection, range)
    }

    fn boxed(&self, heap: &Heap, object: ObjectId) -> Option<Value> {
        let boxed = self.rules.role(heap.class_id(object)) == Role::Boxed;
        Peek { contents: self, heap }
            .fields(object, "")
            .filter(|_| boxed && !self.shapes.boxes_are_blanked)?
            .get("value")
    }

    fn capacity(&self, heap: &Heap, object: ObjectId) -> Option<Capacity> {
        let fields = Peek { contents: self, heap }.fields(object, "java.lang.AbstractStringBuilder")?;
        let array = fields.object(&["value"])?;
        let characters = self.array(heap, array).ok()??;
        // Two bytes per character, unless all fit into one byte.
        let wide = characters.kind == BasicType::Byte && fields.get("coder") == Some(Value::Byte(1));
        let capacity = u64::from(characters.length) >> u32::from(wide);
        Some(Capacity { used: fields.count(&["count"])?.min(capacity), capacity, array })
    }
}

impl Fingerprints for HprofContents {
    fn fingerprint(&self, heap: &Heap, object: ObjectId) -> Option<Fingerprint> {
        fingerprint::fingerprint(Peek { contents: self, heap }, object)
    }

    fn digest(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        fingerprint::digest(Peek { contents: self, heap }, object)
    }
}

impl FileRecords for HprofContents {
    fn body(&self, heap: &Heap, object: ObjectId) -> Option<&[u8]> {
        match self.record(heap, object).ok()?? {
            Record::Instance(instance) => Some(instance.values),
            Record::Array(array) => Some(array.elements),
            Record::Class(_) => None,
        }
    }

    fn records(&self, heap: &Heap, from: ObjectId, to: ObjectId) -> Option<&[u8]> {
        let offset = |object| usize::try_from(heap.file_offset(object)?).ok();
        self.file.as_ref()?.bytes().get(offset(from)?..offset(to)?)
    }

    fn recorded_bytes(&self, heap: &Heap, object: ObjectId) -> Option<Bytes> {
        let id = u64::from(self.shapes.id_bytes);
        let bytes_of = |kind: BasicType| u64::from(kind.bytes(self.shapes.id_bytes));
        Some(Bytes(match self.record(heap, object).ok()?? {
            Record::Array(array) => u64::from(array.length) * bytes_of(array.kind),
            Record::Instance(_) => match self.record(heap, heap.class(object).object?).ok()?? {
                Record::Class(class) => class.instance_bytes.into(),
                _ => return None,
            },
            Record::Class(class) => {
                // Seven ids, two numbers and three counts before the rest; no writer emits constants.
                let statics: u64 = class.statics.iter().map(|field| id + 1 + bytes_of(field.kind)).sum();
                7 * id + 2 * 4 + 3 * 2 + statics + class.fields.len() as u64 * (id + 1)
            }
        }))
    }
}

impl ThreadStacks for HprofContents {
    fn stack(&self, _heap: &Heap, thread: ObjectId) -> Vec<String> {
        self.shapes.stacks.frames(thread).map(|frame| frame.text(&self.shapes)).collect()
    }

    fn stack_owners(&self) -> Vec<StackOwner> {
        self.shapes.stacks.owners(&self.shapes)
    }

    fn whole_stack(&self, at: usize) -> Stack {
        self.shapes.stacks.whole(at, &self.shapes)
    }

    fn stack_locals(&self) -> Vec<StackLocal> {
        self.shapes.stacks.all_locals().collect()
    }
}

// The format has no data for these.
impl SnapshotContents for HprofContents {}

pub(super) fn bits(cursor: &mut Cursor<'_>, kind: BasicType, id_bytes: u32) -> Option<u64> {
    Some(match kind.bytes(id_bytes) {
        1 => u64::from(cursor.u8()?),
        2 => u64::from(cursor.u16()?),
        4 => u64::from(cursor.u32()?),
        _ => cursor.u64()?,
    })
}

/// A value from its bits.
pub(super) fn value(heap: &Heap, kind: BasicType, bits: u64) -> Value {
    match kind {
        BasicType::Object if bits == 0 => Value::Null,
        BasicType::Object => heap.at(Address(bits)).map_or(Value::Dangling(Address(bits)), Value::Object),
        BasicType::Boolean => Value::Bool(bits & 0xff != 0),
        BasicType::Char => Value::Char(bits as u16),
        BasicType::Float => Value::Float(f32::from_bits(bits as u32)),
        BasicType::Double => Value::Double(f64::from_bits(bits)),
        BasicType::Byte => Value::Byte(bits as i8),
        BasicType::Short => Value::Short(bits as i16),
        BasicType::Int => Value::Int(bits as i32),
        BasicType::Long => Value::Long(bits.cast_signed()),
    }
}
