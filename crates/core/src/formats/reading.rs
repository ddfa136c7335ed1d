//! Result of a reader, for every format.

use std::sync::Arc;

use crate::heap::builder::CompleteHeap;
use crate::heap::contents::Contents;

/// Heap, and access to the contents of its objects.
pub(super) type BuiltHeap = (CompleteHeap, Arc<dyn Contents>);
