//! Objects and bytes by package, class loader or superclass.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::columns::{Column, Columns, Item, Value, heading, headings};
use crate::relation::{Relation, relation};
use crate::{List, TableContext, TableError};
use heaplens_analysis::GroupBy;
use heaplens_analysis::grouping::{GroupRow, GroupsQuestion};
use heaplens_base::{Bytes, Task};
use heaplens_heap::ClassId;

const GROUP: &[Column<Item<GroupRow>>] = &[
    heading("group", "Group", "Package, class loader or superclass that the row sums up")
        .text(|row, _| Some(row.name.as_str().into())),
    heading("classes", "Classes", "Number of classes with objects").count(|row, _| Some(row.members.len() as u64)),
    headings::OBJECTS.count(|row, _| Some(row.objects)),
    headings::SHALLOW_OF_ALL.bytes(|row, _| Some(row.shallow)),
    headings::RETAINED_BY_ALL.bytes(|row, _| Some(row.retained)),
];
/// Columns of groups that are no objects.
const WITHOUT_ID: Columns<Item<GroupRow>> = &[GROUP];
/// Groups by loader also name the loader object.
const COLUMNS: Columns<Item<GroupRow>> = &[
    GROUP,
    &[heading("id", "Object", "Address or id of the class loader or of the class object").object(|row, _| row.object)],
];

/// Histogram by package.
pub const PACKAGES: Relation = relation!("histogram --by package", WITHOUT_ID)
    .named("packages", "Reachable objects by package")
    .sorted_by("shallow_bytes")
    .computed("Packages", |dump, _, task| Ok(Arc::new(group_table(dump, GroupBy::Package, task)?)));

/// Histogram by package, with the packages above.
pub const PACKAGE_TREE: Relation = relation!("histogram --by package-tree", WITHOUT_ID)
    .sorted_by("shallow_bytes")
    .computed("Packages with those below", |dump, _, task| {
        Ok(Arc::new(group_table(dump, GroupBy::PackageTree, task)?))
    });

/// Histogram by class loader.
pub const CLASSES_BY_LOADER: Relation = relation!("histogram --by loader", COLUMNS)
    .sorted_by("shallow_bytes")
    .computed("Classes by loader", |dump, _, task| Ok(Arc::new(group_table(dump, GroupBy::Loader, task)?)));

/// Histogram by superclass.
pub const CLASSES_BY_SUPERCLASS: Relation = relation!("histogram --by superclass", WITHOUT_ID)
    .sorted_by("shallow_bytes")
    .computed("Classes by superclass", |dump, _, task| Ok(Arc::new(group_table(dump, GroupBy::Superclass, task)?)));

/// The groups, largest shallow size first.
pub(crate) fn group_table(dump: TableContext<'_>, by: GroupBy, task: &Task) -> Result<List<GroupRow>, TableError> {
    let mut rows = Vec::clone(&*dump.data().answer(&GroupsQuestion(by), task)?);
    if by == GroupBy::PackageTree {
        rows = without_links(rows);
        // Rows contain others: no sum of them means anything.
        return Ok(List::new(WITHOUT_ID, rows).with_filter(|row, _, filter| filter.matches(&row.name)));
    }
    let totals = |rows: &[&GroupRow]| {
        vec![
            ("objects", Value::Count(rows.iter().map(|row| row.objects).sum())),
            ("shallow_bytes", Value::Bytes(rows.iter().map(|row| row.shallow).sum::<Bytes>())),
        ]
    };
    Ok(List::new(if by == GroupBy::Loader { COLUMNS } else { WITHOUT_ID }, rows)
        .with_totals(totals)
        .with_filter(|row, _, filter| filter.matches(&row.name)))
}

/// Without packages all of whose classes are in one package below: `org`, where there is only `org.example`.
fn without_links(mut rows: Vec<GroupRow>) -> Vec<GroupRow> {
    // Packages that share a class are above one another, and have the same classes if they have as many.
    let classes = |row: &GroupRow| (row.members.first().copied(), row.members.len());
    let mut longest: BTreeMap<(Option<ClassId>, usize), usize> = BTreeMap::new();
    for row in &rows {
        let length = longest.entry(classes(row)).or_default();
        *length = row.name.len().max(*length);
    }
    rows.retain(|row| longest.get(&classes(row)) == Some(&row.name.len()));
    rows
}
