//! Questions about one object: sizes, neighbours in both directions, contents.

use std::ops::Range;

use crate::Dump;
pub use heaplens_analysis::object::{ElementRow, EntryRow, FieldRow, ObjectDetails};
pub use heaplens_analysis::references::{Direction, ReferenceRow, References};
use heaplens_analysis::{object, references};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};
pub use heaplens_heap::{ContentsError, Field, LogicalKind, RecordedText, ReferenceKind, ReferenceName, Value};

/// Longest text of a string in [`Dump::describe`], in characters.
const CHARACTERS: usize = 100_000;

impl Dump {
    /// The `count` objects with the largest retained sizes, largest first; of equal ones, the first by address.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// for object in dump.largest(10) {
    ///     let class = dump.class_name(dump.class_of(object));
    ///     println!("{class} {}: {}", dump.id(object), dump.retained_size(object));
    /// }
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn largest(&self, count: usize) -> Vec<ObjectId> {
        self.0.largest(count)
    }

    /// Id of the object in the notation of its format: its address, in snapshots the number assigned by the engine.
    pub fn id(&self, object: ObjectId) -> String {
        self.0.id(object)
    }

    /// Class of the object.
    pub fn class_of(&self, object: ObjectId) -> ClassId {
        self.0.class_of(object)
    }

    /// Short text by which people recognize the object: the text of a string, the name of a thread or class, the length of
    /// an array. `None` if there is nothing to add to class and id.
    pub fn label(&self, object: ObjectId) -> Option<String> {
        self.0.label(object)
    }

    /// Size of the object itself.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let object = dump.largest(1)[0];
    /// assert!(dump.shallow_size(object) <= dump.retained_size(object));
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn shallow_size(&self, object: ObjectId) -> Bytes {
        self.0.shallow_size(object)
    }

    /// Bytes that would be freed if the object were collected, its own included; 0 if no GC root reaches it.
    pub fn retained_size(&self, object: ObjectId) -> Bytes {
        self.0.retained_size(object)
    }

    /// True if a GC root reaches the object.
    pub fn is_reachable(&self, object: ObjectId) -> bool {
        self.0.analysis.is_reachable(object)
    }

    /// Nearest object that every path from a GC root to `object` passes. `None` if there is none, and if it is unreachable.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let top = dump.dominated_by(None, &Task::new())?;
    /// assert!(top.iter().all(|&object| dump.dominator_of(object).is_none()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dominator_of(&self, object: ObjectId) -> Option<ObjectId> {
        self.0.dominator_of(object)
    }

    /// Objects that `object` refers to, without its class, in file order, once per reference.
    pub fn references_of(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.0.references_of(object)
    }

    /// Objects that refer to `object`, in address order, once per reference.
    pub fn referrers_of(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.0.referrers_of(object)
    }

    /// References of an object with their names, in one direction: at most `limit` rows, and the number of all.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Task, objects::Direction};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let object = dump.largest(1)[0];
    /// let references = dump.references(object, Direction::Outgoing, 100, &Task::new())?;
    /// for row in &references.rows {
    ///     println!("{} → {} {}", row.name.text, row.class, dump.id(row.object));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn references(
        &self,
        object: ObjectId,
        direction: Direction,
        limit: usize,
        task: &Task,
    ) -> Result<References, Cancelled> {
        references::references(self.data(), object, direction, limit, task)
    }

    /// All that is known of an object: sizes, fields with values, text, length, GC roots, allocation stack.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let details = dump.describe(dump.largest(1)[0]);
    /// for row in &details.fields {
    ///     println!("{} = {:?}", row.name, row.field.value);
    /// }
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn describe(&self, object: ObjectId) -> ObjectDetails {
        object::describe(self.data(), object, CHARACTERS)
    }

    /// Elements of an array.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let bytes = dump.class_named("byte[]").expect("every JVM has byte arrays");
    /// let array = dump.objects().find(|&object| dump.class_of(object) == bytes).expect("and one at least");
    /// let first = dump.elements(array, 0..16)?;
    /// assert!(first.len() <= 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the object is no array, or its values cannot be read.
    pub fn elements(&self, array: ObjectId, range: Range<u64>) -> Result<Vec<ElementRow>, ContentsError> {
        object::elements(self.data(), array, range)
    }

    /// Entries of a map, elements of a list or set, of the libraries that heaplens knows; empty for another object.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let (dump, task) = (heaplens_engine::open(file)?, Task::new());
    /// let map = dump.resolve("desk.SessionCache.ENTRIES", &task)?;
    /// for entry in dump.entries(map, 0..3) {
    ///     println!("{:?} → {}", entry.key.and_then(|key| key.label), entry.value.class.unwrap_or_default());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entries(&self, collection: ObjectId, range: Range<u64>) -> Vec<EntryRow> {
        object::entries(self.data(), collection, range)
    }
}
