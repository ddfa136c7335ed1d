//! Hypothetical change to the program: *what if this reference did not exist?* Cuts are independent of positions of
//! references, which [`ExcludedReferences`] knows.
//!
//! [`ExcludedReferences`]: super::excluded_references::ExcludedReferences

use super::ids::{ClassId, ObjectId};

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
