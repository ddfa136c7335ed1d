//! Reference fields by class: the same names and positions for all instances. Only formats with class layouts (HPROF)
//! have them.

use super::values::Value;
use crate::heap::{ClassId, Heap, ObjectId};

/// Reference fields of the instances of a class, for walks over many objects: cheaper than their names one by one.
pub trait FieldReferences: Send + Sync {
    /// Number of reference fields of an instance of a class. `None` if unknown.
    fn reference_fields(&self, _class: ClassId) -> Option<usize> {
        None
    }

    /// Reference fields of an instance of a class, in the bit order of [`Self::nulls`]: declaring class and name of
    /// each. Empty if unknown.
    fn named_references(&self, _class: ClassId) -> Vec<(ClassId, &str)> {
        Vec::new()
    }

    /// Value of a reference field of an instance, by its index in [`Self::named_references`];
    /// [`Value::Unavailable`] if unknown without the dump.
    fn reference_field(&self, _heap: &Heap, _object: ObjectId, _place: usize) -> Value {
        Value::Unavailable
    }

    /// Reads the values of all reference fields of an instance, in the order of [`Self::named_references`]. Clears
    /// `into` and fills it as far as the values are known.
    fn reference_values(&self, _heap: &Heap, _object: ObjectId, into: &mut Vec<Value>) {
        into.clear();
    }

    /// True if the reference in this field may be weak.
    fn is_referent(&self, _class: ClassId, _place: usize) -> bool {
        false
    }

    /// Bit mask of the reference fields of an instance that are null, lowest first, at most 64. `None` for other
    /// objects, and without the dump.
    fn nulls(&self, _heap: &Heap, _object: ObjectId) -> Option<u64> {
        None
    }
}
