//! Names of objects without addresses: `desk.SessionCache.ENTRIES["user-17"].cart`.
//!
//! A name is a path: it starts at a class, a thread or another root and continues by fields, indices and keys. The same
//! object has the same name in later dumps of the program, and a name can be resolved to its object
//! ([`Namer::resolve`]). [`Namer::owner`] is the nearest application object or field that retains an object.
//!
//! Choice of the path: one from a static field of the application, even if another is somewhat shorter; then the
//! shortest; then the first by name. A path through a class starts at that class. Collections appear as keys and
//! indices only; their internal objects have names of their own.

mod anchors;
mod distinctions;
mod entries;
mod field_steps;
mod index;
mod landmarks;
mod namer;
mod owner;
mod owner_search;
mod resolve;
mod runtime_objects;
mod search;
mod short_class;
mod source_names;
mod spelling;
mod stack_names;
mod starts;
mod steps;

pub(crate) use self::anchors::global as global_name;
pub use self::distinctions::distinctions;
pub(crate) use self::entries::{Entry, is_inside};
pub use self::index::NameIndex;
pub(crate) use self::index::{is_common_shape, is_of_engine, is_of_package};
pub use self::namer::Namer;
pub use self::owner::Owner;
pub use self::resolve::Unresolved;
pub(crate) use self::resolve::likeliest;
pub(crate) use self::short_class::{is_function_of_clojure, short_class, source_class_name};
pub use self::source_names::source_class;
pub(crate) use self::source_names::{LAMBDA, is_lambda, is_singleton};
pub(crate) use self::spelling::{class_name, field};

use self::entries::{EntryStep, INSIDE};
use self::{landmarks::Landmark, search::PathDown, spelling::Name};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

impl Namer<'_> {
    /// The name of an object; `None` if it is unreachable.
    pub fn name(&self, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
        let Some(path) = self.path_down(object, task)? else { return Ok(None) };
        self.text_of(&path, task).map(Some)
    }

    /// The name of the last object of a path.
    fn text_of(&self, path: &PathDown, task: &Task) -> Result<String, Cancelled> {
        let objects = &path.objects;
        let (mut name, mut at) = match (path.landmark.clone(), objects.as_slice()) {
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
        // Up to this index objects below may change how a step through a collection is written.
        let mut open_until = 0;
        // The last landmark, and one that holds only below a later object, with the index of that one.
        let (mut last, mut pending) = (0, None);
        while at + 1 < objects.len() {
            task.checkpoint()?;
            let (from, below) = (objects[at], &objects[at + 1..]);
            let entry = if self.is_collection(from) {
                let entry = self.entry_step(from, below, task)?;
                if entry.as_ref().is_none_or(|entry| !entry.is_final) {
                    open_until = at + INSIDE;
                }
                entry
            } else {
                None
            };
            let (step, covered) = match entry {
                Some(EntryStep { text, covered, .. }) => (text, covered),
                None => (self.step(from, below[0]), 1),
            };
            name.push(step);
            at += covered;
            if at + 1 < objects.len() && pending.is_none() && self.index.landmarks.takes(at - last) {
                pending = Some((open_until, Landmark { object: objects[at], name: name.clone() }));
                last = at;
            }
            if let Some((_, landmark)) = pending.take_if(|&mut (until, _)| at + 1 < objects.len() && at > until)
                && self.before_far_down(landmark.object).is_some()
            {
                self.index.landmarks.put(objects[at], landmark);
            }
        }
        Ok(name.text())
    }
}
