//! Names without addresses, which are the same in the next dump of a program: `desk.SessionCache.ENTRIES["user-17"]`.

use crate::Dump;
pub use heaplens_analysis::naming::{Owner, Unresolved};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

impl Dump {
    /// Name of an object in the terms of the source: from a class or a thread, along fields, indices and keys. `None` if no
    /// GC root reaches it.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let (dump, task) = (heaplens_engine::open(file)?, Task::new());
    /// let object = dump.largest(1)[0];
    /// let name = dump.name(object, &task)?.expect("it is reachable");
    /// assert_eq!(dump.resolve(&name, &task), Ok(object));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn name(&self, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
        self.0.namer(task)?.name(object, task)
    }

    /// The object of a name, also in another dump of the program.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let error = dump.resolve("no.such.Class.field", &Task::new()).expect_err("there is none");
    /// println!("{error}");
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    ///
    /// # Errors
    /// If nothing has this name, with the part that does not resolve; or the task is cancelled.
    pub fn resolve(&self, name: &str, task: &Task) -> Result<ObjectId, Unresolved> {
        self.0.namer(task)?.resolve(name, task)
    }

    /// The nearest field of the application, or the thread, that retains an object. `None` if there is none.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::Task;
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// if let Some(owner) = dump.owner(dump.largest(1)[0], &Task::new())? {
    ///     println!("{}", owner.text);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn owner(&self, object: ObjectId, task: &Task) -> Result<Option<Owner>, Cancelled> {
        self.0.namer(task)?.owner(object, task)
    }
}
