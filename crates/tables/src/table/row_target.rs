//! Object or class that a row of a table leads to.

use heaplens_analysis::dominator_tree::GroupId;
use heaplens_heap::{ClassId, ObjectId};

/// Target of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowTarget {
    /// No target.
    None,
    /// An object.
    Object(ObjectId),
    /// The objects of a class.
    Class(ClassId),
    /// Several objects in one row or cell, of which none is named.
    Group(GroupId),
    /// An object that is only in the baseline.
    BaselineObject(ObjectId),
    /// The objects of a class that is only in the baseline.
    BaselineClass(ClassId),
}
