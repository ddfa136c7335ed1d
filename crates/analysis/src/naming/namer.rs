//! What names are made of: the parts of a dump, and lookup tables for its names.

use super::index::NameIndex;
use heaplens_heap::{Analysis, Contents, Heap};

/// Names the objects of one dump, and finds them by name. Cheap to create: it consists of references only.
#[derive(Clone, Copy)]
pub struct Namer<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// Contents of objects.
    pub contents: &'a dyn Contents,
    /// Dominators, sizes and reachability.
    pub analysis: &'a Analysis,
    /// Lookup tables of this dump.
    pub index: &'a NameIndex,
}
