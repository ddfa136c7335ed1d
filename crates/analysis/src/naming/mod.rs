//! Names of objects without addresses: `desk.SessionCache.ENTRIES["user-17"].cart`.
//!
//! A name is a path: it starts at a class, a thread or another root and continues by fields, indices and keys. The same
//! object has the same name in later dumps of the program, and a name can be resolved to its object
//! ([`Namer::resolve`]).
//!
//! Choice of the path: one from a static field of the application, even if another is somewhat shorter; then the
//! shortest; then the first by name (`search`). A path through a class starts at that class. Collections appear as keys
//! and indices only (`entries`); their internal objects have names of their own.

mod anchors;
mod cuts;
mod entries;
mod index;
mod owner;
mod resolve;
mod search;
mod spelling;
mod steps;

pub use index::NameIndex;
pub use owner::Owner;
pub use resolve::Unresolved;

use self::search::PathDown;
use self::spelling::{Name, field};
use crate::runtime_classes::RuntimeClasses;
use heaplens_base::task::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_core::heap::analysis::Analysis;
use heaplens_core::heap::contents::{Contents, ReferenceKind};
use heaplens_core::heap::facts::Heap;
use heaplens_core::heap::ids::{ClassId, ObjectId};

/// Names the objects of one dump, and finds them by name. Cheap to create: it consists of references only.
#[derive(Clone, Copy)]
pub struct Namer<'a> {
    /// The heap.
    pub heap: &'a Heap,
    /// Contents of objects.
    pub contents: &'a dyn Contents,
    /// Dominators, sizes and reachability.
    pub analysis: &'a Analysis,
    /// Lookup tables of this dump.
    pub index: &'a NameIndex,
}

/// The name of one object by the built-in rules. For several, create a [`Namer`].
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn name_of(
    heap: &Heap,
    contents: &dyn Contents,
    analysis: &Analysis,
    object: ObjectId,
    task: &Task,
) -> Result<Option<String>, Cancelled> {
    let index = NameIndex::new(heap, contents, analysis, RuntimeClasses::default(), task)?;
    Namer { heap, contents, analysis, index: &index }.name(object, task)
}

impl Namer<'_> {
    /// The name of an object; `None` if it is unreachable.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn name(&self, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
        let Some(way) = self.way(object, task)? else { return Ok(None) };
        self.written(&way, task).map(Some)
    }

    /// The name of the last object of a path.
    fn written(&self, way: &PathDown, task: &Task) -> Result<String, Cancelled> {
        let objects = &way.objects;
        let remembered = objects.first().filter(|_| way.from_landmark).and_then(|&first| self.index.landmark(first));
        let (mut name, mut at) = match (remembered, objects.as_slice()) {
            (Some(name), _) => (name, 0),
            (None, [class]) if self.heap.classes.of_object(*class).is_some() => {
                return Ok(self.start_name(*class) + ".class");
            }
            (None, [start, first, ..]) if self.heap.classes.of_object(*start).is_some() => {
                (Name::starting(self.class_step(*start, *first)), 1)
            }
            (None, [start, ..]) => (Name::starting(self.start_name(*start)), 0),
            (None, []) => return Ok(String::new()),
        };
        // Index up to which an entry may belong to a collection.
        let mut collection = None;
        while at + 1 < objects.len() {
            if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
                task.checkpoint()?;
            }
            let (from, below) = (objects[at], &objects[at + 1..]);
            if self.is_collection(from) {
                collection = Some(at);
                if let Some((step, covered)) = self.entry_step(from, below, task)? {
                    name.push(step);
                    at += covered;
                    continue;
                }
            }
            name.push(self.step(from, below[0]));
            at += 1;
            // Internal objects of a collection are named differently from objects below its entries.
            let is_inside = collection.is_some_and(|begins| at - begins <= entries::INSIDE);
            if !is_inside && at + 1 < objects.len() && self.is_landmark(objects[at]) {
                self.index.put_landmark(objects[at], &name);
            }
        }
        Ok(name.text())
    }

    /// `desk.SessionCache.ENTRIES`, or `desk.SessionCache.class.<classloader>` for references other than static fields.
    fn class_step(&self, class: ObjectId, first: ObjectId) -> String {
        let class_name = self.start_name(class);
        match self.static_name(class, first) {
            Some(name) => {
                let text = format!("{class_name}{}", field(&name));
                // Another class may have this name.
                if self.class_prefix(&text).is_none_or(|(_, length)| length == class_name.len()) {
                    return text;
                }
                format!("{class_name}.class{}", field(&name))
            }
            None => format!("{class_name}.class{}", self.step(class, first)),
        }
    }

    /// The static field through which a class holds an object; the first by index.
    fn static_name(&self, class: ObjectId, object: ObjectId) -> Option<String> {
        let names = self.contents.reference_names(self.heap, class, object, usize::MAX);
        names.into_iter().find(|name| name.kind == ReferenceKind::Static).map(|name| name.text)
    }

    /// The start of names that begin at `object`.
    fn start_name(&self, object: ObjectId) -> String {
        if let Some(class) = self.heap.classes.of_object(object) {
            return self.index.class(self.heap, class);
        }
        if self.is_bootstrap(object) {
            return resolve::BOOTSTRAP.to_owned();
        }
        if let Some(name) = self.index.anchors.name(object) {
            return name.to_owned();
        }
        let of_root = || self.index.root_name(self.heap, self.analysis, object);
        self.index.thread_name(object).map(str::to_owned).or_else(of_root).unwrap_or_default()
    }

    /// The longest class name at the start of `text`, and its length with the ordinal.
    fn class_prefix(&self, text: &str) -> Option<(ClassId, usize)> {
        let ends = text.match_indices(['.', '#', '[', '{', '(']).map(|(at, _)| at).chain([text.len()]);
        let mut found = None;
        for end in ends {
            let classes = self.index.classes(&text[..end]);
            let (place, length) = resolve::ordinal_at(text, end);
            let class = usize::try_from(place).ok().and_then(|place| classes.get(place));
            found = class.map(|&class| (class, length)).or(found);
        }
        found
    }
}
