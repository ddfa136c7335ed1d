//! What tables read from an opened dump: the dump, names and ages of its objects.

use std::borrow::Cow;
use std::ops::Deref;

use crate::export::text_width::TextWidth;
use heaplens_analysis::{
    DumpData, Namer,
    clock::{AgeInterval, Ages},
    namesakes,
    preview::preview,
};
use heaplens_base::{Bytes, Share, Task};
use heaplens_dump::Dump;
use heaplens_heap::{ClassId, ObjectId};

/// Opened dump as tables read it; a copy costs nothing.
#[derive(Clone, Copy)]
pub struct TableContext<'a> {
    /// The dump.
    dump: DumpData<'a>,
    /// Namer of objects; without it there are no owners.
    pub namer: Option<Namer<'a>>,
    /// Ages of objects; without them tables have no columns of ages.
    pub ages: Option<&'a Ages>,
    /// Space of aligned text.
    pub width: TextWidth,
}

impl<'a> Deref for TableContext<'a> {
    type Target = DumpData<'a>;

    fn deref(&self) -> &DumpData<'a> {
        &self.dump
    }
}

impl<'a> TableContext<'a> {
    /// Context of a dump, without a namer. Only for jobs, never while drawing.
    pub fn of(dump: &'a Dump) -> Self {
        Self { dump: dump.data(), namer: None, ages: None, width: TextWidth::Unlimited }
    }

    /// With a namer, so that there are owners.
    #[must_use]
    pub fn with_namer(self, namer: impl Into<Option<Namer<'a>>>) -> Self {
        Self { namer: namer.into(), ..self }
    }

    /// With ages of objects, if they are requested.
    #[must_use]
    pub fn with_ages(self, ages: Option<&'a Ages>) -> Self {
        Self { ages, ..self }
    }

    /// With space for a row of aligned text.
    #[must_use]
    pub fn with_width(self, width: TextWidth) -> Self {
        Self { width, ..self }
    }

    /// What analyses read.
    pub fn data(self) -> DumpData<'a> {
        self.dump
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

    /// Fields that tell an object from others of its class, with their values.
    pub fn preview(self, object: ObjectId) -> Option<Cow<'a, str>> {
        // This task is never cancelled.
        preview(self.dump, object, &Task::new()).ok()?.map(Into::into)
    }

    /// A size as a part of the reachable heap.
    pub fn share(self, bytes: Bytes) -> Share {
        Share::of(bytes, self.analysis.shown.shallow)
    }

    /// Age of an object, if ages were requested and it is known.
    pub fn age(&self, object: ObjectId) -> Option<AgeInterval> {
        self.ages?.shown(self.heap, object)
    }

    /// Short name of an object; `None` if nothing in the source names it, and without a namer.
    pub fn short_name(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.short_name(object, &Task::new()).ok()??.to_string())
    }

    /// Owner of an object; `None` if it has none, and without a namer.
    pub fn owner(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.owner(object, &Task::new()).ok()??.text)
    }
}
