//! `findings`: what the leak search finds.

use std::sync::Arc;

use super::listed::{Listed, RowValues};
use crate::relation::{RowsError, SqlColumn};
use crate::source::QuerySource;
use crate::value::SqlValue;
use heaplens_analysis::LeakFinding;
use heaplens_base::Task;
use heaplens_core::heap::Heap;
use heaplens_tables::columns::fraction;
use heaplens_tables::export::leaks;

/// The table, with the columns of the command `leaks`, but without growth: there is no baseline.
pub(crate) fn table(source: Arc<QuerySource>) -> Listed {
    let columns = leaks::COLUMNS.iter().filter(|(heading, _)| heading.key != "growth_bytes");
    let columns = columns.map(|(heading, kind)| SqlColumn::of_heading(heading, *kind));
    Listed::new(source, columns.collect(), compute)
}

fn compute(source: &QuerySource, _: &[SqlValue<'static>], task: &Task) -> Result<Vec<RowValues>, RowsError> {
    Ok(source.findings(task)?.iter().map(|finding| row(source.heap(), finding)).collect())
}

fn row(heap: &Heap, finding: &LeakFinding) -> RowValues {
    let accumulated = finding.accumulated.as_ref();
    let cuts: Vec<&str> = finding.cut.iter().map(|cut| &*cut.name).collect();
    vec![
        SqlValue::text(finding.group.key()),
        SqlValue::text(finding.kind.key()),
        SqlValue::text(finding.name.clone()),
        SqlValue::of(accumulated, |found| SqlValue::text(found.class.clone())),
        SqlValue::of(accumulated, |found| SqlValue::count(found.objects)),
        SqlValue::bytes(finding.frees),
        SqlValue::Real(fraction(finding.share())),
        SqlValue::count(finding.objects),
        SqlValue::of(finding.holder.as_ref(), |holder| SqlValue::object(heap, holder.object)),
        SqlValue::text(cuts.join(" + ")),
        SqlValue::text(finding.fingerprint.clone()),
    ]
}
