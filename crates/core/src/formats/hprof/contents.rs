//! Reads the record of a single object again on demand; without the dump, falls back to the heap's references
//! ([`super::inferred_fields`]).

use std::ops::Range;
use std::sync::Arc;

use super::inferred_fields::{InferredFields, own_references};
use super::java::string_text;
use super::peek::Peek;
use super::runtime_rules::RuntimeRules;
use super::shapes::{FieldShape, Shape, Shapes, StaticShape};
use super::subrecords::{RawArray, RawClass, RawInstance, Visitor, walk};
use super::tags::BasicType;
use super::{collections, fingerprint, labels, stored};
use crate::formats::cursor::Cursor;
use crate::formats::source::Source;
use crate::heap::classes::{ClassKind, Strength};
use crate::heap::contents::{
    Capacity, Contents, ContentsError, Field, Fingerprint, LogicalCollection, ReferenceKind, ReferenceName, Role, Value,
};
use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ClassId, ObjectId};
use crate::heap::original::{MappingFit, OriginalNames};
use crate::heap::threads::{Stack, StackLocal, StackOwner};
use heaplens_base::units::Bytes;

/// Number of elements compared at once in a search.
const ELEMENTS: usize = 64;

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

    /// Names of references that only class objects have.
    fn class_object_names<'a>(
        &'a self,
        heap: &Heap,
        from: ObjectId,
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> + use<'a> {
        let target = heap.address(to).0;
        let class = self.stands_for(heap, from);
        let superclass = class
            .and_then(|class| class.superclass)
            .filter(|&above| heap.classes.of_object(to).is_some_and(|class| class.raw() == above));
        let loader = heap.classes.of_object(from).map(|c| heap.classes.get(c).loader);
        let loader = loader.filter(|&loader| loader == Some(to) || (target == 0 && loader.is_none()));
        let statics = class.into_iter().flat_map(|c| &c.statics);
        let statics = statics.filter(move |s| s.kind == BasicType::Object && s.target == target);
        let superclass = superclass.map(|_| ReferenceName::strong(ReferenceKind::Superclass, "<super>"));
        let loader = loader.map(|_| ReferenceName::strong(ReferenceKind::Loader, "<classloader>"));
        let statics = statics.map(|s| ReferenceName::strong(ReferenceKind::Static, self.shapes.name(s.name)));
        superclass.into_iter().chain(loader).chain(statics)
    }

    /// Names of the fields that hold `target`.
    fn field_names<'a>(
        &'a self,
        heap: &'a Heap,
        from: ObjectId,
        class: &'a Shape,
        values: &'a [u8],
        target: u64,
    ) -> impl Iterator<Item = ReferenceName> {
        let fields = self.instance_fields(class, values);
        let pointing = fields.filter(move |&(_, field, bits)| field.kind == BasicType::Object && bits == target);
        pointing.map(move |(declares, field, _)| {
            let is_referent = self.shapes.is_referent(declares, field);
            let strength = if is_referent { heap.class(from).strength } else { Strength::Strong };
            ReferenceName { text: self.shapes.name(field.name).to_owned(), kind: ReferenceKind::Field, strength }
        })
    }

    /// Indexes in the array `from` whose element is `to`.
    fn element_names<'a>(
        &self,
        heap: &'a Heap,
        array: RawArray<'a>,
        from: ObjectId,
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> + use<'a> {
        // Without null elements, the heap's references give the same answer from half the bytes, many at a time.
        let references = own_references(&self.shapes, heap, from);
        let whole = if references.len() == array.length as usize { references } else { &[] };
        let blocks = whole.chunks(ELEMENTS).enumerate().filter(move |(_, block)| block.contains(&to.raw()));
        let known = blocks.flat_map(move |(n, block)| {
            (n * ELEMENTS..).zip(block).filter(move |&(_, &element)| element == to.raw()).map(|(i, _)| i as u64)
        });
        let (id_bytes, target) = (self.shapes.id_bytes, heap.address(to).0);
        let mut cursor = Cursor::new(array.elements, 0);
        let unknown = if whole.is_empty() { array.length } else { 0 };
        let ids = (0..unknown).map_while(move |i| Some((i, cursor.id(id_bytes)?)));
        let pointing = ids.filter(move |&(_, id)| id == target).map(|(i, _)| u64::from(i));
        known.chain(pointing).map(|place| ReferenceName::element(Some(place)))
    }

    /// Elements of an array that equal `to`, without the dump: their indexes are unknown.
    fn some_elements<'a>(
        &self,
        heap: &'a Heap,
        from: ObjectId,
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> + use<'a> {
        let elements = own_references(&self.shapes, heap, from).iter().filter(move |&&element| element == to.raw());
        elements.map(|_| ReferenceName::element(None))
    }

    pub(super) fn string(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        let characters = Peek { contents: self, heap }.characters(object)?;
        Some(string_text(characters.kind, characters.latin1, characters.elements, limit))
    }

    /// True if the heap has it as an instance with fields, according to its class.
    fn is_plain(heap: &Heap, object: ObjectId) -> bool {
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

    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        (&*heap.class(object).name == "java.lang.String").then(|| self.string(heap, object, limit))?
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        labels::label(Peek { contents: self, heap }, object)
    }

    fn role(&self, class: ClassId) -> Role {
        self.rules.role(class)
    }

    fn logical(&self, heap: &Heap, collection: ObjectId, range: Range<u64>) -> Option<LogicalCollection> {
        collections::logical(Peek { contents: self, heap }, collection, range)
    }

    fn fingerprint(&self, heap: &Heap, object: ObjectId) -> Option<Fingerprint> {
        fingerprint::fingerprint(Peek { contents: self, heap }, object)
    }

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

    fn reference_fields(&self, class: ClassId) -> Option<usize> {
        self.shapes.class(class.raw())?;
        Some(self.shapes.references(class.raw()).count())
    }

    fn named_references(&self, class: ClassId) -> Vec<(ClassId, &str)> {
        let fields = self.shapes.references(class.raw());
        fields.filter_map(|(at, _, field)| Some((ClassId::from_raw(at)?, self.shapes.name(field.name)))).collect()
    }

    fn reference_field(&self, heap: &Heap, object: ObjectId, place: usize) -> Value {
        let Some(class) = self.shape(heap, object) else { return Value::Unavailable };
        if self.file.is_none() && Self::is_plain(heap, object) {
            let inferred = InferredFields::new(&self.shapes, heap, object, class);
            let mut references = inferred.values(class).filter(|(_, field, _)| field.kind == BasicType::Object);
            return references.nth(place).map_or(Value::Unavailable, |(.., value)| value);
        }
        let Ok(Some(Record::Instance(instance))) = self.record(heap, object) else { return Value::Unavailable };
        let fields = self.instance_fields(class, instance.values);
        let mut references = fields.filter(|(_, field, _)| field.kind == BasicType::Object);
        references.nth(place).map_or(Value::Unavailable, |(_, field, bits)| value(heap, field.kind, bits))
    }

    fn reference_values(&self, heap: &Heap, object: ObjectId, into: &mut Vec<Value>) {
        into.clear();
        let Some(class) = self.shape(heap, object) else { return };
        if self.file.is_none() && Self::is_plain(heap, object) {
            let inferred = InferredFields::new(&self.shapes, heap, object, class);
            into.extend(
                inferred.values(class).filter(|(_, field, _)| field.kind == BasicType::Object).map(|(.., value)| value),
            );
        } else if let Ok(Some(Record::Instance(instance))) = self.record(heap, object) {
            let fields = self.instance_fields(class, instance.values);
            let references = fields.filter(|(_, field, _)| field.kind == BasicType::Object);
            into.extend(references.map(|(_, field, bits)| value(heap, field.kind, bits)));
        }
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

    fn is_referent(&self, class: ClassId, place: usize) -> bool {
        let field = self.shapes.references(class.raw()).nth(place);
        field.is_some_and(|(_, declares, field)| self.shapes.is_referent(declares, field))
    }

    fn nulls(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        let class = self.shape(heap, object)?;
        let Record::Instance(instance) = self.record(heap, object).ok()?? else { return None };
        let references =
            self.instance_fields(class, instance.values).filter(|(_, field, _)| field.kind == BasicType::Object);
        let bits = references.take(u64::BITS as usize).enumerate();
        Some(bits.fold(0, |nulls, (at, (_, _, value))| nulls | u64::from(value == 0) << at))
    }

    fn digest(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        fingerprint::digest(Peek { contents: self, heap }, object)
    }

    fn boxed(&self, heap: &Heap, object: ObjectId) -> Option<Value> {
        let boxed = self.rules.role(heap.class_id(object)) == Role::Boxed;
        Peek { contents: self, heap }
            .fields(object, "")
            .filter(|_| boxed && !self.shapes.boxes_are_blanked)?
            .get("value")
    }

    fn room(&self, heap: &Heap, object: ObjectId) -> Option<Capacity> {
        let fields = Peek { contents: self, heap }.fields(object, "java.lang.AbstractStringBuilder")?;
        let array = fields.object(&["value"])?;
        let characters = self.array(heap, array).ok()??;
        // Two bytes per character, unless all fit into one byte.
        let wide = characters.kind == BasicType::Byte && fields.get("coder") == Some(Value::Byte(1));
        let capacity = u64::from(characters.length) >> u32::from(wide);
        Some(Capacity { used: fields.count(&["count"])?.min(capacity), capacity, array })
    }

    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let of_object = (heap.class(from).object == Some(to))
            .then(|| ReferenceName::strong(ReferenceKind::Class, "<class>"))
            .into_iter()
            .chain(self.class_object_names(heap, from, to));
        let of_stack = self.shapes.stacks.references(from).iter().filter(|reference| reference.object == to.raw());
        let of_stack =
            of_stack.map(|reference| ReferenceName::strong(ReferenceKind::Local, self.shapes.name(reference.name)));
        let (class, target) = (self.shape(heap, from), heap.address(to).0);
        if heap.classes.of_object(from).is_some() {
            return strong_first(of_object.chain(of_stack), limit);
        }
        match (self.record(heap, from), class) {
            (Ok(Some(Record::Instance(instance))), Some(class)) => {
                let fields = self.field_names(heap, from, class, instance.values, target);
                strong_first(of_object.chain(fields).chain(of_stack), limit)
            }
            (Ok(Some(Record::Array(array))), _) if array.kind == BasicType::Object => {
                strong_first(of_object.chain(self.element_names(heap, array, from, to)).chain(of_stack), limit)
            }
            (Ok(None), Some(class)) if self.file.is_none() && Self::is_plain(heap, from) => {
                let inferred = InferredFields::new(&self.shapes, heap, from, class);
                strong_first(of_object.chain(inferred.names(to)).chain(of_stack), limit)
            }
            (Ok(None), _) if self.file.is_none() => {
                strong_first(of_object.chain(self.some_elements(heap, from, to)).chain(of_stack), limit)
            }
            _ => strong_first(of_object.chain(of_stack), limit),
        }
    }

    fn stack(&self, _heap: &Heap, thread: ObjectId) -> Vec<String> {
        self.shapes.stacks.frames(thread).map(|frame| frame.text(&self.shapes)).collect()
    }

    fn has_sites(&self) -> bool {
        self.file.is_some() && self.shapes.stacks.has_sites()
    }

    fn allocation_site(&self, heap: &Heap, object: ObjectId) -> Option<u32> {
        if self.has_sites() { self.site_of(heap, object) } else { None }
    }

    fn site(&self, site: u32) -> Vec<String> {
        self.shapes.stacks.site(site).map(|frame| frame.text(&self.shapes)).collect()
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

/// At most `limit` of the names. Weak ones, of which an object usually has one, come last.
fn strong_first(names: impl Iterator<Item = ReferenceName>, limit: usize) -> Vec<ReferenceName> {
    let mut weak = Vec::new();
    let strong = names.filter_map(|name| {
        if name.strength == Strength::Strong {
            return Some(name);
        }
        weak.push(name);
        None
    });
    let mut first: Vec<ReferenceName> = strong.take(limit).collect();
    first.append(&mut weak);
    first.truncate(limit);
    first
}

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
