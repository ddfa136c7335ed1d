//! Collections by class: empty and sparse ones, and fill ratio.

use std::sync::Arc;

use crate::columns::{Columns, Item, Value, heading, headings};
use crate::relation::{Relation, relation};
use crate::{Job, List, RowTarget, TableContext, TableResult};
use heaplens_analysis::collections::{CollectionRow, CollectionsQuestion};
use heaplens_base::{Bytes, Task};
use heaplens_heap::ClassId;

pub(crate) const COLUMNS: Columns<Item<(ClassId, CollectionRow)>> = &[&[
    headings::CLASS.text(|(class, _), dump| dump.class_name(*class)),
    heading("objects", "Objects", "Number of collections of this class").count(|(_, row), _| Some(row.objects)),
    heading("elements", "Elements", "Number of elements or entries in all collections of the class")
        .count(|(_, row), _| Some(row.elements)),
    heading("empty", "Empty", "Collections without elements").count(|(_, row), _| Some(row.empty)),
    heading("single", "One element", "Collections with exactly one element").count(|(_, row), _| Some(row.single)),
    heading("sparse", "Sparse", "Collections that use less than a quarter of their capacity")
        .count(|(_, row), _| Some(row.sparse)),
    heading("capacity", "Capacity", "Elements that the arrays of these collections can hold without growing")
        .count(|(_, row), _| Some(row.capacity)),
    heading("fill_ratio", "Fill ratio", "Used part of the capacity").share(|(_, row), _| row.fill_ratio()),
    heading("shallow_bytes", "Shallow size", "Bytes of the collections and their arrays, without the elements")
        .bytes(|(_, row), _| Some(row.shallow)),
    heading("wasted_bytes", "Wasted", "Bytes of unused capacity; for empty collections the whole array")
        .bytes(|(_, row), _| Some(row.wasted)),
    headings::LOADER_OF_NAMESAKE.text(|(class, _), dump| dump.loader_of(*class)),
    headings::LOADER_ID.text(|(class, _), dump| dump.loader_id(*class)),
]];

/// Collections by class.
pub const COLLECTIONS: Relation = relation!("collections", COLUMNS)
    .named("collections", "Collections by class, with their fill ratio")
    .with_help(Job::Waste.more(), "List collections by class with fill ratio and unused capacity")
    .sorted_by("wasted_bytes")
    .computed("Collections", |dump, _, task| Ok(Arc::new(collection_table(dump, task)?)));

/// The classes, most wasted bytes first.
pub(crate) fn collection_table(dump: TableContext<'_>, task: &Task) -> TableResult<List<(ClassId, CollectionRow)>> {
    let rows = Vec::clone(&*dump.data().answer(&CollectionsQuestion, task)?);
    let totals = |rows: &[&(ClassId, CollectionRow)]| {
        vec![
            ("objects", Value::Count(rows.iter().map(|(_, row)| row.objects).sum())),
            ("wasted_bytes", Value::Bytes(rows.iter().map(|(_, row)| row.wasted).sum::<Bytes>())),
        ]
    };
    let table = List::new(COLUMNS, rows).with_totals(totals).with_target(|(class, _)| RowTarget::Class(*class));
    Ok(table.with_filter(|(class, _), dump, filter| filter.matches(&dump.heap.classes.get(*class).name)))
}
