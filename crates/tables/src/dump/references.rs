//! References of one object, with their names.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::columns::{Columns, Item, Value, heading, headings};
use crate::query::{Question, RowQuery, TableKind, TableResult};
use crate::relation::{Relation, relation};
use crate::{List, Table, TableContext};
use heaplens_analysis::Direction;
use heaplens_analysis::references::{ReferenceRow, References, references};
use heaplens_base::Task;
use heaplens_heap::{Heap, ObjectId};
use heaplens_session::OpenSettings;

pub(crate) const COLUMNS: Columns<Item<ReferenceRow>> = &[&[
    heading("name", "Name", "Field, array index or kind of the reference")
        .text(|row, _| Some(row.name.text.as_str().into())),
    heading("kind", "Kind", "Kind of the reference: field, static, element, class and others")
        .text(|row, _| Some(row.name.kind.name().into())),
    heading("id", "Object", "Address or id of the object at the other end").object(|row, _| Some(row.object)),
    headings::CLASS.text(|row, _| Some(row.class.as_str().into())),
    headings::LABEL.text(|row, _| row.label.as_deref().map(Into::into)),
    headings::SHALLOW.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED.bytes(|row, _| Some(row.retained)),
    heading("strength", "Strength", "Reference strength: strong, soft, weak, phantom or finalizer")
        .text(|row, _| Some(row.name.strength.name().into())),
]];

/// References of an object.
pub const REFERENCES: Relation = relation!("references", COLUMNS);

/// Query for the references of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferencesQuery {
    /// The object.
    pub of: ObjectId,
    /// Direction of the references.
    pub direction: Direction,
}

impl TableKind for ReferencesQuery {
    fn relation(&self) -> Option<&'static Relation> {
        Some(&REFERENCES)
    }

    fn table(&self, dump: TableContext<'_>, rows: &RowQuery, task: &Task) -> TableResult<Arc<dyn Table>> {
        let read = references(dump.data(), self.of, self.direction, rows_to_read(rows), task)?;
        Ok(Arc::new(reference_table(read)))
    }

    fn command(&self, heap: &Heap, opened: &OpenSettings) -> Question {
        let direction = if self.direction == Direction::Incoming { "in" } else { "out" };
        Question::new("references", opened).argument(heap.id_text(self.of)).flag(direction)
    }
}

/// Filtering and sorting need all rows, taking the first ones does not.
fn rows_to_read(rows: &RowQuery) -> usize {
    let all = !rows.filter.trim().is_empty() || rows.sort.is_some() || rows.reverse || !rows.numbers.is_empty();
    if all { usize::MAX } else { rows.top.map_or(usize::MAX, |top| rows.skip.saturating_add(top)) }
}

/// The references that were read.
pub fn reference_table(read: References) -> List<ReferenceRow> {
    let References { rows, objects } = read;
    let all = rows.len();
    let totals = move |rows: &[&ReferenceRow]| {
        let ends = || rows.iter().map(|row| row.object).collect::<BTreeSet<_>>().len() as u64;
        // There may be more than were read.
        vec![("objects", Value::Count(if rows.len() == all { objects } else { ends() }))]
    };
    let table = List::new(COLUMNS, rows).with_totals(totals);
    table.with_filter(|row, _, filter| filter.matches_object(&row.class, || row.label.clone()))
}
