//! A reference in a row or a path step, as the target of a cut: this reference alone, or the field in all instances.

use heaplens_analysis::Cut;
use heaplens_heap::{Heap, ObjectId};

/// Error message if the reference is no field.
pub const NO_FIELD: &str = "Array elements are not fields: press X to cut only this reference";

/// A reference that can be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Cut of this reference only.
    pub one: Cut,
    /// Cut of the field in all instances; `None` if the reference is no field.
    pub all: Option<Cut>,
}

impl Reference {
    /// The reference between two objects, with its name in the first, if known.
    pub fn between(heap: &Heap, from: ObjectId, to: ObjectId, name: Option<&str>) -> Self {
        let all = Cut::in_all_instances(heap, from, to, name);
        Self { one: Cut::Reference { from, to }, all }
    }

    /// Cut of the field in all instances, or of this reference only.
    ///
    /// # Errors
    /// An error message for the user if the reference is no field.
    pub fn cut(self, in_all: bool) -> Result<Cut, &'static str> {
        if in_all { self.all.ok_or(NO_FIELD) } else { Ok(self.one) }
    }
}
