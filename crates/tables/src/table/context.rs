//! What tables read from an opened dump: heap, contents, derived columns, names.

use std::borrow::Cow;

use serde::{Serialize, de::DeserializeOwned};

use crate::query::TableResult;
use heaplens_analysis::{
    Namer,
    clock::{AgeInterval, Ages},
    namesakes,
};
use heaplens_base::{Bytes, Share, Task};
use heaplens_dump::Dump;
use heaplens_dump::facts::Facts;
use heaplens_heap::{Analysis, ClassId, Contents, Heap, ObjectId};
use heaplens_session::kept_answers::KeptAnswers;
use heaplens_session::{LoadedDump, OpenDump};

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
    /// Answers kept by an earlier open, and the dump they are about; without them every table is computed.
    pub kept: Option<(&'a KeptAnswers, &'a Facts)>,
}

impl<'a> TableContext<'a> {
    /// Context of a dump, without a namer.
    pub fn new(dump: &'a Dump) -> Self {
        let (heap, contents) = (&*dump.facts.heap, &*dump.facts.contents);
        Self { heap, contents, analysis: &dump.analysis, namer: None, ages: None, kept: None }
    }

    /// Context of a dump with its kept answers.
    pub fn loaded(dump: &'a LoadedDump) -> Self {
        Self { kept: Some((&dump.kept, &dump.facts)), ..Self::new(dump) }
    }

    /// The kept answer to a question about the whole dump, or else the computed one.
    pub(crate) fn kept_or<T: Serialize + DeserializeOwned>(
        self,
        question: &str,
        compute: impl FnOnce() -> TableResult<T>,
    ) -> TableResult<T> {
        match self.kept {
            Some((kept, facts)) => kept.get_or(question, &(), facts, compute),
            None => compute(),
        }
    }

    /// Context of a dump of the session, without a namer. Only for jobs, never while drawing.
    pub fn of(dump: &'a OpenDump) -> Self {
        let kept = Some((&dump.kept, &dump.facts));
        Self { heap: &dump.heap, contents: &*dump.contents, analysis: &dump.analysis, namer: None, ages: None, kept }
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
