//! Names of the references of one object, and the reference fields of its class.

use super::inferred_fields::{InferredFields, own_references};
use super::record_access::{HprofContents, value};
use super::shapes::{Shape, StaticShape};
use super::subrecords::Record;
use super::{subrecords::RawArray, tags::BasicType};
use crate::cursor::Cursor;
use heaplens_heap::{
    Address, ClassId, FieldReferences, Heap, ObjectId, ReferenceKind, ReferenceName, ReferenceNames, Strength, Value,
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
        let statics = class.map_or(&[][..], |class| &class.statics);
        let is_it = move |field: &&StaticShape| field.kind == BasicType::Object && field.target == target;
        let sorted = self.wide.references.sorted(from.raw(), statics.len(), || {
            let references = (0..).zip(statics).filter(|(_, field)| field.kind == BasicType::Object);
            rows(heap, references.map(|(index, field)| (index, field.target)))
        });
        let scanned = if sorted.is_some() { &[] } else { statics }.iter().filter(is_it);
        let at_indexes = sorted.into_iter().flat_map(move |sorted| sorted.indexes(to.raw()));
        let statics = at_indexes.filter_map(|index| statics.get(index as usize)).chain(scanned);
        let superclass = superclass.map(|_| ReferenceName::strong(ReferenceKind::Superclass, "<super>"));
        let loader = loader.map(|_| ReferenceName::strong(ReferenceKind::Loader, "<classloader>"));
        let statics = statics.map(|s| ReferenceName::strong(ReferenceKind::Static, self.shapes.name(s.name)));
        superclass.into_iter().chain(loader).chain(statics)
    }

    /// Names of the fields of an instance that hold `to`.
    fn field_names<'a>(
        &'a self,
        heap: &'a Heap,
        from: ObjectId,
        class: &'a Shape,
        values: &'a [u8],
        to: ObjectId,
    ) -> impl Iterator<Item = ReferenceName> {
        let references = move || {
            let fields = self.instance_fields(class, values);
            fields.filter(|(_, field, _)| field.kind == BasicType::Object)
        };
        let strength = heap.class(from).strength;
        let named = move |text: String, is_referent: bool| {
            let strength = if is_referent { strength } else { Strength::Strong };
            ReferenceName { text, kind: ReferenceKind::Field, strength }
        };
        let sorted = self.wide.references.sorted(from.raw(), heap.references(from).len(), || {
            rows(heap, (0..).zip(references()).map(|(index, (.., bits))| (index, bits)))
        });
        let target = heap.address(to).0;
        let scanned = sorted.is_none().then(|| {
            let pointing = references().filter(move |&(.., bits)| bits == target);
            pointing.map(move |(declares, field, _)| {
                named(self.shapes.field_name(class, (declares, field)), self.shapes.is_referent(declares, field))
            })
        });
        let at_indexes = sorted.map(|sorted| {
            let names = self.wide.names(heap.class_id(from).raw(), || self.shapes.reference_names(class));
            let indexes = sorted.indexes(to.raw());
            indexes.filter_map(move |index| {
                let (text, is_referent) = names.get(index as usize)?;
                Some(named(text.clone(), *is_referent))
            })
        });
        at_indexes.into_iter().flatten().chain(scanned.into_iter().flatten())
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
        let complete = if references.len() == array.length as usize { references } else { &[] };
        let id_bytes = self.shapes.id_bytes;
        let sorted = self.wide.references.sorted(from.raw(), array.length as usize, || {
            if complete.is_empty() {
                let mut cursor = Cursor::new(array.elements, 0);
                return rows(heap, (0..array.length).map_while(|index| Some((index, cursor.id(id_bytes)?))));
            }
            complete.iter().copied().zip(0..).collect()
        });
        let (complete, length) = if sorted.is_some() { (&[][..], 0) } else { (complete, array.length) };
        let at_indexes = sorted.into_iter().flat_map(move |sorted| sorted.indexes(to.raw())).map(u64::from);
        let blocks = complete.chunks(ELEMENTS).enumerate().filter(move |(_, block)| block.contains(&to.raw()));
        let known = blocks.flat_map(move |(n, block)| {
            (n * ELEMENTS..).zip(block).filter(move |&(_, &element)| element == to.raw()).map(|(i, _)| i as u64)
        });
        let target = heap.address(to).0;
        let mut cursor = Cursor::new(array.elements, 0);
        let unknown = if complete.is_empty() { length } else { 0 };
        let ids = (0..unknown).map_while(move |i| Some((i, cursor.id(id_bytes)?)));
        let pointing = ids.filter(move |&(_, id)| id == target).map(|(i, _)| u64::from(i));
        at_indexes.chain(known).chain(pointing).map(|index| ReferenceName::element(Some(index)))
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
        let class = self.shape(heap, from);
        if heap.classes.of_object(from).is_some() {
            return strong_first(of_object.chain(of_stack), limit);
        }
        match (self.record(heap, from), class) {
            (Ok(Some(Record::Instance(instance))), Some(class)) => {
                let fields = self.field_names(heap, from, class, instance.values, to);
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

    fn declared_references(&self, class: ClassId) -> Vec<&str> {
        self.shapes.declared_references(class.raw()).map(|field| self.shapes.name(field.name)).collect()
    }

    fn named_references(&self, class: ClassId) -> Vec<(ClassId, &str)> {
        let fields = self.shapes.references(class.raw());
        fields.filter_map(|(at, _, field)| Some((ClassId::from_raw(at)?, self.shapes.name(field.name)))).collect()
    }

    fn reference_field(&self, heap: &Heap, object: ObjectId, index: usize) -> Value {
        let Some(class) = self.shape(heap, object) else { return Value::Unavailable };
        if self.file().is_none() && Self::is_plain(heap, object) {
            let inferred = InferredFields::new(&self.shapes, &self.stacks, heap, object, class);
            let mut references = inferred.values(class).filter(|(_, field, _)| field.kind == BasicType::Object);
            return references.nth(index).map_or(Value::Unavailable, |(.., value)| value);
        }
        let Ok(Some(Record::Instance(instance))) = self.record(heap, object) else { return Value::Unavailable };
        let fields = self.instance_fields(class, instance.values);
        let mut references = fields.filter(|(_, field, _)| field.kind == BasicType::Object);
        references.nth(index).map_or(Value::Unavailable, |(_, field, bits)| value(heap, field.kind, bits))
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

    fn is_referent(&self, class: ClassId, index: usize) -> bool {
        let field = self.shapes.references(class.raw()).nth(index);
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

/// Rows of the objects at addresses, each with its place among all; none for addresses without an object.
fn rows(heap: &Heap, references: impl Iterator<Item = (u32, u64)>) -> Vec<(u32, u32)> {
    references.filter_map(|(index, address)| Some((heap.at(Address(address))?.raw(), index))).collect()
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
