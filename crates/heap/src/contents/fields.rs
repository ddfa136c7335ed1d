//! Reference fields by class: the same names and positions for all instances. Only formats with class layouts (HPROF)
//! have them.

use super::values::Value;
use crate::{ClassId, Heap, ObjectId, split_class};

/// Reference fields of the instances of a class, for walks over many objects: cheaper than their names one by one.
pub trait FieldReferences: Send + Sync {
    /// Number of reference fields of an instance of a class. `None` if unknown.
    fn reference_fields(&self, _class: ClassId) -> Option<usize> {
        None
    }

    /// Names of the reference fields that a class declares itself, in their order: instances have them before those of
    /// its superclass.
    fn declared_references(&self, _class: ClassId) -> Vec<&str> {
        Vec::new()
    }

    /// Reference fields of an instance of a class, in the bit order of [`Self::nulls`]: declaring class and name of
    /// each. Empty if unknown.
    fn named_references(&self, _class: ClassId) -> Vec<(ClassId, &str)> {
        Vec::new()
    }

    /// Declaring class and name of the reference field that instances of a class show as `shown`: its name, or the name
    /// after that of the declaring class where they have another field of that name.
    fn field_shown_as(&self, heap: &Heap, class: ClassId, shown: &str) -> Option<(ClassId, &str)> {
        let fields = self.named_references(class);
        let is_of = |&&(of, name): &&(ClassId, &str)| {
            let declares = shown.strip_suffix(name).and_then(|class| class.strip_suffix('.'));
            let class = &heap.classes.get(of).name;
            declares.is_some_and(|declares| *declares == **class || declares == split_class(class).1)
        };
        let plain = fields.iter().find(|(_, name)| *name == shown);
        plain.or_else(|| fields.iter().find(is_of)).copied()
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
