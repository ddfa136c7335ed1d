//! What names are made of: a dump, and lookup tables for its names.

use std::ops::Deref;

use super::index::NameIndex;
use crate::answers::{DumpData, Question, RetainedQuestion};
use crate::runtime_classes::RuntimeClasses;
use heaplens_base::{Cancelled, Task};

/// Names the objects of one dump, and finds them by name. Cheap to create: it consists of references only.
#[derive(Clone, Copy)]
pub struct Namer<'a> {
    /// The dump.
    pub dump: DumpData<'a>,
    /// Lookup tables of this dump.
    pub index: &'a NameIndex,
}

impl<'a> Deref for Namer<'a> {
    type Target = DumpData<'a>;

    fn deref(&self) -> &DumpData<'a> {
        &self.dump
    }
}

/// The lookup tables for names, by the runtime classes of the user.
#[derive(Clone, PartialEq, Eq)]
struct NamesQuestion;

impl Question for NamesQuestion {
    type Answer = NameIndex;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<NameIndex, Cancelled> {
        NameIndex::new(dump, RuntimeClasses::clone(dump.answers.runtime_classes()), task)
    }
}

impl RetainedQuestion for NamesQuestion {}

impl<'a> DumpData<'a> {
    /// Names objects and finds them by name. The first call reads the names of all classes and static fields.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn namer(self, task: &Task) -> Result<Namer<'a>, Cancelled> {
        Ok(Namer { dump: self, index: self.retained_answer(&NamesQuestion, task)? })
    }

    /// True if names were read: then [`Self::namer`] does not take long.
    pub fn has_names(self) -> bool {
        self.answers.known(&NamesQuestion).is_some()
    }
}
