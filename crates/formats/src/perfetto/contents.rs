//! Contents of objects: references with the names of their fields. Heap graphs have no values, except of a few fields
//! that tools need.

use std::{iter::repeat_n, ops::Range, sync::Arc};

use super::objects::RawObject;
use super::shapes::{FieldName, Meaning, Shapes};
use crate::source::Source;
use heaplens_base::Count;
use heaplens_heap::{
    Address, AllocationSites, ClassId, ClassKind, Contents, ContentsError, Field, FieldReferences, FileRecords,
    Fingerprints, Heap, LibraryObjects, MappingFit, ObjectId, ObjectTexts, ObjectValues, OriginalNames, ReferenceKind,
    ReferenceName, ReferenceNames, SnapshotContents, Strength, ThreadStacks, Value, unambiguous,
};

/// Bytes of the header of an array; elements of 8 bytes begin at a multiple of 8.
const ARRAY_HEADER: u64 = 12;
const WIDE_ARRAY_HEADER: u64 = 16;
/// Maximum number of elements whose values are missing in one answer.
const ELEMENTS: u64 = 5_000;
/// Name of references from structures of the runtime.
const INTERNAL: &str = "<runtime internal>";

pub(super) struct GraphContents {
    /// The trace; `None` for a stored analysis opened without it.
    file: Option<Source>,
    shapes: Shapes,
}

impl GraphContents {
    pub(super) fn new(file: Option<Source>, shapes: Shapes) -> Self {
        Self { file, shapes }
    }

    /// Record of an object; `None` if the file is unavailable.
    fn record(&self, heap: &Heap, object: ObjectId) -> Result<Option<RawObject<'_>>, ContentsError> {
        let (Some(file), Some(offset)) = (&self.file, heap.file_offset(object)) else { return Ok(None) };
        RawObject::at(file.bytes(), offset).map(Some).ok_or_else(|| {
            ContentsError(format!("cannot read the record at offset {offset} again: the trace file has changed"))
        })
    }

    fn value(heap: &Heap, id: u64) -> Value {
        match heap.at(Address(id)) {
            _ if id == 0 => Value::Null,
            Some(object) => Value::Object(object),
            None => Value::Dangling(Address(id)),
        }
    }

    /// Reference fields of an object with their values, in file order; without the file, as far as they follow from
    /// its references.
    fn references<'a>(
        &'a self,
        heap: &Heap,
        object: ObjectId,
    ) -> Result<Vec<(Option<&'a FieldName>, Value)>, ContentsError> {
        let class = heap.class_id(object).raw();
        if let Some(record) = self.record(heap, object)? {
            let values = record.references().map(|id| Self::value(heap, id));
            return Ok(self.shapes.of_object(&record, class).zip(values).collect());
        }
        let fields: Vec<_> = self.shapes.of_class(class).map(|(_, field)| field).collect();
        let own = heap.own_references(object);
        // Nulls are missing there, and the referent comes first: fields are known only if all are set.
        let is_first = |field: Option<&FieldName>| field.is_some_and(|field| field.meaning == Meaning::Referent);
        let moved = fields.iter().copied().position(is_first).filter(|_| heap.has_referent_first(object));
        let own_index = |at: usize| match moved {
            Some(referent) if at == referent => 0,
            Some(referent) if at < referent => at + 1,
            _ => at,
        };
        let is_exact = fields.len() == own.len();
        let value = |at: usize| own.get(own_index(at)).filter(|_| is_exact).and_then(|&to| ObjectId::from_raw(to));
        let value = |(at, field)| (field, value(at).map_or(Value::Unavailable, Value::Object));
        Ok(fields.into_iter().enumerate().map(value).collect())
    }

    /// True if a field of a class object is a static of its class, and not one of `java.lang.Class`.
    fn is_static(field: &FieldName, heap: &Heap, class: ClassId) -> bool {
        let of = heap.classes.get(class);
        *field.declared_by == *of.name
    }

    fn array_kind(heap: &Heap, object: ObjectId) -> ClassKind {
        heap.class(object).kind
    }
}

impl Contents for GraphContents {
    fn save(&self) -> Vec<u8> {
        // Serializing plain structs to memory cannot fail.
        postcard::to_stdvec(&self.shapes).unwrap_or_default()
    }

    fn renamed(&self, names: &dyn OriginalNames) -> Option<(Arc<dyn Contents>, MappingFit)> {
        let (shapes, fit) = self.shapes.renamed(names);
        Some((Arc::new(Self { file: self.file.clone(), shapes }), fit))
    }
}

