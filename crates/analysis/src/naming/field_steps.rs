//! Steps from one object to all that its fields hold, for objects with many fields.

use rustc_hash::FxHashMap;

use super::spelling::{field, ordinal};
use heaplens_heap::{Field, ObjectId, shown_names};

/// Steps by their target.
pub(super) struct FieldSteps(FxHashMap<ObjectId, String>);

impl FieldSteps {
    /// Steps through the first field that holds each object.
    pub(super) fn new(fields: &[Field]) -> Self {
        let names = shown_names(fields);
        // Superclass and subclass may each have a field of this name.
        let mut alike: FxHashMap<&str, u64> = FxHashMap::default();
        let mut steps = FxHashMap::default();
        for (held, name) in fields.iter().zip(&names) {
            let Some(target) = held.value.object() else { continue };
            let before = alike.entry(name).or_default();
            steps.entry(target).or_insert_with(|| ordinal(field(name), *before));
            *before += 1;
        }
        Self(steps)
    }

    /// The step to an object.
    pub(super) fn to(&self, object: ObjectId) -> Option<String> {
        self.0.get(&object).cloned()
    }
}
