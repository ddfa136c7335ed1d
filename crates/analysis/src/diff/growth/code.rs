//! Code of the program in V8 snapshots: compiled code, the layout of objects, and strings and arrays that only these
//! hold, such as the text of a script. It is there once for each script that is loaded, and leads to no growth of its own.

use crate::answers::DumpData;
use heaplens_heap::{Heap, ObjectId};

/// Classes of V8 for code and the layout of objects.
const CODE: [&str; 2] = ["(compiled code)", "(object shape)"];
/// Beginning of the names of classes of the engine, and of those of closure contexts.
const ENGINE: &str = "system / ";
const CONTEXT: &str = "system / Context";
/// Maximum number of dominators that are examined.
const STEPS: usize = 16;

/// What the classes of a heap say about code.
pub(super) struct CodeClasses {
    /// By class, whether its objects are code, or may be part of it; empty unless the heap is a V8 snapshot.
    classes: Vec<Option<bool>>,
}

impl CodeClasses {
    pub(super) fn of(heap: &Heap) -> Self {
        let of_class = |name: &str| {
            let is_code = CODE.iter().any(|code| name.starts_with(code));
            // Contexts of closures have the variables of the program.
            let is_of_engine = name.starts_with(ENGINE) && !name.starts_with(CONTEXT);
            (is_code || name.starts_with('(') || is_of_engine).then_some(is_code)
        };
        let classes = heap.snapshot().map(|_| heap.classes.all().iter().map(|class| of_class(&class.name)).collect());
        Self { classes: classes.unwrap_or_default() }
    }

    /// True of code, and of strings and arrays that code alone holds.
    pub(super) fn is_code(&self, side: DumpData<'_>, object: ObjectId) -> bool {
        if self.classes.is_empty() {
            return false;
        }
        let dominators = std::iter::successors(Some(object), |&at| side.analysis.immediate_dominator(at)).take(STEPS);
        for at in dominators {
            match self.classes.get(side.heap.class_id(at).index()) {
                Some(Some(true)) => return true,
                Some(Some(false)) => {}
                _ => return false,
            }
        }
        false
    }
}
