//! Sizes as Shark counts them: record sizes without headers; a string with
//! its characters, an array of boxed values with these; registered native bytes.

use rustc_hash::FxHashMap;
use std::cell::RefCell;

use crate::android::android_heap::AndroidHeap;
use heaplens_base::Bytes;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Value};

/// Sizes of objects; those of instances are known by class.
pub(super) struct Sizes<'a> {
    phone: &'a AndroidHeap<'a>,
    of_class: RefCell<FxHashMap<ClassId, Bytes>>,
}

impl<'a> Sizes<'a> {
    pub(super) fn new(phone: &'a AndroidHeap<'a>) -> Self {
        Self { phone, of_class: RefCell::default() }
    }

    /// Size of an object including registered native bytes.
    pub(super) fn of(&self, object: ObjectId) -> Bytes {
        self.inside(object) + self.phone.heap.native(object)
    }

    /// Size of the object's record alone.
    pub(super) fn alone(&self, object: ObjectId) -> Bytes {
        let AndroidHeap { heap, contents, .. } = *self.phone;
        let class = heap.class_id(object);
        if heap.classes.get(class).kind == ClassKind::Plain && heap.classes.of_object(object).is_none() {
            return self.of_instance(object, class);
        }
        contents.recorded_bytes(heap, object).unwrap_or(heap.shallow(object))
    }

    /// Record size shared by all instances of a class.
    fn of_instance(&self, object: ObjectId, class: ClassId) -> Bytes {
        let known = self.of_class.borrow().get(&class).copied();
        known.unwrap_or_else(|| {
            let AndroidHeap { heap, contents, .. } = *self.phone;
            let bytes = contents.recorded_bytes(heap, object).unwrap_or(heap.shallow(object));
            self.of_class.borrow_mut().insert(class, bytes);
            bytes
        })
    }

    fn inside(&self, object: ObjectId) -> Bytes {
        let AndroidHeap { heap, contents, .. } = *self.phone;
        let class = heap.class_id(object);
        let own = self.alone(object);
        if heap.classes.get(class).kind != ClassKind::Plain {
            return own + self.of_boxes(object, class);
        }
        if self.phone.name_of(class) != "java.lang.String" {
            return own;
        }
        let characters = self.phone.object(object, "java.lang.String", "value");
        own + characters.and_then(|array| contents.recorded_bytes(heap, array)).unwrap_or_default()
    }

    /// Boxed values in an array, each as large as the first: no path leads to them.
    fn of_boxes(&self, array: ObjectId, class: ClassId) -> Bytes {
        const BOXES: [&str; 8] = ["Boolean", "Character", "Float", "Double", "Byte", "Short", "Integer", "Long"];
        let of = self.phone.name_of(class).strip_prefix("java.lang.").and_then(|name| name.strip_suffix("[]"));
        if !of.is_some_and(|of| BOXES.contains(&of)) {
            return Bytes(0);
        }
        let boxes: Vec<ObjectId> = self.phone.elements(array).into_iter().filter_map(Value::object).collect();
        let one = boxes.first().map_or(Bytes(0), |&first| self.inside(first));
        Bytes(one.0.saturating_mul(boxes.len() as u64))
    }
}
