//! Why objects are alive: paths from GC roots, GC roots by kind, and what cutting references would free.

use crate::Dump;
pub use heaplens_analysis::cuts::{Cut, OtherHolder, WhatIf};
pub use heaplens_analysis::paths::{Omission, PathOptions, PathStep, ReferencePath};
pub use heaplens_analysis::roots::RootsOfKind;
use heaplens_analysis::{cuts, paths, roots};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

impl Dump {
    /// Shortest path to an object from a GC root, which comes first; empty if the object is unreachable.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// let path = dump.path_from_root(dump.largest(1)[0]);
    /// assert_eq!(path.last(), dump.largest(1).first());
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn path_from_root(&self, object: ObjectId) -> Vec<ObjectId> {
        self.0.path_from_root(object)
    }

    /// Paths from GC roots to an object, with names of references, shortest first. Each after the first ends with another
    /// referrer of the object.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Task, paths::PathOptions};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// for path in dump.paths(dump.largest(1)[0], PathOptions::default().count(3), &Task::new())? {
    ///     for step in &path.steps {
    ///         println!("{} {} {}", step.reference.as_deref().unwrap_or("GC root"), step.class, step.id);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn paths(&self, object: ObjectId, options: PathOptions, task: &Task) -> Result<Vec<ReferencePath>, Cancelled> {
        paths::paths(self.data(), object, options, task)
    }

    /// GC roots by kind, largest retained size first.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// let dump = heaplens_engine::open(file)?;
    /// for row in dump.gc_roots() {
    ///     println!("{}: {} objects retain {}", row.kind.name(), row.objects.len(), row.retained);
    /// }
    /// # Ok::<(), heaplens_engine::OpenError>(())
    /// ```
    pub fn gc_roots(&self) -> Vec<RootsOfKind> {
        let dump = self.data();
        roots::roots_by_kind(dump.contents, dump.analysis)
    }

    /// What would be freed if references did not exist; exact, also where several of them hold the same objects.
    ///
    /// ```
    /// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/leak-after.hprof.gz");
    /// use heaplens_engine::{Task, paths::Cut};
    ///
    /// let dump = heaplens_engine::open(file)?;
    /// let object = dump.largest(1)[0];
    /// let answer = dump.what_if(&[Cut::Object(object)], &Task::new())?;
    /// println!("{answer}");
    /// assert_eq!(answer.freed.shallow, dump.retained_size(object));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn what_if(&self, cuts: &[Cut], task: &Task) -> Result<WhatIf, Cancelled> {
        cuts::what_if(self.data(), cuts, task)
    }
}
