//! What names and sizes of an answer are looked up in.

use crate::analysis::naming::Namer;
use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::Task;

/// An opened dump, as far as answers need it.
#[derive(Clone, Copy)]
pub struct Dictionary<'a> {
    /// The facts.
    pub heap: &'a Heap,
    /// The inside of objects.
    pub contents: &'a dyn Contents,
    /// What was derived.
    pub analyzed: &'a Analyzed,
    /// Names objects, where names or owners were asked for.
    pub namer: Option<Namer<'a>>,
}

impl Dictionary<'_> {
    /// Who of the application holds an object.
    pub fn owner(&self, object: ObjectId) -> Option<String> {
        // This task is never cancelled.
        Some(self.namer?.owner(object, &Task::new()).ok()??.text)
    }
}
