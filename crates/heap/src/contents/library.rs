//! Objects of the Java library as the program sees them: collections, boxed values, texts under construction.

use std::ops::Range;

use super::logical::{Capacity, LogicalCollection, LogicalEntry, LogicalKind};
use super::values::Value;
use crate::{ClassId, Heap, ObjectId};

/// Role of a class in the search for wasted memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Other,
    /// A text: a string.
    Text,
    /// Boxed primitive.
    Boxed,
    /// Text under construction, in an array with spare capacity.
    Buffer,
    /// Collection of the Java library or of the list of collections, or of a subclass.
    Collection,
}

/// Meaning of library classes, and the contents of their objects independent of the implementation.
pub trait LibraryObjects: Send + Sync {
    /// Role of a class in the search for wasted memory.
    fn role(&self, _class: ClassId) -> Role {
        Role::Other
    }

    /// Entries `range` of a collection, clipped to the existing ones; an empty range reads none, and few objects.
    /// Terminates for cycles and wrong sizes. `None` if the object is not a known collection, or without the dump.
    fn logical(&self, _heap: &Heap, _collection: ObjectId, _range: Range<u64>) -> Option<LogicalCollection> {
        None
    }

    /// Kind of a collection; `None` if the object is not a known one. Reads few objects.
    fn collection_kind(&self, heap: &Heap, collection: ObjectId) -> Option<LogicalKind> {
        self.logical(heap, collection, 0..0).map(|logical| logical.kind)
    }

    /// Entry that a path of references from a collection leads to, and the number of objects of the path up to its key
    /// or value, without reading the other entries. `None` if it cannot be found so; [`LibraryObjects::logical`] may.
    fn entry_on_path(&self, _heap: &Heap, _collection: ObjectId, _path: &[ObjectId]) -> Option<(LogicalEntry, usize)> {
        None
    }

    /// The value in a [`Role::Boxed`] object.
    fn boxed(&self, _heap: &Heap, _object: ObjectId) -> Option<Value> {
        None
    }

    /// Used and total capacity of a [`Role::Buffer`].
    fn capacity(&self, _heap: &Heap, _object: ObjectId) -> Option<Capacity> {
        None
    }
}
