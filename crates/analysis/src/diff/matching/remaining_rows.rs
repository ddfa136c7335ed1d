//! Unmatched objects of both heaps. Only those of kinds that both heaps still have can still be matched; the others
//! exist in one heap only.

use rayon::prelude::*;

use super::context::MatchContext;
use crate::diff::HeapSide;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Rows of each heap that are neither matched nor known to be in one heap only.
#[derive(Default)]
pub(super) struct RemainingRows {
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
}

impl RemainingRows {
    /// Collects all of them. The set only shrinks: later [`RemainingRows::look_again`] suffices.
    pub(super) fn find(known: MatchContext<'_>, task: &Task) -> Result<Self, Cancelled> {
        let (before, after) =
            rayon::join(|| unmatched(known, HeapSide::Before, task), || unmatched(known, HeapSide::After, task));
        Ok(Self { before: before?, after: after? })
    }

    /// Removes rows decided since.
    pub(super) fn look_again(&mut self, known: MatchContext<'_>) {
        let (before, after) = (known.columns(HeapSide::Before), known.columns(HeapSide::After));
        self.before.retain(|&row| before.is_open(row));
        self.after.retain(|&row| after.is_open(row));
    }
}

fn unmatched(known: MatchContext<'_>, which: HeapSide, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let columns = known.columns(which);
    let preorders = columns.analysis.preorders();
    let blocks = preorders
        .par_chunks(CHECKPOINT_EVERY)
        .with_max_len(1)
        .zip(columns.methods.par_chunks(CHECKPOINT_EVERY))
        .enumerate();
    let blocks = blocks.map(|(block, (preorders, methods))| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(preorders.iter().zip(methods));
        Ok(rows
            .filter(|&(_, (&preorder, &methods))| preorder != 0 && methods == 0)
            .map(|(row, _)| row as u32)
            .collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<u32>>, Cancelled>>()?.concat())
}

/// Kinds of some rows.
pub(super) fn kinds(known: MatchContext<'_>, which: HeapSide, rows: &[u32]) -> Vec<bool> {
    let mut kinds = vec![false; known.matches.kinds.all().len()];
    for &row in rows {
        kinds.get_mut(known.kind(which, row).0 as usize).into_iter().for_each(|kind| *kind = true);
    }
    kinds
}
