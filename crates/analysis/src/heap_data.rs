//! What a question about the contents of objects is asked of.

use heaplens_heap::{Analysis, Contents, Heap};

/// A heap with what is known of it. Cheap to copy: it consists of references only.
#[derive(Clone, Copy)]
pub struct HeapData<'a> {
    /// The facts.
    pub heap: &'a Heap,
    /// Access to object contents.
    pub contents: &'a dyn Contents,
    /// Derived columns.
    pub analysis: &'a Analysis,
}
