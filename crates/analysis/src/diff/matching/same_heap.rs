//! Matches a heap with itself after removals: every object is itself, and what the removals free exists before only.

use crate::diff::matches::{ALONE, MatchMethod, Matches};
use crate::diff::{Pair, kinds::ComparedClasses};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::NONE;

/// Matches by row; `None` unless the later heap was derived from the earlier one.
pub(super) fn by_rows(pair: Pair<'_>, task: &Task) -> Result<Option<Matches>, Cancelled> {
    if !pair.after.heap.is_reduced_from(pair.before.heap) {
        return Ok(None);
    }
    task.step("Matching by row", Unit::Objects, pair.after.heap.len() as u64);
    let length = pair.after.heap.len();
    let mut matches = Matches {
        kinds: ComparedClasses::new(pair, task)?,
        of_before: vec![NONE; length],
        of_after: vec![NONE; length],
        methods_before: vec![ALONE; length],
        methods_after: vec![ALONE; length],
    };
    let (before, after) = (pair.before.analysis.preorders(), pair.after.analysis.preorders());
    for (row, (was, is)) in before.iter().zip(after).enumerate() {
        task.checkpoint_at(row)?;
        if (*was == 0) == (*is == 0) {
            (matches.of_before[row], matches.of_after[row]) = (row as u32, row as u32);
            matches.methods_before[row] = MatchMethod::Id as u8;
            matches.methods_after[row] = MatchMethod::Id as u8;
        }
    }
    Ok(Some(matches))
}
