//! Lookup context for names and sizes.

use std::borrow::Cow;

use heaplens_analysis::naming::Namer;
use heaplens_base::{Bytes, Share, Task};
use heaplens_core::heap::{Analysis, ClassId, Contents, Heap, ObjectId};
use heaplens_session::OpenDump;

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

    /// Name of a class.
    pub fn class_name(self, class: ClassId) -> Option<Cow<'a, str>> {
        Some(self.heap.classes.get(class).name.as_ref().into())
    }

    /// Name of the class of an object.
    pub fn class_of(self, object: ObjectId) -> Option<Cow<'a, str>> {
        Some(self.heap.class(object).name.as_ref().into())
    }

    /// Label of an object; read from the file.
    pub fn label(self, object: ObjectId) -> Option<Cow<'a, str>> {
        self.contents.label(self.heap, object).map(Into::into)
    }

    /// A size as a part of the reachable heap.
    pub fn share(self, bytes: Bytes) -> Share {
        Share::of(bytes, self.analysis.shown.shallow)
    }

    /// Owner of an object.
    pub fn owner(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.owner(object, &Task::new()).ok()??.text)
    }
}
