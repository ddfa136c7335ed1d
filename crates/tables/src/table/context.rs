//! What tables read from an opened dump: heap, contents, derived columns, names.

use std::borrow::Cow;

use heaplens_analysis::{
    Answers, DumpData, Namer,
    clock::{AgeInterval, Ages},
    namesakes,
};
use heaplens_base::{Bytes, Share, Task};
use heaplens_dump::Dump;
use heaplens_heap::{Analysis, ClassId, Contents, Heap, ObjectId};

/// Opened dump as tables read it; a copy costs nothing.
#[derive(Clone, Copy)]
pub struct TableContext<'a> {
    /// Heap read from the file.
    pub heap: &'a Heap,
    /// Access to object contents.
    pub contents: &'a dyn Contents,
    /// Derived columns.
    pub analysis: &'a Analysis,
    /// Namer of objects; without it there are no owners.
    pub namer: Option<Namer<'a>>,
    /// Ages of objects; without them tables have no columns of ages.
    pub ages: Option<&'a Ages>,
    /// Answers about the dump.
    pub answers: &'a Answers,
}

impl<'a> TableContext<'a> {
    /// Context of a dump, without a namer. Only for jobs, never while drawing.
    pub fn of(dump: &'a Dump) -> Self {
        let DumpData { heap, contents, analysis, answers } = dump.data();
        Self { heap, contents, analysis, namer: None, ages: None, answers }
    }

    /// What analyses read.
    pub fn data(self) -> DumpData<'a> {
        let Self { heap, contents, analysis, answers, .. } = self;
        DumpData { heap, contents, analysis, answers }
    }

    /// Name of a class in source notation.
    pub fn class_name(self, class: ClassId) -> Option<Cow<'a, str>> {
        Some(self.heap.classes.get(class).name.as_ref().into())
    }

    /// Class loader of a class, if another loader has a class of its name.
    pub fn loader_of(self, class: ClassId) -> Option<Cow<'a, str>> {
        namesakes::loader(self.heap, class).map(Into::into)
    }

    /// Id of that class loader.
    pub fn loader_id(self, class: ClassId) -> Option<Cow<'a, str>> {
        namesakes::loader_id(self.heap, class).map(Into::into)
    }

    /// Name of the class of an object.
    pub fn class_of(self, object: ObjectId) -> Option<Cow<'a, str>> {
        Some(self.heap.class(object).name.as_ref().into())
    }

    /// Text by which users recognize an object, read from the file: see [`Dump::label`].
    pub fn label(self, object: ObjectId) -> Option<Cow<'a, str>> {
        self.contents.label(self.heap, object).map(Into::into)
    }

    /// A size as a part of the reachable heap.
    pub fn share(self, bytes: Bytes) -> Share {
        Share::of(bytes, self.analysis.shown.shallow)
    }

    /// Age of an object, if ages were requested and it is known.
    pub fn age(&self, object: ObjectId) -> Option<AgeInterval> {
        self.ages?.shown(self.heap, object)
    }

    /// Owner of an object; `None` if it has none, and without a namer.
    pub fn owner(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.owner(object, &Task::new()).ok()??.text)
    }
}
