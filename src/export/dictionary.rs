//! What names and sizes of an answer are looked up in.

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;

/// An opened dump, as far as answers need it.
#[derive(Clone, Copy)]
pub struct Dictionary<'a> {
    /// The facts.
    pub heap: &'a Heap,
    /// The inside of objects.
    pub contents: &'a dyn Contents,
    /// What was derived.
    pub analyzed: &'a Analyzed,
}
