//! Reads one object's record again, when somebody looks at it.

use std::ops::Range;

use super::java::{shortened, string_text};
use super::records::Index;
use super::roots::{Local, Rooted};
use super::schema::{Blueprint, Schema};
use super::subrecords::{RawArray, RawInstance, Visitor, walk};
use super::tags::BasicType;
use crate::formats::cursor::Cursor;
use crate::formats::source::Source;
use crate::heap::classes::Strength;
use crate::heap::contents::{Contents, ContentsError, Field, ReferenceKind, ReferenceName, Value};
use crate::heap::facts::Heap;
use crate::heap::ids::{Address, ObjectId};

/// Characters a label has at most.
const LABEL: usize = 80;

/// The inside of the objects of an HPROF file.
pub(super) struct HprofContents {
    source: Source,
    index: Index,
    schema: Schema,
    rooted: Rooted,
}

/// One record, borrowed from the file.
enum Record<'a> {
    Instance(&'a Blueprint, RawInstance<'a>),
    Array(RawArray<'a>),
}

/// Keeps the one record at an offset.
struct Keeper<'a> {
    offset: u64,
    instance: Option<RawInstance<'a>>,
    array: Option<RawArray<'a>>,
}

impl<'a> Visitor<'a> for Keeper<'a> {
    fn goes_on(&mut self, offset: u64) -> bool {
        offset == self.offset
    }

    fn instance(&mut self, instance: RawInstance<'a>) {
        self.instance = Some(instance);
    }

    fn array(&mut self, array: RawArray<'a>) {
        self.array = Some(array);
    }
}

impl HprofContents {
    pub(super) fn new(source: Source, index: Index, schema: Schema, rooted: Rooted) -> Self {
        Self { source, index, schema, rooted }
    }

    fn blueprint(&self, heap: &Heap, object: ObjectId) -> Option<&Blueprint> {
        // Classes of the heap are those of the schema, in its order.
        self.schema.get(heap.class_id(object).raw())
    }

    /// The class that `object` is the class object of.
    fn stands_for(&self, heap: &Heap, object: ObjectId) -> Option<&Blueprint> {
        heap.classes.of_object(object).and_then(|class| self.schema.get(class.raw()))
    }

