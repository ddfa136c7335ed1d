//! What the records of objects mean: their fields, elements, texts and collections; without the dump, as far as they
//! follow from the heap's references ([`super::inferred_fields`]).

use std::{ops::Range, sync::Arc};

use super::record_access::{HprofContents, bits, value};
use super::shapes::{FieldShape, Shape, StaticShape};
use super::subrecords::Record;
use super::{collections, fingerprint, inferred_fields::InferredFields, labels, peek::Peek, stored, tags::BasicType};
use crate::cursor::Cursor;
use heaplens_base::Bytes;
use heaplens_heap::collection_list::CollectionList;
use heaplens_heap::{
    ClassId, ClassKind, Contents, ContentsError, Field, FileRecords, Fingerprint, Fingerprints, Heap, LibraryObjects,
    LogicalCollection, LogicalEntry, MappingFit, ObjectId, ObjectTexts, ObjectValues, OriginalNames, PrefetchStep,
    RecordedText, Role, SnapshotContents, Stack, StackLocal, StackOwner, ThreadStacks, Value, ValueKind,
    contents::Capacity,
};

impl HprofContents {
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
}

impl Contents for HprofContents {
    fn save(&self) -> Vec<u8> {
        stored::save(self)
    }

    fn renamed(&self, names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        let (mut shapes, mut fit) = self.shapes.renamed(names);
        let stacks = self.stacks.renamed(&self.shapes, names, &mut fit, |text| shapes.add(text));
        let mut renamed = Self::with_list(self.file().cloned(), shapes, stacks, self.rules.list.clone());
        renamed.recorded = self.recorded;
        Some((Arc::new(renamed), fit))
    }

    fn with_collections(&self, _heap: &Heap, list: &Arc<CollectionList>) -> Option<Arc<dyn Contents>> {
        let mut contents =
            Self::with_list(self.file().cloned(), self.shapes.clone(), self.stacks.clone(), list.clone());
        contents.recorded = self.recorded;
        Some(Arc::new(contents))
    }
}

impl ObjectValues for HprofContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if let Some(class) = self.stands_for(heap, object) {
            return self.statics(heap, object, class);
        }
        let Some(class) = self.shape(heap, object) else { return Ok(Vec::new()) };
        let is_blank = self.recorded.boxes_are_blanked && self.rules.role(heap.class_id(object)) == Role::Boxed;
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
                let fields = fields.map(|(of, field, bits)| named((of, field, value(heap, field.kind, bits))));
                Ok(fields.collect())
            }
            None if self.file().is_none() && Self::is_plain(heap, object) => {
                let inferred = InferredFields::new(&self.shapes, &self.stacks, heap, object, class);
                Ok(inferred.values(class).map(named).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        self.array(heap, object).ok()?.map(|array| u64::from(array.length))
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        if self.file().is_none() && heap.class(object).kind != ClassKind::Plain {
            return Err(ContentsError(
                "array elements are available only from the dump file, which was not found".to_owned(),
            ));
        }
        let Some(array) = self.array(heap, object)? else { return Ok(Vec::new()) };
        let recorded = self.recorded_elements(&array);
        let id_bytes = self.shapes.id_bytes;
        let start = range.start.saturating_mul(u64::from(array.kind.bytes(id_bytes)));
        let mut cursor = Cursor::new(array.elements, start);
        let known = (range.start..range.end.min(recorded)).map_while(|_| bits(&mut cursor, array.kind, id_bytes));
        let known = known.map(|bits| value(heap, array.kind, bits));
        let rest = range.start.max(recorded)..range.end.min(array.length.into());
        Ok(known.chain(rest.map(|_| Value::Unavailable)).collect())
    }
}

impl ObjectTexts for HprofContents {
    fn text(&self, heap: &Heap, object: ObjectId, limit: usize) -> Option<String> {
        (&*heap.class(object).name == "java.lang.String")
            .then(|| Peek { contents: self, heap }.string_text(object, limit))?
    }

    fn recorded_text(&self, heap: &Heap, object: ObjectId) -> RecordedText {
        if self.file().is_none() {
            return RecordedText::Unavailable;
        }
        let characters = Peek { contents: self, heap }.characters(object);
        characters.map_or(RecordedText::Nothing, |characters| characters.recorded())
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

    fn entry_on_path(&self, heap: &Heap, collection: ObjectId, path: &[ObjectId]) -> Option<(LogicalEntry, usize)> {
        collections::entry_on_path(Peek { contents: self, heap }, collection, path)
    }

    fn boxed(&self, heap: &Heap, object: ObjectId) -> Option<Value> {
        let boxed = self.rules.role(heap.class_id(object)) == Role::Boxed;
        Peek { contents: self, heap }
            .fields(object, "")
            .filter(|_| boxed && !self.recorded.boxes_are_blanked)?
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
    fn prefetch(&self, heap: &Heap, object: ObjectId, step: PrefetchStep) {
        fingerprint::prefetch_step(Peek { contents: self, heap }, object, step);
    }

    fn fingerprint(&self, heap: &Heap, object: ObjectId) -> Option<Fingerprint> {
        fingerprint::fingerprint(Peek { contents: self, heap }, object)
    }

    fn digest(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        fingerprint::digest(Peek { contents: self, heap }, object)
    }

    fn value_kind(&self, class: ClassId) -> Option<ValueKind> {
        match self.rules.role(class) {
            Role::Text => Some(ValueKind::Text),
            Role::Boxed => Some(ValueKind::Number),
            Role::Other | Role::Buffer | Role::Collection => None,
        }
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
        self.file()?.bytes().get(offset(from)?..offset(to)?)
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
        self.stacks.frames(thread).map(|frame| frame.text(&self.shapes)).collect()
    }

    fn stack_owners(&self) -> Vec<StackOwner> {
        self.stacks.owners(&self.shapes)
    }

    fn whole_stack(&self, at: usize) -> Stack {
        self.stacks.complete(at, &self.shapes)
    }

    fn stack_locals(&self) -> Vec<StackLocal> {
        self.stacks.all_locals().collect()
    }
}

// The format has no data for these.
impl SnapshotContents for HprofContents {}
