//! Wasted memory by kind.

use std::sync::Arc;

use crate::columns::{Columns, Item, Value, heading, json};
use crate::relation::{Relation, relation};
use crate::{Job, List, TableContext, TableError};
use heaplens_analysis::WasteKind;
use heaplens_analysis::waste::{WasteQuestion, WasteRow};
use heaplens_base::Task;

/// Maximum number of examples in text forms.
const EXAMPLES: usize = 3;

pub(crate) const COLUMNS: Columns<Item<WasteRow>> = &[&[
    heading("kind", "Kind", "Kind of wasted memory").for_people(titled).text(|row, _| Some(row.kind.key().into())),
    heading("objects", "Objects", "Number of objects that waste memory or are redundant")
        .count(|row, _| Some(row.objects)),
    heading("wasted_bytes", "Wasted", "Bytes that could be saved").bytes(|row, _| Some(row.wasted)),
    heading("examples", "Largest", "Addresses or ids of the objects that waste most")
        .for_people(first_examples)
        .text(|row, dump| Some(examples(dump, row).join(" ").into()))
        .in_json(|row, dump, _, out| json(out, &examples(dump, row))),
]];

/// Wasted memory by kind.
pub const WASTE: Relation = relation!("waste", COLUMNS)
    .named("waste", "Wasted memory by kind")
    .with_help(Job::Waste.common(), "List wasted memory by kind, with the objects that waste most")
    .sorted_by("wasted_bytes")
    .computed("Waste", |dump, _, task| Ok(Arc::new(waste_table(dump, task)?)));

/// Title of a kind of waste.
fn titled(kind: Value<'_>) -> Value<'_> {
    kind.map_text(|key| WasteKind::of_key(&key).map_or(key, |kind| kind.title().to_owned()))
}

fn first_examples(ids: Value<'_>) -> Value<'_> {
    ids.map_text(|ids| ids.split(' ').take(EXAMPLES).collect::<Vec<_>>().join(" "))
}

/// The kinds of waste, most wasted bytes first.
pub(crate) fn waste_table(dump: TableContext<'_>, task: &Task) -> Result<List<WasteRow>, TableError> {
    let rows = Vec::clone(&*dump.data().answer(&WasteQuestion, task)?);
    let table = List::new(COLUMNS, rows);
    Ok(table.with_filter(|row, _, filter| filter.matches(row.kind.key()) || filter.matches(row.kind.title())))
}

fn examples(dump: TableContext<'_>, row: &WasteRow) -> Vec<String> {
    row.examples.iter().map(|&object| dump.heap.id_text(object)).collect()
}