    fn record(&self, heap: &Heap, object: ObjectId) -> Result<Option<Record<'_>>, ContentsError> {
        if heap.classes.of_object(object).is_some() {
            return Ok(None);
        }
        let Some(offset) = heap.file_offset(object) else { return Ok(None) };
        let lost = || ContentsError(format!("the record at offset {offset} of the file can no longer be read"));
        let file = self.source.bytes();
        let mut keeper = Keeper { offset, instance: None, array: None };
        let _stopped = walk(file, offset..file.len() as u64, self.index.id_bytes, &mut keeper);
        if let Some(instance) = keeper.instance {
            let class = self.blueprint(heap, object).ok_or_else(lost)?;
            return Ok(Some(Record::Instance(class, instance)));
        }
        keeper.array.map(|array| Some(Record::Array(array))).ok_or_else(lost)
    }

    fn name(&self, id: u64) -> String {
        self.index.text(self.source.bytes(), id).unwrap_or_else(|| format!("name {id:#x}"))
    }

    /// Fields of an instance, own class first, with the class that declares each; none if the file does not
    /// describe its class.
    fn instance_fields<'a>(
        &'a self,
        class: &'a Blueprint,
        values: &'a [u8],
    ) -> impl Iterator<Item = (&'a Blueprint, u64, BasicType, u64)> {
        let id_bytes = self.index.id_bytes;
        let described = Some(class).filter(|c| c.undescribed == 0);
        let chain = std::iter::successors(described, |c| c.superclass.and_then(|s| self.schema.get(s)));
        let mut cursor = Cursor::new(values, 0);
        let fields = chain.flat_map(|c| c.fields.iter().map(move |f| (c, f)));
        fields.map_while(move |(declares, field)| {
            let bits = bits(&mut cursor, field.kind, id_bytes)?;
            Some((declares, field.name, field.kind, bits))
        })
    }

    /// The value of the first field of this name.
    fn field(&self, heap: &Heap, object: ObjectId, name: &str) -> Option<Value> {
        let Some(Record::Instance(class, instance)) = self.record(heap, object).ok()? else { return None };
        let (_, _, kind, bits) =
            self.instance_fields(class, instance.values).find(|&(_, field, _, _)| self.name(field) == name)?;
        Some(value(heap, kind, bits))
    }

    /// Names of what only a class object has.
    fn class_object_names<'a>(
        &'a self,
        heap: &Heap,
        from: ObjectId,
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> + use<'a> {
        let target = heap.address(to).0;
        let class = self.stands_for(heap, from);
        let superclass = class.and_then(|c| c.superclass).and_then(|s| self.schema.get(s));
        let superclass = superclass.filter(|s| s.id == target);
        let loader = heap.classes.of_object(from).map(|c| heap.classes.get(c).loader);
        let loader = loader.filter(|&loader| loader == Some(to) || (target == 0 && loader.is_none()));
        let statics = class.into_iter().flat_map(|c| &c.statics);
        let statics = statics.filter(move |s| s.kind == BasicType::Object && s.value == target);
        let superclass = superclass.map(|_| ReferenceName::strong(ReferenceKind::Superclass, "<super>"));
        let loader = loader.map(|_| ReferenceName::strong(ReferenceKind::Loader, "<classloader>"));
        let statics = statics.map(|s| ReferenceName::strong(ReferenceKind::Static, self.name(s.name)));
        superclass.into_iter().chain(loader).chain(statics)
    }

    /// Names of the fields that hold `target`.
    fn field_names<'a>(
        &'a self,
        heap: &'a Heap,
        from: ObjectId,
        class: &'a Blueprint,
        values: &'a [u8],
        target: u64,
    ) -> impl Iterator<Item = ReferenceName> {
        let fields = self.instance_fields(class, values);
        let pointing = fields.filter(move |&(_, _, kind, bits)| kind == BasicType::Object && bits == target);
        pointing.map(move |(declares, name, ..)| {
            let text = self.name(name);
            let is_referent = text == "referent" && declares.name == "java.lang.ref.Reference";
            let strength = if is_referent { heap.class(from).strength } else { Strength::Strong };
            ReferenceName { text, kind: ReferenceKind::Field, strength }
        })
    }

    /// Places in an array of references that hold `target`.
    fn element_names<'a>(&self, array: RawArray<'a>, target: u64) -> impl Iterator<Item = ReferenceName> + use<'a> {
        let id_bytes = self.index.id_bytes;
        let mut cursor = Cursor::new(array.elements, 0);
        let ids = (0..array.length).map_while(move |i| Some((i, cursor.id(id_bytes)?)));
        let pointing = ids.filter(move |&(_, id)| id == target);
        pointing.map(|(i, _)| ReferenceName::strong(ReferenceKind::Element, format!("[{i}]")))
    }

    fn locals(&self, thread: ObjectId) -> &[Local] {
        let locals = &self.rooted.locals;
        let from = locals.partition_point(|l| l.thread < thread);
        let to = locals.partition_point(|l| l.thread <= thread);
        locals.get(from..to).unwrap_or(&[])
    }

    fn string(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        let characters = self.field(heap, object, "value")?.object()?;
        let Some(Record::Array(array)) = self.record(heap, characters).ok()? else { return None };
        let mut elements = array.elements;
        if array.kind == BasicType::Char {
            // JDK 6 and before share one array among strings.
            if let (Some(Value::Int(from)), Some(Value::Int(count))) =
                (self.field(heap, object, "offset"), self.field(heap, object, "count"))
            {
                let from = usize::try_from(from).ok()? * 2;
                let end = from.checked_add(usize::try_from(count).ok()? * 2)?;
                elements = elements.get(from..end)?;
            }
        }
        let latin1 = matches!(self.field(heap, object, "coder"), Some(Value::Byte(0)));
        Some(string_text(array.kind, latin1, elements, limit))
    }
}

