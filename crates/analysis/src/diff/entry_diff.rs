//! Added and removed objects by class, from the match status of each object.

use rayon::prelude::*;

use super::matches::{MatchStatus, Matches};
use super::{Pair, kinds::ComparedClassId};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::{ObjectId, Totals};

/// Objects processed between two checkpoints.
const ROWS: usize = 1 << 14;

/// Added, removed and ambiguous objects of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EntryDiff {
    /// Only in the target.
    pub added: Totals,
    /// Only in the baseline.
    pub removed: Totals,
    /// In the baseline; ambiguous in the target.
    pub unknown_before: Totals,
    /// In the target; ambiguous in the baseline.
    pub unknown_after: Totals,
}

impl EntryDiff {
    /// True if any object of the kind was added or removed.
    pub fn has_any(&self) -> bool {
        self.added.objects > 0 || self.removed.objects > 0
    }
}

/// Added and removed shown objects by kind.
pub fn turnover(pair: Pair<'_>, matches: &Matches, task: &Task) -> Result<Vec<EntryDiff>, Cancelled> {
    let kinds = &matches.kinds;
    let count = kinds.all().len();
    let of_before = |object| kinds.of_object_before(pair.before.heap, object);
    let of_after = |object| kinds.of_object_after(pair.after.heap, object);
    let before = tallies(pair.before, count, of_before, |o| matches.match_status_of_before(o), task)?;
    let after = tallies(pair.after, count, of_after, |o| matches.match_status_of_after(o), task)?;
    let turnover = |([removed, unknown_before], [added, unknown_after]): ([Totals; 2], [Totals; 2])| EntryDiff {
        added,
        removed,
        unknown_before,
        unknown_after,
    };
    Ok(before.into_iter().zip(after).map(turnover).collect())
}

/// Added, removed and ambiguous objects by kind.
fn tallies(
    side: DumpData<'_>,
    kinds: usize,
    kind_of: impl Fn(ObjectId) -> ComparedClassId + Sync,
    fate_of: impl Fn(ObjectId) -> MatchStatus + Sync,
    task: &Task,
) -> Result<Vec<[Totals; 2]>, Cancelled> {
    let DumpData { heap, analysis, .. } = side;
    task.step("Counting added and removed objects", Unit::Objects, heap.len() as u64);
    let none = || vec![[Totals::default(); 2]; kinds];
    // A few long runs instead of one per block: each has a row for every kind.
    let runs = rayon::current_num_threads() * 4;
    let per_run = heap.len().div_ceil(runs).max(1);
    let tallied = (0..runs).into_par_iter().with_max_len(1).map(|run| {
        let mut rows = none();
        let end = heap.len().min((run + 1) * per_run);
        for block in (run * per_run..end).step_by(ROWS) {
            let block = block..end.min(block + ROWS);
            task.advance_checked(block.len() as u64)?;
            for object in block.filter_map(ObjectId::new) {
                let index = match fate_of(object) {
                    MatchStatus::Matched(..) => continue,
                    MatchStatus::Alone => 0,
                    MatchStatus::Unknown => 1,
                };
                let kind = kind_of(object).0 as usize;
                if let Some(tally) = rows.get_mut(kind).map(|row| &mut row[index])
                    && analysis.is_reachable(object)
                {
                    tally.add(Totals { objects: 1, shallow: heap.shallow(object) });
                }
            }
        }
        Ok(rows)
    });
    tallied.try_reduce(none, |mut all, some| {
        for (all, some) in all.iter_mut().flatten().zip(some.iter().flatten()) {
            all.add(*some);
        }
        Ok(all)
    })
}
