//! Objects of the runtime among the largest: those of a JavaScript engine, and of the Java runtime where they are small.

use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::{Class, ClassId, ObjectId};

/// Packages whose objects belong to the Java runtime itself. Those of other runtime classes, such as a map or a thread, are
/// often used by the application.
const INTERNAL: [&str; 2] = ["jdk.internal.", "sun."];
/// Class of what a JavaScript engine adds to a snapshot, such as its GC roots.
const SYNTHETIC: &str = "(synthetic)";
/// What retains one part in so many of the heap, or more, is listed whatever its class: the runtime may hold objects of the
/// application, as the finalizer queue does.
const LISTED: u64 = 100;

/// Which objects at the top of the dominator tree are of the runtime.
pub(super) struct RuntimeRule<'a> {
    of: DumpData<'a>,
    /// By class: true if its instances are of a JavaScript engine, and of the Java runtime.
    engine: Vec<bool>,
    internal: Vec<bool>,
}

impl<'a> RuntimeRule<'a> {
    pub(super) fn of(of: DumpData<'a>) -> Self {
        let classes = || of.heap.classes.iter();
        let is_of_engine =
            |(id, class): (ClassId, &Class)| of.contents.is_engine_class(id) || *class.name == *SYNTHETIC;
        let is_internal =
            |(_, class): (ClassId, &Class)| INTERNAL.iter().any(|package| class.name.starts_with(package));
        Self { of, engine: classes().map(is_of_engine).collect(), internal: classes().map(is_internal).collect() }
    }

    /// True if the object is of a JavaScript engine.
    pub(super) fn is_of_engine(&self, object: ObjectId) -> bool {
        self.engine.get(self.of.heap.class_id(object).index()) == Some(&true)
    }

    /// True if the object is of the runtime.
    pub(super) fn covers(&self, object: ObjectId, retained: Bytes) -> bool {
        let DumpData { heap, analysis, .. } = self.of;
        let class = heap.class_id(object).index();
        let is_small = retained.0.saturating_mul(LISTED) < analysis.shown.shallow.0;
        let of_class = || heap.classes.of_object(object).map(|class| &heap.classes.get(class).name);
        let rules = self.of.answers.runtime_classes();
        self.is_of_engine(object)
            || is_small
                && (self.internal.get(class) == Some(&true) || of_class().is_some_and(|name| rules.contains(name)))
    }
}
