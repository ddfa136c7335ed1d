//! References of one object, with their names.

use std::collections::BTreeSet;

use crate::columns::{Cell, Columns, Item, heading, headings};
use crate::export::table_context::TableContext;
use crate::table::RowOf;
use crate::{Totals, TypedTable};
use heaplens_analysis::filter::TextFilter;
use heaplens_analysis::references::{ReferenceRow, References};

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

/// The references that were read, and the number of objects at their other ends.
pub struct Neighbours(pub References);

impl TypedTable for Neighbours {
    type Record = Item<ReferenceRow>;

    fn columns(&self) -> Columns<Self::Record> {
        COLUMNS
    }

    fn count(&self) -> usize {
        self.0.rows.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.rows.get(row)
    }

    fn passes(&self, _from: TableContext<'_>, row: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches_object(&row.class, || row.label.clone())
    }

    fn totals(&self, _from: TableContext<'_>, rows: &[u32]) -> Totals {
        let objects = if rows.len() == self.0.rows.len() {
            // There may be more than were read.
            self.0.objects
        } else {
            let ends = rows.iter().filter_map(|&row| self.0.rows.get(row as usize)).map(|row| row.object);
            ends.collect::<BTreeSet<_>>().len() as u64
        };
        vec![("objects", Cell::Count(objects))]
    }
}
