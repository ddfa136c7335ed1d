//! Unmatched objects of kinds that both heaps still have, with their owners: only these can still be matched.

use super::remaining_rows::{RemainingRows, kinds};
use super::state::Matching;
use crate::diff::{HeapSide, owners::Owners};
use heaplens_base::{Cancelled, Task};

/// Unmatched rows of one heap.
pub(super) struct UnmatchedRows {
    pub(super) rows: Vec<u32>,
    /// Their owners.
    pub(super) owners: Owners,
}

/// Unmatched rows of both heaps; `None` if no kind is left in both.
pub(super) fn left(
    matching: &mut Matching<'_>,
    task: &Task,
) -> Result<Option<(UnmatchedRows, UnmatchedRows)>, Cancelled> {
    matching.find_unmatched(task)?;
    let known = matching.known();
    let RemainingRows { before, after } = &matching.unmatched;
    let (has_before, has_after) = (kinds(known, HeapSide::Before, before), kinds(known, HeapSide::After, after));
    let both: Vec<bool> = has_before.into_iter().zip(has_after).map(|(one, other)| one && other).collect();
    let of_both = |which, rows: &[u32]| -> Vec<u32> {
        rows.iter().copied().filter(|&row| both.get(known.kind(which, row).0 as usize) == Some(&true)).collect()
    };
    let (before, after) = (of_both(HeapSide::Before, before), of_both(HeapSide::After, after));
    task.checkpoint()?;
    if before.is_empty() || after.is_empty() {
        return Ok(None);
    }
    let (old, new) = known.matches.columns(known.pair);
    let (old, new) = rayon::join(|| Owners::of(old, &before, task), || Owners::of(new, &after, task));
    Ok(Some((UnmatchedRows { rows: before, owners: old? }, UnmatchedRows { rows: after, owners: new? })))
}
