//! Reads the record of a single object again on demand.

use std::sync::{Arc, Mutex, PoisonError};

use super::recorded_values::RecordedValues;
use super::shapes::{FieldShape, Shape, Shapes};
use super::subrecords::{RawArray, Record, record_at};
use super::{runtime_rules::RuntimeRules, stacks::Stacks, tags::BasicType};
use crate::{cursor::Cursor, source::Source, wide_objects::WideObjects};
use heaplens_heap::collection_list::CollectionList;
use heaplens_heap::{Address, ClassKind, ContentsError, Heap, ObjectId, Value};

pub(super) struct HprofContents {
    /// The dump; `None` for a stored analysis opened without it.
    file: Option<Source>,
    pub(super) shapes: Shapes,
    /// Stacks of threads and of allocation sites.
    pub(super) stacks: Stacks,
    /// The primitive values that are the program's.
    pub(super) recorded: RecordedValues,
    /// Rules for classes of the Java runtime.
    pub(super) rules: RuntimeRules,
    /// What was found of wide objects.
    pub(super) wide: WideCache,
}

/// Maximum number of classes whose names are cached.
const CLASSES: usize = 8;

/// Names of the reference fields of an instance in their order, each with whether it is a referent.
type InstanceNames = Arc<[(String, bool)]>;

/// What names of the references of wide objects are made of.
#[derive(Default)]
pub(super) struct WideCache {
    pub(super) references: WideObjects,
    /// By class, the latest at the end.
    names: Mutex<Vec<(u32, InstanceNames)>>,
}

impl WideCache {
    /// Names of the reference fields of instances of a class; computed by `read` and cached.
    pub(super) fn names(&self, class: u32, read: impl FnOnce() -> Vec<(String, bool)>) -> InstanceNames {
        let lock = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, names)) = lock().iter().find(|(known, _)| *known == class) {
            return Arc::clone(names);
        }
        let names: InstanceNames = read().into();
        let mut known = lock();
        if known.len() >= CLASSES {
            known.remove(0);
        }
        known.push((class, Arc::clone(&names)));
        names
    }
}

impl HprofContents {
    pub(super) fn new(file: Option<Source>, shapes: Shapes, stacks: Stacks) -> Self {
        Self::with_list(file, shapes, stacks, CollectionList::built_in())
    }

    /// Contents with another list of collections.
    pub(super) fn with_list(file: Option<Source>, shapes: Shapes, stacks: Stacks, list: Arc<CollectionList>) -> Self {
        let rules = RuntimeRules::new(&shapes, list);
        Self { file, shapes, stacks, recorded: RecordedValues::default(), rules, wide: WideCache::default() }
    }

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
        // A different object there means a different file: the dump was replaced. Looking up the row of an address is
        // cheaper than the address of a row.
        let record = record_at(file.bytes(), offset, self.shapes.id_bytes);
        let record = record.filter(|record| heap.at(Address(record.id())) == Some(object));
        record.map(Some).ok_or_else(|| {
            ContentsError(format!("cannot read the record at offset {offset} again: the dump file has changed"))
        })
    }

    /// The object at an address, and its record; `None` also if the dump file has changed.
    pub(super) fn record_of(&self, heap: &Heap, address: Address) -> Option<(ObjectId, Record<'_>)> {
        let object = heap.at(address)?;
        let record = record_at(self.file.as_ref()?.bytes(), heap.file_offset(object)?, self.shapes.id_bytes)?;
        (record.id() == address.0).then_some((object, record))
    }

    pub(super) fn array(&self, heap: &Heap, object: ObjectId) -> Result<Option<RawArray<'_>>, ContentsError> {
        match self.record(heap, object)? {
            Some(Record::Array(array)) => Ok(Some(array)),
            _ => Ok(None),
        }
    }

    /// True if the elements of an array are the original ones.
    pub(super) fn is_recorded(&self, array: &RawArray<'_>) -> bool {
        array.kind == BasicType::Object || self.recorded.is_whole(array)
    }

    /// Number of elements at the beginning of an array that are the original ones.
    pub(super) fn recorded_elements(&self, array: &RawArray<'_>) -> u64 {
        u64::from(if array.kind == BasicType::Object { array.length } else { self.recorded.elements(array) })
    }

    /// Fields of an instance, own class first, with the declaring class of each; empty if the file does not describe
    /// its class.
    pub(super) fn instance_fields<'a>(
        &'a self,
        class: &'a Shape,
        values: &'a [u8],
    ) -> impl Iterator<Item = (&'a Shape, FieldShape, u64)> {
        let id_bytes = self.shapes.id_bytes;
        self.shapes.fields_at(class).map_while(move |(declares, field, offset)| {
            Some((declares, field, bits(&mut Cursor::new(values, offset), field.kind, id_bytes)?))
        })
    }

    /// True if the heap has it as an instance with fields, according to its class.
    pub(super) fn is_plain(heap: &Heap, object: ObjectId) -> bool {
        // The bootstrap loader is synthetic.
        heap.class(object).kind == ClassKind::Plain && heap.address(object) != Address(0)
    }
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
