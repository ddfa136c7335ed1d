//! Access to fields by name, for rules about classes of the Java runtime. Everything may be missing: names change
//! between JDK versions, and any class may be called `java.util.HashMap`.

use super::record_access::{HprofContents, bits, value};
use super::runtime_rules::{STRING, TextSlots};
use super::shapes::{FieldSlot, Shape};
use super::subrecords::{RawArray, Record, record_at};
use super::{java::string_text, tags::BasicType};
use crate::cursor::Cursor;
use heaplens_base::storage::prefetch;
use heaplens_heap::{Address, Heap, ObjectId, RecordedText, Value, contents::MISSING};

/// Bytes that a processor loads at once.
const CACHE_LINE: usize = 64;

/// Reader for fields of objects.
#[derive(Clone, Copy)]
pub(super) struct Peek<'a> {
    pub(super) contents: &'a HprofContents,
    pub(super) heap: &'a Heap,
}

/// Instance that was read.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) peek: Peek<'a>,
    pub(super) class: &'a Shape,
    /// Lowest class whose fields are considered, with its superclasses; empty for all.
    base: &'a str,
    values: &'a [u8],
}

/// Characters of a string as stored in the file.
pub(super) struct Characters<'a> {
    pub(super) array: ObjectId,
    pub(super) kind: BasicType,
    /// One byte a character.
    pub(super) latin1: bool,
    /// Those that are recorded.
    pub(super) elements: &'a [u8],
    /// Size of all in bytes.
    bytes: usize,
}

impl Characters<'_> {
    /// True if the file has all.
    pub(super) fn is_whole(&self) -> bool {
        self.elements.len() == self.bytes
    }

    /// How much of the text the file has.
    pub(super) fn recorded(&self) -> RecordedText {
        if self.is_whole() {
            return RecordedText::Whole;
        }
        let wide = u32::from(self.kind == BasicType::Char || !self.latin1);
        let [units, total] = [self.elements.len(), self.bytes].map(|bytes| bytes as u64 >> wide);
        RecordedText::Beginning { units, total: Some(total), is_exact: true }
    }
}

impl<'a> Peek<'a> {
    /// Fields of an instance, considering the class `base` and its superclasses: a subclass may have a different field
    /// of the same name.
    pub(super) fn fields(self, object: ObjectId, base: &'a str) -> Option<Fields<'a>> {
        let Some(Record::Instance(instance)) = self.contents.record(self.heap, object).ok()? else { return None };
        let class = self.contents.shape(self.heap, object)?;
        Some(Fields { peek: self, class, base, values: instance.values })
    }

    /// Loads the beginning of a record in the background.
    pub(super) fn prefetch_record(self, object: ObjectId) {
        let offset = self.heap.file_offset(object).and_then(|offset| usize::try_from(offset).ok());
        if let (Some(file), Some(offset)) = (self.contents.file(), offset) {
            // A text is often followed by its array.
            prefetch(file.bytes(), offset);
            prefetch(file.bytes(), offset.saturating_add(CACHE_LINE));
        }
    }

    /// Id at the offset of an object, without a check that it is still that object's.
    pub(super) fn unchecked_id(self, object: ObjectId) -> Option<Address> {
        let (file, offset) = (self.contents.file()?, self.heap.file_offset(object)?);
        // The id is after the tag.
        Cursor::new(file.bytes(), offset + 1).id(self.contents.shapes.id_bytes).map(Address)
    }

    /// Address of the characters of a text, without a check that the record is still that object's.
    pub(super) fn unchecked_array_of_text(self, object: ObjectId) -> Option<Address> {
        let value = self.contents.rules.text_slots(self.heap.class_id(object))?.value?;
        let (file, offset) = (self.contents.file()?, self.heap.file_offset(object)?);
        let id_bytes = self.contents.shapes.id_bytes;
        let Record::Instance(instance) = record_at(file.bytes(), offset, id_bytes)? else { return None };
        bits(&mut Cursor::new(instance.values, value.offset), value.kind, id_bytes).map(Address)
    }

    pub(super) fn array(self, object: ObjectId) -> Option<RawArray<'a>> {
        self.contents.array(self.heap, object).ok()?
    }

    /// An element of an array; `None` past its end.
    pub(super) fn element(self, array: &RawArray<'_>, at: u64) -> Option<Value> {
        let id_bytes = self.contents.shapes.id_bytes;
        if at >= self.contents.recorded_elements(array) {
            return (at < u64::from(array.length)).then_some(Value::Unavailable);
        }
        let offset = at.checked_mul(u64::from(array.kind.bytes(id_bytes)))?;
        Some(value(self.heap, array.kind, bits(&mut Cursor::new(array.elements, offset), array.kind, id_bytes)?))
    }

    /// Number of elements stored in the file: 0 for an array of which only the length is recorded, since that may be
    /// any number.
    pub(super) fn recorded_length(self, array: &RawArray<'_>) -> u64 {
        self.contents.recorded_elements(array)
    }

