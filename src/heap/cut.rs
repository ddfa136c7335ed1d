//! Hypothetical change to the program: *what if this reference did not exist?* Cuts are independent of positions of
//! references, which [`LeftOut`] knows.
//!
//! [`LeftOut`]: super::left_out::LeftOut

use super::ids::{ClassId, ObjectId};

/// References to exclude. An object always keeps the reference to its class, unless the class object itself is cut:
/// every object has a class.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cut {
    /// All references from one object to another, in any field.
    Reference {
        /// The object that refers.
        from: ObjectId,
        /// The object it refers to.
        to: ObjectId,
    },
    /// A field in all instances of a class and of those below it: the one that the class declares, or inherits.
    Field {
        /// The class.
        class: ClassId,
        /// The field.
        name: Box<str>,
    },
    /// Every reference to an object, and its being a root.
    Object(ObjectId),
    /// The same of all objects of a class.
    Class(ClassId),
}
