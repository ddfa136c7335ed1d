//! Filter of objects: by heap, class, label, and by the numbers of the table of objects.

use crate::columns::Condition;
use crate::dump::objects::COLUMNS;
use crate::dump::ownership::OwnedRow;
use crate::query::{Conditions, RowFilter, TypedFilter};
use crate::{TableContext, TableError};
use heaplens_analysis::TextFilter;
use heaplens_analysis::filter::passing_objects;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::ObjectId;

/// Conditions on the numbers of objects.
pub struct ObjectConditions(Conditions<OwnedRow<'static>>);

/// True of the columns that objects have by themselves: owners and inferred roots are of a query.
fn is_of_objects(dump: TableContext<'_>, when: Condition) -> bool {
    !matches!(when, Condition::Owners | Condition::Previews | Condition::InferredRoots) && when.holds(dump)
}

impl ObjectConditions {
    /// The conditions of a filter.
    ///
    /// # Errors
    /// [`TableError::InvalidQuery`] if objects have no such number.
    pub fn new(dump: TableContext<'_>, filter: &RowFilter) -> Result<Self, TableError> {
        Ok(Self(filter.conditions(COLUMNS, |when| is_of_objects(dump, when))?))
    }

    /// The conditions of a typed filter; one that objects do not have is an error there, and left out.
    pub fn of_typed(dump: TableContext<'_>, filter: &mut TypedFilter) -> Self {
        Self(filter.conditions_of(COLUMNS, |when| is_of_objects(dump, when)))
    }

    /// Removes the objects that do not meet them.
    pub fn keep(&self, dump: TableContext<'_>, objects: &mut Vec<ObjectId>, task: &Task) -> Result<(), Cancelled> {
        if !self.0.is_empty() {
            *objects = passing_objects(objects, CHECKPOINT_EVERY, |&object| self.are_met(dump, object), task)?;
        }
        Ok(())
    }

    /// True if an object meets all of them.
    pub fn are_met(&self, dump: TableContext<'_>, object: ObjectId) -> bool {
        self.0.are_met(OwnedRow { object, ownership: None }, dump)
    }
}

/// A filter of objects.
pub struct ObjectRowFilter<'a> {
    dump: TableContext<'a>,
    text: &'a TextFilter,
    conditions: ObjectConditions,
}

impl<'a> ObjectRowFilter<'a> {
    /// A filter for the objects of a dump.
    ///
    /// # Errors
    /// [`TableError::InvalidQuery`] if a condition names no number of objects.
    pub fn new(dump: TableContext<'a>, filter: &'a RowFilter) -> Result<Self, TableError> {
        Ok(Self { dump, text: &filter.text, conditions: ObjectConditions::new(dump, filter)? })
    }

    /// True if an object passes. Its numbers are compared first: labels are read from the file.
    pub fn passes(&self, object: ObjectId) -> bool {
        let has_words = || self.text.is_empty() || self.text.passes_object(self.dump.data(), object);
        self.conditions.are_met(self.dump, object) && has_words()
    }
}