    pub(super) fn class_name(self, object: ObjectId) -> &'a str {
        &self.heap.class(object).name
    }

    /// Characters of a string, as a range of an array.
    pub(super) fn characters(self, string: ObjectId) -> Option<Characters<'a>> {
        let fields = self.fields(string, STRING)?;
        let text_slots = self.contents.rules.text_slots(self.heap.class_id(string));
        let text_slots = text_slots.unwrap_or_else(|| TextSlots::of(&self.contents.shapes, fields.class));
        let (BasicType::Object, address) = fields.raw(text_slots.value?)? else { return None };
        let (array, Record::Array(raw)) = self.contents.record_of(self.heap, Address(address))? else { return None };
        let width = raw.kind.bytes(self.contents.shapes.id_bytes) as usize;
        let recorded = self.contents.recorded_elements(&raw) as usize * width;
        // The length of an array is known without its elements, but not whether it is that of the program.
        (recorded > 0 || self.contents.is_recorded(&raw)).then_some(())?;
        let (mut from, mut elements) = (0, raw.elements);
        if raw.kind == BasicType::Char {
            // JDK 6 and before, and Android 5 and before, share one array among strings.
            if let (Some(Value::Int(offset)), Some(Value::Int(count))) =
                (fields.at(text_slots.offset), fields.at(text_slots.count))
            {
                from = usize::try_from(offset).ok()?.checked_mul(2)?;
                let end = from.checked_add(usize::try_from(count).ok()?.checked_mul(2)?)?;
                elements = elements.get(from..end)?;
            }
        }
        let length = elements.len();
        let recorded = recorded.saturating_sub(from).min(length);
        // Android has no coder: its bytes are a character each.
        let latin1 = fields.at(text_slots.coder) != Some(Value::Byte(1));
        let elements = elements.get(..recorded)?;
        Some(Characters { array, kind: raw.kind, latin1, elements, bytes: length })
    }

    /// The first `limit` characters of a string, or of what has its fields.
    pub(super) fn string_text(self, object: ObjectId, limit: usize) -> Option<String> {
        let characters = self.characters(object)?;
        let mut text = string_text(characters.kind, characters.latin1, characters.elements, limit);
        if !characters.is_whole() && text.chars().count() < limit {
            text.push(MISSING);
        }
        Some(text)
    }
}

impl<'a> Fields<'a> {
    /// All fields from the base upwards: name and value.
    pub(super) fn all(self) -> impl Iterator<Item = (&'a str, Value)> {
        let contents = self.peek.contents;
        let shapes = &contents.shapes;
        let mut begun = self.base.is_empty();
        contents.instance_fields(self.class, self.values).filter_map(move |(declares, field, bits)| {
            begun = begun || shapes.is(declares.name, self.base);
            begun.then(|| (shapes.name(field.name), value(self.peek.heap, field.kind, bits)))
        })
    }

    /// Value of the first field with this name.
    pub(super) fn get(self, name: &str) -> Option<Value> {
        self.at(self.slot(name))
    }

    fn slot(self, name: &str) -> Option<FieldSlot> {
        self.peek.contents.shapes.slot(self.class, self.base, name)
    }

    /// Type and bits of the value at a place.
    fn raw(self, FieldSlot { kind, offset }: FieldSlot) -> Option<(BasicType, u64)> {
        let id_bytes = self.peek.contents.shapes.id_bytes;
        Some((kind, bits(&mut Cursor::new(self.values, offset), kind, id_bytes)?))
    }

    /// Value at a place.
    pub(super) fn at(self, slot: Option<FieldSlot>) -> Option<Value> {
        let (kind, bits) = self.raw(slot?)?;
        Some(value(self.peek.heap, kind, bits))
    }

    /// Place of the first existing field with one of these names.
    pub(super) fn slot_of_any(self, names: &[&str]) -> Option<FieldSlot> {
        names.iter().find_map(|name| self.slot(name))
    }

    /// Value of the first existing field with one of these names.
    pub(super) fn any(self, names: &[&str]) -> Option<Value> {
        self.at(self.slot_of_any(names))
    }

    /// Object in the first existing one of these fields.
    pub(super) fn object(self, names: &[&str]) -> Option<ObjectId> {
        self.any(names)?.object()
    }

    /// All fields of the object in the first existing one of these fields.
    pub(super) fn inside(self, names: &[&str]) -> Option<Fields<'a>> {
        self.peek.fields(self.object(names)?, "")
    }

    pub(super) fn integer(self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Byte(n) => Some(n.into()),
            Value::Short(n) => Some(n.into()),
            Value::Int(n) => Some(n.into()),
            Value::Long(n) => Some(n),
            _ => None,
        }
    }

    /// True if it is an entry of a thread's locals.
    pub(super) fn is_thread_local(self) -> bool {
        self.peek.contents.shapes.is(self.class.name, "java.lang.ThreadLocal$ThreadLocalMap$Entry")
    }

    /// Number of elements: never negative, regardless of the file.
    pub(super) fn count(self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| self.integer(name)).map(|n| u64::try_from(n).unwrap_or(0))
    }
}
