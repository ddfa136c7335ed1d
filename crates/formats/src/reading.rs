//! What each reader of a format provides, and the result of reading a file.

use std::sync::Arc;

use super::{error::OpenError, options::ReadOptions, source::Source};
use heaplens_base::{Task, storage::MemoryBudget};
use heaplens_heap::format::Format;
use heaplens_heap::{Census, Contents, ContentsError, Heap, builder::CompleteHeap};

/// Heap, and access to the contents of its objects.
pub(super) type BuiltHeap = (CompleteHeap, Arc<dyn Contents>);

/// A file to be read.
pub(super) struct ReadInput<'a> {
    pub(super) source: Source,
    pub(super) options: &'a ReadOptions,
    pub(super) budget: &'a MemoryBudget,
    pub(super) task: &'a Task,
    /// Called once, as soon as all objects are counted.
    pub(super) on_census: &'a mut dyn FnMut(Census),
}

/// Restores access to contents from data that [`Contents::save`] wrote, with the unpacked dump if it is available.
type RestoreContents = fn(&[u8], Option<Source>, &Heap) -> Result<Arc<dyn Contents>, ContentsError>;

pub(super) struct Reader {
    /// Formats of the heaps that it builds.
    pub(super) formats: &'static [Format],
    /// True if the bytes of a file begin like its files.
    pub(super) recognises: fn(&[u8]) -> bool,
    pub(super) open: fn(ReadInput<'_>) -> Result<BuiltHeap, OpenError>,
    pub(super) restore: RestoreContents,
}
