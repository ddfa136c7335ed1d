//! What a comparison tab knows of further dumps of the program that are open: each
//! owner of the comparison through all of them, in the order of time.

use std::sync::Arc;

use super::baseline::Baseline;
use super::view_context::OpenDump;
use crate::analysis::diff::growth::GrowthRow;
use crate::analysis::diff::program::is_one_program;
use crate::session::chain::Chain;
use crate::session::jobs::JobError;
use crate::session::series::{Series, of_owners, series};
use crate::task::Task;
use crate::units::Bytes;

/// Single owners of one row that are followed.
const FOLLOWED: usize = 200;

/// More than two dumps of one program.
pub struct OverTime {
    /// The dumps, the oldest first.
    pub dumps: Vec<OpenDump>,
    /// Which of them the tab compares: before and after.
    pub ends: (usize, usize),
    /// Owners and classes through all of them, as the command line tells of them.
    pub series: Arc<Series>,
    /// By row of the comparison's growth.
    pub rows: Vec<Lines>,
}

/// What the owners of a row retain in each dump.
pub struct Lines {
    /// All of them together.
    pub together: Arc<[Bytes]>,
    /// The first of them, where there are several.
    pub each: Vec<Arc<[Bytes]>>,
}

impl OverTime {
    /// Follows the owners of a comparison through `dumps`, those of them that are of its program; `None` if these are
    /// not more than the two that are compared.
    pub(super) fn find(
        dumps: &[OpenDump],
        baseline: &Arc<Baseline>,
        after: &OpenDump,
        task: &Task,
    ) -> Result<Option<Self>, JobError> {
        let before = &baseline.before;
        let is_end = |dump: &OpenDump| is_same(dump, before) || is_same(dump, after);
        let mut kept = Vec::with_capacity(dumps.len());
        for dump in dumps {
            task.checkpoint()?;
            if is_end(dump) || is_one_program(&dump.heap, &after.heap, &after.runtime_classes) {
                kept.push(dump.clone());
            }
        }
        let place = |end: &OpenDump| kept.iter().position(|dump| is_same(dump, end));
        let (Some(then), Some(now)) = (place(before), place(after)) else { return Ok(None) };
        let Some(comparison) = baseline.comparison().filter(|_| kept.len() > 2) else { return Ok(None) };
        let known = |at| (at == then && at + 1 == now).then_some(comparison);
        let chain = Chain::new(kept.iter().map(OpenDump::side).collect(), known, task)?;
        task.step("Following owners through all dumps", crate::task::Unit::Objects, 0);
        let series = series(&chain, task)?;
        let line = |row: &GrowthRow, owners: std::ops::Range<usize>| -> Arc<[Bytes]> {
            let owners = row.owners.get(owners).unwrap_or_default();
            of_owners(&chain, (then, now), owners, &comparison.matches.kinds, &series).into()
        };
        let mut rows = Vec::with_capacity(comparison.growth.rows.len());
        for row in &comparison.growth.rows {
            task.checkpoint()?;
            let several = if row.owners.len() > 1 { row.owners.len().min(FOLLOWED) } else { 0 };
            let each = (0..several).map(|at| line(row, at..at + 1)).collect();
            rows.push(Lines { together: line(row, 0..row.owners.len()), each });
        }
        drop(chain);
        Ok(Some(Self { ends: (then, now), dumps: kept, series: Arc::new(series), rows }))
    }
}

/// Whether these are answers about one dump that is open once.
pub fn is_same(one: &OpenDump, other: &OpenDump) -> bool {
    Arc::ptr_eq(&one.heap, &other.heap)
}