impl Contents for HprofContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if let Some(class) = self.stands_for(heap, object) {
            let field = |s: &super::subrecords::RawStatic| Field {
                name: self.name(s.name),
                type_name: s.kind.name(),
                declared_by: class.name.clone(),
                is_static: true,
                value: value(heap, s.kind, s.value),
            };
            return Ok(class.statics.iter().map(field).collect());
        }
        let Some(Record::Instance(class, instance)) = self.record(heap, object)? else { return Ok(Vec::new()) };
        let field = |(declares, name, kind, bits): (&Blueprint, u64, BasicType, u64)| Field {
            name: self.name(name),
            type_name: kind.name(),
            declared_by: declares.name.clone(),
            is_static: false,
            value: value(heap, kind, bits),
        };
        Ok(self.instance_fields(class, instance.values).map(field).collect())
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        match self.record(heap, object).ok()?? {
            Record::Array(array) => Some(u64::from(array.length)),
            Record::Instance(..) => None,
        }
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        let Some(Record::Array(array)) = self.record(heap, object)? else { return Ok(Vec::new()) };
        let id_bytes = self.index.id_bytes;
        let start = range.start.saturating_mul(u64::from(array.kind.bytes(id_bytes)));
        let mut cursor = Cursor::new(array.elements, start);
        let bits = (range.start..range.end).map_while(|_| bits(&mut cursor, array.kind, id_bytes));
        Ok(bits.map(|b| value(heap, array.kind, b)).collect())
    }

    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        (&*heap.class(object).name == "java.lang.String").then(|| self.string(heap, object, limit))?
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        if let Some(class) = self.stands_for(heap, object) {
            return Some(class.name.clone());
        }
        if let Some(text) = self.text(heap, object, LABEL + 1) {
            return Some(shortened(&text, LABEL));
        }
        if let Some(length) = self.array_length(heap, object) {
            return Some(format!("[{}]", crate::units::Count(length)));
        }
        if heap.address(object) == Address(0) {
            return Some("<system class loader>".to_owned());
        }
        let thread = self.schema.named("java.lang.Thread").and_then(|c| self.schema.of(c.id))?;
        let thread = crate::heap::ids::ClassId::from_raw(thread)?;
        if !heap.classes.is_subclass(heap.class_id(object), thread) {
            return None;
        }
        // JDK 8 and before keep the name as a char[], later ones as a String.
        let name = self.field(heap, object, "name")?.object()?;
        let text = self.text(heap, name, LABEL + 1).or_else(|| match self.record(heap, name).ok()?? {
            Record::Array(array) => Some(string_text(array.kind, true, array.elements, LABEL + 1)),
            Record::Instance(..) => None,
        })?;
        Some(shortened(&text, LABEL))
    }

    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let of_object = (heap.class(from).object == Some(to))
            .then(|| ReferenceName::strong(ReferenceKind::Class, "<class>"))
            .into_iter()
            .chain(self.class_object_names(heap, from, to));
        let of_stack = self.locals(from).iter().filter(|l| l.object == to);
        let of_stack = of_stack.map(|l| ReferenceName::strong(ReferenceKind::Local, format!("<{}>", l.kind.name())));
        let target = heap.address(to).0;
        match self.record(heap, from) {
            Ok(Some(Record::Instance(class, instance))) => {
                let fields = self.field_names(heap, from, class, instance.values, target);
                strong_first(of_object.chain(fields).chain(of_stack), limit)
            }
            Ok(Some(Record::Array(array))) if array.kind == BasicType::Object => {
                strong_first(of_object.chain(self.element_names(array, target)).chain(of_stack), limit)
            }
            _ => strong_first(of_object.chain(of_stack), limit),
        }
    }

    fn stack(&self, _heap: &Heap, thread: ObjectId) -> Vec<String> {
        let file = self.source.bytes();
        let trace = self.rooted.stacks.get(&thread).and_then(|serial| self.index.traces.get(serial));
        let frame = |id: &u64| {
            let frame = self.index.frames.get(id)?;
            let class = self.index.class_by_serial.get(&frame.class_serial).and_then(|&c| self.schema.of(c));
            let class = class.and_then(|c| self.schema.get(c)).map_or("unknown class", |c| &c.name);
            let method = self.index.text(file, frame.method).unwrap_or_default();
            let source = self.index.text(file, frame.source).unwrap_or_default();
            let place = match frame.line {
                -3 => "native method".to_owned(),
                line if line > 0 && !source.is_empty() => format!("{source}:{line}"),
                _ if source.is_empty() => "unknown source".to_owned(),
                _ => source,
            };
            Some(format!("{class}.{method}({place})"))
        };
        trace.into_iter().flatten().filter_map(frame).collect()
    }
}

/// At most `limit` of the names. Weak ones, of which an object has one as a rule, come last.
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

fn bits(cursor: &mut Cursor<'_>, kind: BasicType, id_bytes: u32) -> Option<u64> {
    Some(match kind.bytes(id_bytes) {
        1 => u64::from(cursor.u8()?),
        2 => u64::from(cursor.u16()?),
        4 => u64::from(cursor.u32()?),
        _ => cursor.u64()?,
    })
}

/// A value from its bits.
fn value(heap: &Heap, kind: BasicType, bits: u64) -> Value {
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
