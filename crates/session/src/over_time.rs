//! Growth over more than two dumps: each owner of a comparison, followed through all open dumps of the program, oldest
//! first.

use std::sync::Arc;

use crate::open_dump::{Baseline, Lines, OverTime, is_same};
use crate::series::{of_owners, series};
use crate::{JobError, OpenDump, chain::Chain};
use heaplens_analysis::diff::GrowthRow;
use heaplens_base::{Bytes, Task};

/// Maximum number of owners of one row that are followed individually.
const MAX_OWNERS: usize = 200;

/// Follows the owners of a comparison through those `dumps` that are of its program; `None` unless these are more
/// than two.
pub(super) fn follow(
    dumps: &[OpenDump],
    baseline: &Arc<Baseline>,
    after: &OpenDump,
    task: &Task,
) -> Result<Option<OverTime>, JobError> {
    let before = &baseline.before;
    let is_end = |dump: &OpenDump| is_same(dump, before) || is_same(dump, after);
    let mut members = Vec::with_capacity(dumps.len());
    for dump in dumps {
        task.checkpoint()?;
        if is_end(dump) || !dump.program_match(after).is_different() {
            members.push(dump.clone());
        }
    }
    let position = |end: &OpenDump| members.iter().position(|dump| is_same(dump, end));
    let (Some(then), Some(now)) = (position(before), position(after)) else { return Ok(None) };
    let Some(comparison) = baseline.comparison().filter(|_| members.len() > 2) else { return Ok(None) };
    let known = |at| (at == then && at + 1 == now).then_some(comparison);
    let chain = Chain::new(members.iter().map(|dump| dump.data()).collect(), known, task)?;
    task.step("Following owners through all dumps", heaplens_base::Unit::Objects, 0);
    let series = series(&chain, task)?;
    let line = |row: &GrowthRow, owners: std::ops::Range<usize>| -> Arc<[Bytes]> {
        let owners = row.owners.get(owners).unwrap_or_default();
        of_owners(&chain, (then, now), owners, &comparison.matches.kinds, &series).into()
    };
    let mut rows = Vec::with_capacity(comparison.growth.rows.len());
    for row in &comparison.growth.rows {
        task.checkpoint()?;
        let several = if row.owners.len() > 1 { row.owners.len().min(MAX_OWNERS) } else { 0 };
        let each = (0..several).map(|at| line(row, at..at + 1)).collect();
        rows.push(Lines { together: line(row, 0..row.owners.len()), each });
    }
    drop(chain);
    Ok(Some(OverTime { ends: (then, now), dumps: members, series: Arc::new(series), rows }))
}
