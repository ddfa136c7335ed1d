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
mod entries;
mod index;
mod namer;
mod owner;
mod owner_search;
mod resolve;
mod runtime_objects;
mod search;
mod spelling;
mod starts;
mod steps;

pub(crate) use self::entries::Entry;
pub use self::index::NameIndex;
pub(crate) use self::index::{is_of_engine, is_of_package};
pub use self::namer::Namer;
pub use self::owner::Owner;
pub use self::resolve::Unresolved;
pub(crate) use self::resolve::likeliest;
pub(crate) use self::spelling::{class_name, field};

use self::{entries::INSIDE, search::PathDown, spelling::Name};
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::ObjectId;

impl Namer<'_> {
    /// The name of an object; `None` if it is unreachable.
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
            task.checkpoint()?;
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
            let is_inside = collection.is_some_and(|begins| at - begins <= INSIDE);
            if !is_inside && at + 1 < objects.len() && self.is_landmark(objects[at]) {
                self.index.put_landmark(objects[at], &name);
            }
        }
        Ok(name.text())
    }
}
