//! Fields and arrays that contain value objects: found by reading one holder of each class with its value objects.

use rustc_hash::FxHashMap;

use super::flat_objects::{FlatObjects, is_flat};
use super::schema::Schema;
use super::subrecords::{RawArray, RawInstance, Visitor, walk};
use super::tags::BasicType;
use crate::cursor::Cursor;

/// Maximum number of records that are read after a holder.
const MOST_RECORDS: usize = 4096;
/// Maximum number of superclasses of a holder.
const LONGEST_CHAIN: usize = 1000;

/// Classes of the value objects in fields and arrays.
#[derive(Debug, Default)]
pub(super) struct FlatFields {
    /// By index of the declaring class and of its own field: id of the value class.
    fields: FxHashMap<(u32, usize), u64>,
    /// By id of the array class: id of the value class.
    elements: FxHashMap<u64, u64>,
}

impl FlatFields {
    /// Finds the flat fields and elements of all classes.
    pub(super) fn resolve(flat: &FlatObjects, file: &[u8], id_bytes: u32, schema: &Schema) -> Self {
        let mut fields = Self::default();
        for (class, offset) in flat.examples() {
            let mut reader = ExampleReader { id_bytes, schema, left: MOST_RECORDS, holder: None, flats: Vec::new() };
            let _end = walk(file, offset..file.len() as u64, id_bytes, &mut reader);
            let by_number: FxHashMap<u64, u64> =
                reader.flats.iter().map(|&(number, class, _)| (number, class)).collect();
            match reader.holder {
                Some(Holder::Instance(values)) => fields.of_instance(schema, class, values, &by_number, id_bytes),
                Some(Holder::Array(element)) => {
                    if let Some(&of) = by_number.get(&element) {
                        fields.elements.insert(class, of);
                    }
                }
                None => {}
            }
            // Flat objects may hold others.
            for (_, class, values) in reader.flats {
                fields.of_instance(schema, class, values, &by_number, id_bytes);
            }
        }
        fields
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.elements.is_empty()
    }

    /// Value class of an own field of a class; `None` if the field is a reference.
    pub(super) fn field(&self, class: u32, field: usize) -> Option<u64> {
        self.fields.get(&(class, field)).copied()
    }

    /// Array classes with the value class of their elements.
    pub(super) fn arrays(&self) -> impl Iterator<Item = (u64, u64)> {
        self.elements.iter().map(|(&array, &value)| (array, value))
    }

    fn of_instance(
        &mut self,
        schema: &Schema,
        class: u64,
        values: &[u8],
        by_number: &FxHashMap<u64, u64>,
        id_bytes: u32,
    ) {
        let mut cursor = Cursor::new(values, 0);
        let mut at = schema.of(class);
        // Values of the class itself come first, then those of its superclass.
        for _ in 0..LONGEST_CHAIN {
            let Some((at_class, class)) = at.and_then(|at| Some((at, schema.get(at)?))) else { return };
            for (nth, field) in class.fields.iter().enumerate() {
                if field.kind == BasicType::Object {
                    let Some(id) = cursor.id(id_bytes) else { return };
                    if let Some(&value) = by_number.get(&id).filter(|_| is_flat(id)) {
                        self.fields.insert((at_class, nth), value);
                    }
                } else if cursor.skip(u64::from(field.kind.bytes(id_bytes))).is_none() {
                    return;
                }
            }
            at = class.superclass;
        }
    }
}

/// The record of a holder.
enum Holder<'a> {
    /// Values of its fields.
    Instance(&'a [u8]),
    /// Number of the first flat element.
    Array(u64),
}

/// Reads a holder and the flat objects after it.
struct ExampleReader<'a, 's> {
    id_bytes: u32,
    schema: &'s Schema,
    left: usize,
    holder: Option<Holder<'a>>,
    /// Number, class and values of each.
    flats: Vec<(u64, u64, &'a [u8])>,
}

impl<'a> Visitor<'a> for ExampleReader<'a, '_> {
    fn should_continue(&mut self, _offset: u64) -> bool {
        self.left > 0
    }

    fn instance(&mut self, instance: RawInstance<'a>) {
        self.left = self.left.saturating_sub(1);
        if is_flat(instance.id) && self.schema.of(instance.class).is_some() {
            self.flats.push((instance.id, instance.class, instance.values));
        } else if self.holder.is_none() {
            self.holder = Some(Holder::Instance(instance.values));
        } else {
            self.left = 0;
        }
    }

    fn array(&mut self, array: RawArray<'a>) {
        if self.holder.is_some() {
            self.left = 0;
            return;
        }
        let mut elements = Cursor::new(array.elements, 0);
        let ids = std::iter::from_fn(|| elements.id(self.id_bytes));
        self.holder = Some(Holder::Array(ids.into_iter().find(|&id| is_flat(id)).unwrap_or_default()));
    }
}
