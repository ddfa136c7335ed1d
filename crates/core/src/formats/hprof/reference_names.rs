//! Names of the references of one object, and the reference fields of its class.

use super::inferred_fields::{InferredFields, own_references};
use super::record_access::{HprofContents, value};
use super::subrecords::Record;
use super::{shapes::Shape, subrecords::RawArray, tags::BasicType};
use crate::formats::cursor::Cursor;
use crate::heap::{
    ClassId, FieldReferences, Heap, ObjectId, ReferenceKind, ReferenceName, ReferenceNames, Strength, Value,
};

/// Number of elements compared at once in a search.
const ELEMENTS: usize = 64;

impl HprofContents {
    /// Names of references that only class objects have.
    fn class_object_names<'a>(
        &'a self,
        heap: &Heap,
        from: ObjectId,
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> + use<'a> {
        let target = heap.address(to).0;
        let class = self.stands_for(heap, from);
        let superclass = class.and_then(|class| class.superclass);
        let superclass = superclass.filter(|&above| heap.classes.of_object(to).is_some_and(|c| c.raw() == above));
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
            let text = self.shapes.field_name(class, (declares, field));
            ReferenceName { text, kind: ReferenceKind::Field, strength }
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
        let references = own_references(&self.stacks, heap, from);
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
        let elements = own_references(&self.stacks, heap, from).iter().filter(move |&&element| element == to.raw());
        elements.map(|_| ReferenceName::element(None))
    }
}

impl ReferenceNames for HprofContents {
    fn reference_names(&self, heap: &Heap, from: ObjectId, to: ObjectId, limit: usize) -> Vec<ReferenceName> {
        let is_class = heap.class(from).object == Some(to);
        let of_class = is_class.then(|| ReferenceName::strong(ReferenceKind::Class, "<class>"));
        let of_object = of_class.into_iter().chain(self.class_object_names(heap, from, to));
        let of_stack = self.stacks.references(from).iter().filter(|reference| reference.object == to.raw());
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
            (Ok(None), Some(class)) if self.file().is_none() && Self::is_plain(heap, from) => {
                let inferred = InferredFields::new(&self.shapes, &self.stacks, heap, from, class);
                strong_first(of_object.chain(inferred.names(to)).chain(of_stack), limit)
            }
            (Ok(None), _) if self.file().is_none() => {
                strong_first(of_object.chain(self.some_elements(heap, from, to)).chain(of_stack), limit)
            }
            _ => strong_first(of_object.chain(of_stack), limit),
        }
    }
}

impl FieldReferences for HprofContents {
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
        if self.file().is_none() && Self::is_plain(heap, object) {
            let inferred = InferredFields::new(&self.shapes, &self.stacks, heap, object, class);
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
        if self.file().is_none() && Self::is_plain(heap, object) {
            let inferred = InferredFields::new(&self.shapes, &self.stacks, heap, object, class);
            into.extend(
                inferred.values(class).filter(|(_, field, _)| field.kind == BasicType::Object).map(|(.., value)| value),
            );
        } else if let Ok(Some(Record::Instance(instance))) = self.record(heap, object) {
            let fields = self.instance_fields(class, instance.values);
            let references = fields.filter(|(_, field, _)| field.kind == BasicType::Object);
            into.extend(references.map(|(_, field, bits)| value(heap, field.kind, bits)));
        }
    }

    fn is_referent(&self, class: ClassId, place: usize) -> bool {
        let field = self.shapes.references(class.raw()).nth(place);
        field.is_some_and(|(_, declares, field)| self.shapes.is_referent(declares, field))
    }

    fn nulls(&self, heap: &Heap, object: ObjectId) -> Option<u64> {
        let class = self.shape(heap, object)?;
        let Record::Instance(instance) = self.record(heap, object).ok()?? else { return None };
        let references = self.instance_fields(class, instance.values).filter(|(_, f, _)| f.kind == BasicType::Object);
        let bits = references.take(u64::BITS as usize).enumerate();
        Some(bits.fold(0, |nulls, (at, (_, _, value))| nulls | u64::from(value == 0) << at))
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
