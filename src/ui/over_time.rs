//! Growth over more than two dumps: each owner of a comparison, followed through all open dumps of the program, oldest
//! first.

use std::sync::Arc;

use super::baseline::Baseline;
use super::view_context::OpenDump;
use heaplens_analysis::diff::growth::GrowthRow;
use heaplens_analysis::diff::program::is_one_program;
use heaplens_base::task::Task;
use heaplens_base::units::Bytes;
use heaplens_session::chain::Chain;
use heaplens_session::jobs::JobError;
use heaplens_session::series::{Series, of_owners, series};

/// Maximum number of owners of one row that are followed individually.
const MAX_OWNERS: usize = 200;

/// More than two dumps of one program.
pub struct OverTime {
    /// The dumps, oldest first.
    pub dumps: Vec<OpenDump>,
    /// Indices of the baseline and the target of the tab.
    pub ends: (usize, usize),
    /// Sizes of owners and classes in all dumps, as the command line prints them.
    pub series: Arc<Series>,
    /// Lines by row of the growth table.
    pub rows: Vec<Lines>,
}

/// Retained bytes of the owners of a row, in each dump.
pub struct Lines {
    /// Sum of all owners.
    pub together: Arc<[Bytes]>,
    /// The first owners individually; empty if there is only one.
    pub each: Vec<Arc<[Bytes]>>,
}

impl OverTime {
    /// Follows the owners of a comparison through those `dumps` that are of its program; `None` unless these are more
    /// than two.
    pub(super) fn find(
        dumps: &[OpenDump],
        baseline: &Arc<Baseline>,
        after: &OpenDump,
        task: &Task,
    ) -> Result<Option<Self>, JobError> {
        let before = &baseline.before;
        let is_end = |dump: &OpenDump| is_same(dump, before) || is_same(dump, after);
        let mut members = Vec::with_capacity(dumps.len());
        for dump in dumps {
            task.checkpoint()?;
            if is_end(dump) || is_one_program(&dump.heap, &after.heap, &after.runtime_classes) {
                members.push(dump.clone());
            }
        }
        let position = |end: &OpenDump| members.iter().position(|dump| is_same(dump, end));
        let (Some(then), Some(now)) = (position(before), position(after)) else { return Ok(None) };
        let Some(comparison) = baseline.comparison().filter(|_| members.len() > 2) else { return Ok(None) };
        let known = |at| (at == then && at + 1 == now).then_some(comparison);
        let chain = Chain::new(members.iter().map(OpenDump::side).collect(), known, task)?;
        task.step("Following owners through all dumps", heaplens_base::task::Unit::Objects, 0);
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
        Ok(Some(Self { ends: (then, now), dumps: members, series: Arc::new(series), rows }))
    }
}

/// True if both are the data of the same open dump.
pub fn is_same(one: &OpenDump, other: &OpenDump) -> bool {
    Arc::ptr_eq(&one.heap, &other.heap)
}
