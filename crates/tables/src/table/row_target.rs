//! Object or class that a row of a table leads to.

use heaplens_core::heap::{ClassId, ObjectId};

/// Target of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowTarget {
    /// No target.
    Nowhere,
    /// An object.
    To(ObjectId),
    /// The objects of a class.
    ToClass(ClassId),
    /// Several objects of a class, of which none is named.
    Group(ClassId),
    /// An object that is only in the baseline.
    Before(ObjectId),
    /// The objects of a class that is only in the baseline.
    ClassBefore(ClassId),
}
