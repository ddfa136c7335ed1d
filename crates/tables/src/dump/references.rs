//! References of one object, with their names.

use std::collections::BTreeSet;

use crate::List;
use crate::columns::{Columns, Item, Value, heading, headings};
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
