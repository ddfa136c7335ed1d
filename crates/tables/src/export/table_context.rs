//! Lookup context for names and sizes.

use heaplens_analysis::naming::Namer;
use heaplens_base::task::Task;
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::contents::Contents;
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::open_dump::OpenDump;

/// Data of an opened dump that tables need.
#[derive(Clone, Copy)]
pub struct TableContext<'a> {
    /// Heap read from the file.
    pub heap: &'a Heap,
    /// Access to object contents.
    pub contents: &'a dyn Contents,
    /// Derived columns.
    pub analysis: &'a Analysis,
    /// Namer of objects, if names or owners were requested.
    pub namer: Option<Namer<'a>>,
}

impl<'a> TableContext<'a> {
    /// Lookups in an open dump, without a namer. Only for jobs, never while drawing.
    pub fn of(dump: &'a OpenDump) -> Self {
        Self { heap: &dump.heap, contents: &*dump.contents, analysis: &dump.analysis, namer: None }
    }

    /// Owner of an object.
    pub fn owner(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.owner(object, &Task::new()).ok()??.text)
    }
}
