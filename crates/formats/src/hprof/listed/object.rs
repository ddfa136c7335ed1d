//! An object that a rule of the list describes, with the fields of each role.

use super::super::counters::count;
use super::super::peek::Fields;
use super::paths::{objects, value};
use heaplens_heap::collection_list::{EntryShape, FieldRole, ListedCollection};
use heaplens_heap::{ObjectId, Value};

/// Object that a rule of the list describes.
#[derive(Clone, Copy)]
pub(in super::super) struct Listed<'a> {
    pub(in super::super) rule: &'a ListedCollection,
    /// Its fields, from the class of the rule upwards.
    pub(in super::super) fields: Fields<'a>,
}

impl Listed<'_> {
    /// True if another collection has the entries.
    pub(in super::super) fn is_within(self) -> bool {
        self.rule.shape == EntryShape::Within
    }

    /// The other collection that has the entries; `None` if it is missing.
    pub(in super::super) fn within(self) -> Option<ObjectId> {
        self.value(FieldRole::Of).and_then(Value::object)
    }

    /// Value of the only field of a role.
    pub(super) fn value(self, role: FieldRole) -> Option<Value> {
        value(self.fields, self.rule.fields.one(role)?)
    }

    pub(super) fn number(self, role: FieldRole) -> Option<u64> {
        count(self.fields.peek, self.value(role)?)
    }

    /// Objects in the fields of a role.
    pub(super) fn objects(self, role: FieldRole) -> Vec<ObjectId> {
        objects(self.fields, self.rule.fields.of(role))
    }

    /// Arrays with a slot for each entry: of keys or elements, otherwise of values.
    pub(super) fn slots(self) -> Vec<ObjectId> {
        let arrays = [FieldRole::Keys, FieldRole::Elements, FieldRole::Values].map(|role| self.objects(role));
        arrays.into_iter().find(|arrays| !arrays.is_empty()).unwrap_or_default()
    }

    /// True if there is an entry for the key zero or null.
    pub(super) fn has_zero(self) -> bool {
        match self.value(FieldRole::Zero) {
            Some(Value::Bool(there)) => there,
            Some(other) => count(self.fields.peek, other).is_some_and(|there| there > 0),
            None => false,
        }
    }

    /// Number of keys, values or elements in the object's own fields.
    pub(super) fn own_count(self) -> u64 {
        let fields = &self.rule.fields;
        let role = [FieldRole::Values, FieldRole::Elements, FieldRole::Keys]
            .into_iter()
            .find(|&role| !fields.of(role).is_empty());
        let all = role.map_or(&[][..], |role| fields.of(role));
        all.iter().filter(|choice| value(self.fields, choice).is_some()).count() as u64
    }
}
