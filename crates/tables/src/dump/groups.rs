//! Objects and bytes by package, class loader or superclass.

use crate::columns::{Columns, Item, Value, heading, headings};
use crate::{List, TableContext, TableError};
use heaplens_analysis::GroupBy;
use heaplens_analysis::grouping::{GroupRow, GroupsQuestion};
use heaplens_base::{Bytes, Task};

/// Groups by loader also name the loader object.
pub(crate) const COLUMNS: Columns<Item<GroupRow>> = &[
    &[
        heading("group", "Group", "Package, class loader or superclass that the row sums up")
            .text(|row, _| Some(row.name.as_str().into())),
        heading("classes", "Classes", "Number of classes with objects").count(|row, _| Some(row.members.len() as u64)),
        headings::OBJECTS.count(|row, _| Some(row.objects)),
        headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
        headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
    ],
    &[heading("id", "Object", "Address or id of the class loader or of the class object").object(|row, _| row.object)],
];

/// Columns by grouping: only class loaders are objects.
pub(crate) fn columns(by: GroupBy) -> Columns<Item<GroupRow>> {
    if by == GroupBy::Loader { COLUMNS } else { &COLUMNS[..1] }
}

/// The groups, largest shallow size first.
pub(crate) fn group_table(from: TableContext<'_>, by: GroupBy, task: &Task) -> Result<List<GroupRow>, TableError> {
    let rows = Vec::clone(&*from.data().answer(&GroupsQuestion(by), task)?);
    let totals = |rows: &[&GroupRow]| {
        vec![
            ("objects", Value::Count(rows.iter().map(|row| row.objects).sum())),
            ("shallow_bytes", Value::Bytes(rows.iter().map(|row| row.shallow).sum::<Bytes>())),
        ]
    };
    Ok(List::new(columns(by), rows).with_totals(totals).with_filter(|row, _, filter| filter.matches(&row.name)))
}
