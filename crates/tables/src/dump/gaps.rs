//! Gaps between objects, by size.

use std::sync::Arc;

use crate::columns::{Columns, Item, Value, heading};
use crate::relation::{Relation, relation};
use crate::{Job, List, TableContext, TableError};
use heaplens_analysis::gaps::{Gap, Gaps, gaps};
use heaplens_base::Task;

pub(crate) const COLUMNS: Columns<Item<Gap>> = &[&[
    heading("gap_bytes", "Gap", "Unused bytes between two neighbouring objects")
        .alias("size")
        .bytes(|gap, _| Some(gap.bytes)),
    heading("count", "Gaps", "Number of gaps of this size").count(|gap, _| Some(gap.count)),
]];

/// Gaps between objects by size.
pub const GAPS: Relation = relation!("gaps", COLUMNS)
    .named("gaps", "Gaps between objects by size")
    .with_help(Job::Waste.more(), "Show gaps between objects by size")
    .sorted_by("gap_bytes")
    .computed("Gaps", |dump, _, task| Ok(Arc::new(gap_table(find_gaps(dump, task)?))));

/// Finds the gaps.
///
/// # Errors
/// If ids are not addresses, or the task is cancelled.
pub(crate) fn find_gaps(dump: TableContext<'_>, task: &Task) -> Result<Gaps, TableError> {
    let none = || TableError::InvalidQuery("no gaps: the object ids of this format are not addresses".to_owned());
    gaps(dump.data(), task)?.ok_or_else(none)
}

/// The gaps, largest first.
pub(crate) fn gap_table(gaps: Gaps) -> List<Gap> {
    let Gaps { rows, count, bytes, overlaps } = gaps;
    let totals = [("gaps", Value::Count(count)), ("bytes", Value::Bytes(bytes)), ("overlaps", Value::Count(overlaps))];
    let table = List::new(COLUMNS, rows).with_totals(move |_| totals.to_vec());
    table.with_filter(|gap, _, filter| filter.matches(&gap.bytes.0.to_string()))
}
