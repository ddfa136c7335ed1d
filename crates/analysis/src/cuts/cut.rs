//! A cut: a hypothetical change to the program, *what if this reference did not exist?* It names objects, classes and
//! fields, not positions of references: [`excluded_references`](super::excluded_references) resolves it to those.

use crate::naming::{class_name, field};
use heaplens_heap::{ClassId, Heap, ObjectId};

/// References to exclude. An object always keeps the reference to its class, unless the class object itself is cut:
/// every object has a class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cut {
    /// All references from one object to another, in any field.
    Reference {
        /// Source of the reference.
        from: ObjectId,
        /// Target of the reference.
        to: ObjectId,
    },
    /// Field in all instances of a class and its subclasses, declared or inherited by the class.
    Field {
        /// The class.
        class: ClassId,
        /// The field.
        name: Box<str>,
    },
    /// All references to an object, and its root status.
    Object(ObjectId),
    /// The same for all objects of a class.
    Class(ClassId),
}

impl Cut {
    /// The cut of a field in all instances, for the reference between two objects with this name in the first. A static
    /// field exists once, so only this reference is cut. `None` if the reference is not a field, or has no known name.
    pub fn in_all_instances(heap: &Heap, from: ObjectId, to: ObjectId, name: Option<&str>) -> Option<Self> {
        if heap.classes.of_object(from).is_some() {
            return Some(Self::Reference { from, to });
        }
        let name = name.filter(|name| !name.starts_with(['[', '<']))?;
        Some(Self::Field { class: heap.class_id(from), name: name.into() })
    }

    /// Text of the cut with ids of objects, valid for this dump only and without values of the program:
    /// `0x123:0x456`, `desk.Session.cart`, `0x123`, `desk.Session`. [`Namer::resolve_cut`](crate::naming::Namer::resolve_cut) reads it.
    pub fn text_with_ids(&self, heap: &Heap) -> String {
        match self {
            Self::Reference { from, to } => format!("{}:{}", heap.id_text(*from), heap.id_text(*to)),
            Self::Field { class, name } => class_name(heap, *class) + &field(name),
            Self::Object(object) => heap.id_text(*object),
            Self::Class(class) => class_name(heap, *class),
        }
    }
}