/// Deserializes saved contents; `file` is the trace, if available.
pub(super) fn restore(saved: &[u8], file: Option<Source>, heap: &Heap) -> Result<Arc<dyn Contents>, ContentsError> {
    let damaged = || ContentsError("the stored names of fields are damaged".to_owned());
    let shapes: Shapes = postcard::from_bytes(saved).map_err(|_damage| damaged())?;
    if shapes.is_damaged() || shapes.classes.len() != heap.classes.len() {
        return Err(damaged());
    }
    Ok(Arc::new(GraphContents::new(file, shapes)))
}

impl ObjectValues for GraphContents {
    fn fields(&self, heap: &Heap, object: ObjectId) -> Result<Vec<Field>, ContentsError> {
        if Self::array_kind(heap, object) != ClassKind::Plain {
            return Ok(Vec::new());
        }
        let of = heap.classes.of_object(object);
        let known = self.references(heap, object)?.into_iter().filter_map(|(field, value)| Some((field?, value)));
        // As in other dumps, fields of a class object are its statics; all of its references have names.
        let shown = known.filter(|(field, _)| of.is_none_or(|class| Self::is_static(field, heap, class)));
        let mut fields: Vec<Field> = shown
            .map(|(field, value)| Field {
                name: field.name.to_string(),
                type_name: "object",
                declared_by: field.declared_by.to_string(),
                is_static: of.is_some(),
                value,
            })
            .collect();
        let values = self.record(heap, object)?.map(|record| record.values()).unwrap_or_default();
        fields.extend(values.into_iter().map(|(class, name, type_name, value)| {
            let value = match i32::try_from(value) {
                Ok(value) if type_name == "int" => Value::Int(value),
                _ => Value::Long(value),
            };
            let (name, declared_by) = (name.to_owned(), class.to_owned());
            Field { name, type_name, declared_by, is_static: false, value }
        }));
        Ok(fields)
    }

    fn array_length(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        let record = || self.record(heap, object).ok()?;
        match Self::array_kind(heap, object) {
            ClassKind::Plain => None,
            ClassKind::ObjectArray => Some(record()?.reference_count() as u64),
            // Recorded sizes are exact: the length follows.
            ClassKind::PrimitiveArray => {
                let (header, width) = match heap.class(object).name.strip_suffix("[]")? {
                    "boolean" | "byte" => (ARRAY_HEADER, 1),
                    "char" | "short" => (ARRAY_HEADER, 2),
                    "float" | "int" => (ARRAY_HEADER, 4),
                    _ => (WIDE_ARRAY_HEADER, 8),
                };
                Some(record()?.self_size.checked_sub(header)? / width)
            }
        }
    }

    fn elements(&self, heap: &Heap, object: ObjectId, range: Range<u64>) -> Result<Vec<Value>, ContentsError> {
        match Self::array_kind(heap, object) {
            ClassKind::Plain => Ok(Vec::new()),
            ClassKind::PrimitiveArray => {
                let length = self.array_length(heap, object).unwrap_or_default();
                let many = range.end.min(length).saturating_sub(range.start);
                Ok(repeat_n(Value::Unavailable, many.min(ELEMENTS) as usize).collect())
            }
            ClassKind::ObjectArray => {
                let record = self.record(heap, object)?.ok_or_else(|| {
                    ContentsError(
                        "array elements are available only from the trace file, which was not found".to_owned(),
                    )
                })?;
                let (from, many) = (range.start as usize, range.end.saturating_sub(range.start) as usize);
                Ok(record.references().skip(from).take(many).map(|id| Self::value(heap, id)).collect())
            }
        }
    }
}

impl ObjectTexts for GraphContents {
    fn text(&self, _heap: &Heap, _object: ObjectId, _limit: usize) -> Option<String> {
        None
    }

    fn label(&self, heap: &Heap, object: ObjectId) -> Option<String> {
        if let Some(class) = heap.classes.of_object(object) {
            return Some(heap.classes.get(class).name.to_string());
        }
        self.array_length(heap, object).map(|length| format!("[{}]", Count(length)))
    }
}

