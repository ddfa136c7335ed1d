//! A reference as a row or a step shows it: what it means to cut it, alone or in all objects of the class.

use crate::heap::cut::Cut;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;

/// What is said where only a field could be meant.
pub const NO_FIELD: &str = "Array elements are not fields: press X to cut only this reference";

/// A reference that can be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// This one.
    pub one: Cut,
    /// The field in all instances; nothing where it is no field.
    pub all: Option<Cut>,
}

impl Reference {
    /// The reference from one object to another, by the name that the first has for it, if that is known.
    pub fn between(heap: &Heap, from: ObjectId, to: ObjectId, name: Option<&str>) -> Self {
        let one = Cut::Reference { from, to };
        let all = match (heap.classes.of_object(from), name) {
            // A static there is once.
            (Some(_), _) => Some(one.clone()),
            (None, Some(name)) if !name.starts_with(['[', '<']) => {
                Some(Cut::Field { class: heap.class_id(from), name: name.into() })
            }
            _ => None,
        };
        Self { one, all }
    }

    /// One of the two.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn cut(self, in_all: bool) -> Result<Cut, &'static str> {
        if in_all { self.all.ok_or(NO_FIELD) } else { Ok(self.one) }
    }
}
