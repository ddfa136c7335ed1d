//! Usual fixes of the structures that hold the most, with what they would free.

use std::sync::Arc;

use crate::columns::{Columns, Item, heading, headings};
use crate::relation::{Relation, relation};
use crate::{Job, List, TableContext, TableError};
use heaplens_analysis::policies::Policy;
use heaplens_base::{Share, Task};
use heaplens_session::policies::PoliciesQuestion;

pub(crate) const COLUMNS: Columns<Item<Policy>> = &[&[
    heading("policy", "Policy", "What the program would do").text(|row, _| Some(row.to_string().into())),
    heading("freed_objects", "Objects", "Number of objects that this would free")
        .count(|row, _| Some(row.what.freed.objects)),
    heading("freed_bytes", "Frees", "Bytes that this would free").bytes(|row, _| Some(row.what.freed.shallow)),
    heading("share", "Share", "Freed bytes as a percentage of all reachable bytes")
        .share(|row, _| Some(Share::of(row.what.freed.shallow, row.what.of.shallow))),
    headings::ID.object(|row, _| row.object),
    heading("cut", "Cut", "The removal that has this effect, as --cut takes it")
        .text(|row, _| Some(row.name.as_str().into())),
]];

/// Usual fixes, most freed bytes first.
pub const POLICIES: Relation = relation!("policies", COLUMNS)
    .named("policies", "Usual fixes of the largest structures, with what they would free")
    .with_help(Job::Waste.more(), "List what usual fixes would free: limits, weak references, shared strings")
    .sorted_by("freed_bytes")
    .naming_objects()
    .computed("Policies", |dump, _, task| Ok(Arc::new(policies_table(dump, task)?)));

/// Policies, most freed bytes first.
pub(crate) fn policies_table(dump: TableContext<'_>, task: &Task) -> Result<List<Policy>, TableError> {
    let rows = Vec::clone(&*dump.data().answer(&PoliciesQuestion, task)?);
    let table = List::new(COLUMNS, rows);
    Ok(table.with_filter(|row, _, filter| filter.matches(&row.to_string()) || filter.matches(&row.name)))
}