impl ReferenceNames for GraphContents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let of = heap.classes.of_object(from);
        let is_array = Self::array_kind(heap, from) == ClassKind::ObjectArray;
        let Ok(references) = self.references(heap, from) else { return Vec::new() };
        let shown = |field: &FieldName| {
            let alike = references.iter().filter_map(|(other, _)| *other).filter(|other| other.name == field.name);
            unambiguous(&field.name, &field.declared_by, alike.map(|other| &*other.declared_by))
        };
        let name = |(index, field): (u64, Option<&FieldName>)| {
            let Some(field) = field else {
                return if is_array {
                    ReferenceName::element(Some(index))
                } else {
                    ReferenceName::strong(ReferenceKind::Field, "?")
                };
            };
            if field.meaning == Meaning::Referent {
                let text = field.name.to_string();
                return ReferenceName { text, kind: ReferenceKind::Field, strength: heap.class(from).strength };
            }
            match of {
                Some(_) if field.meaning == Meaning::Superclass => {
                    ReferenceName::strong(ReferenceKind::Superclass, "<super>")
                }
                Some(class) if Self::is_static(field, heap, class) => {
                    ReferenceName::strong(ReferenceKind::Static, &*field.name)
                }
                _ => ReferenceName::strong(ReferenceKind::Field, shown(field)),
            }
        };
        let here = (0..).zip(&references).filter(|(_, (_, value))| value.object() == Some(to));
        let mut names: Vec<ReferenceName> = here.map(|(index, &(field, _))| name((index, field))).take(limit).collect();
        if let Ok(Some(record)) = self.record(heap, from) {
            let internal = record.internal.iter().filter(|&id| id != 0 && heap.at(Address(id)) == Some(to));
            names.extend(internal.take(1).map(|_| ReferenceName::strong(ReferenceKind::Internal, INTERNAL)));
        } else if names.is_empty() && heap.own_references(from).contains(&to.raw()) {
            names.push(if is_array {
                ReferenceName::element(None)
            } else {
                ReferenceName::strong(ReferenceKind::Field, "?")
            });
        }
        if heap.class(from).object == Some(to) {
            names.push(ReferenceName::strong(ReferenceKind::Class, "<class>"));
        }
        // Weak ones, of which an object usually has one, come last.
        names.sort_by_key(|name| name.strength != Strength::Strong);
        names.truncate(limit);
        names
    }
}

impl FieldReferences for GraphContents {
    fn reference_fields(&self, class: ClassId) -> Option<usize> {
        self.shapes.classes.get(class.index())?;
        Some(self.shapes.of_class(class.raw()).count())
    }

    fn declared_references(&self, class: ClassId) -> Vec<&str> {
        self.shapes.declared_by(class.raw()).map(|field| field.map_or("?", |field| &*field.name)).collect()
    }

    fn named_references(&self, class: ClassId) -> Vec<(ClassId, &str)> {
        let fields = self.shapes.of_class(class.raw());
        let named =
            fields.filter_map(|(at, field)| Some((ClassId::from_raw(at)?, field.map_or("?", |field| &field.name))));
        named.collect()
    }

    fn reference_field(&self, heap: &Heap, object: ObjectId, index: usize) -> Value {
        let mut values = Vec::new();
        self.reference_values(heap, object, &mut values);
        values.get(index).copied().unwrap_or(Value::Unavailable)
    }

    fn reference_values(&self, heap: &Heap, object: ObjectId, into: &mut Vec<Value>) {
        into.clear();
        let is_listed = |record: &RawObject<'_>| record.field_ids.is_empty() && !record.is_inconsistent();
        // Fields of class objects are those of their records.
        if heap.classes.of_object(object).is_none()
            && self.record(heap, object).is_ok_and(|record| record.as_ref().is_none_or(is_listed))
        {
            let references = self.references(heap, object).unwrap_or_default();
            into.extend(references.into_iter().map(|(_, value)| value));
        }
    }

    fn is_referent(&self, class: ClassId, index: usize) -> bool {
        let field = self.shapes.of_class(class.raw()).nth(index);
        field.is_some_and(|(_, field)| field.is_some_and(|field| field.meaning == Meaning::Referent))
    }

    fn nulls(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        let record = self.record(heap, object).ok()??;
        if !record.field_ids.is_empty() || Self::array_kind(heap, object) != ClassKind::Plain {
            return None;
        }
        let bits = record.references().take(u64::BITS as usize).enumerate();
        Some(bits.fold(0, |nulls, (at, id)| nulls | u64::from(id == 0) << at))
    }
}

// The format has no data for these.
impl LibraryObjects for GraphContents {}
impl Fingerprints for GraphContents {}
impl FileRecords for GraphContents {}
impl ThreadStacks for GraphContents {}
impl AllocationSites for GraphContents {}
impl SnapshotContents for GraphContents {}
