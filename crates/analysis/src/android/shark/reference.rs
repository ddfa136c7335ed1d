//! A reference as Shark follows it.

use heaplens_heap::{ClassId, ObjectId, Value};

/// Name of a reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Name<'a> {
    /// A field.
    Field(&'a str),
    /// Static field, by its index in the class.
    Static(u32),
    /// A local variable of a running method.
    Local,
    /// Element, by its index.
    Index(u64),
    /// A key of a map.
    Key,
    /// An element of a set.
    Element,
    /// The value of a key.
    Of(Value),
}

/// One reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference<'a> {
    pub(super) target: ObjectId,
    pub(super) name: Name<'a>,
    /// The class that declares it.
    pub(super) declared_by: ClassId,
    /// Known leak that it matches.
    pub(super) matcher: Option<u32>,
    /// True if it is followed only when no other references are left.
    pub(super) is_last: bool,
}

/// Reusable buffer for the references of one object.
#[derive(Default)]
pub(super) struct ReferenceBuffer<'a> {
    pub(super) references: Vec<Reference<'a>>,
    pub(super) values: Vec<Value>,
}
