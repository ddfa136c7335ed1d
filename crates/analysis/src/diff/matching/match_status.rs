//! Status of unmatched objects: only in one heap, or ambiguous.

use super::context::MatchContext;
use super::remaining_rows::{RemainingRows, kinds};
use super::state::Matching;
use crate::diff::{HeapSide, matches::ALONE, owners::Owners};
use heaplens_base::{Cancelled, Task};

/// Decides it: an object exists only in one heap if its holder does, or if the other heap has no unmatched object
/// of its kind left.
pub(super) fn settle(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    matching.find_unmatched(task)?;
    let RemainingRows { before, after } = std::mem::take(&mut matching.unmatched);
    let known = matching.known();
    let (before, doomed_before) = left(known, HeapSide::Before, before, task)?;
    let (after, doomed_after) = left(known, HeapSide::After, after, task)?;
    let (has_before, has_after) = (kinds(known, HeapSide::Before, &before), kinds(known, HeapSide::After, &after));
    let without = |which: HeapSide, left: Vec<u32>, others: &[bool]| -> Vec<u32> {
        left.into_iter().filter(|&row| others.get(known.kind(which, row).0 as usize) != Some(&true)).collect()
    };
    let (removed, new) = (without(HeapSide::Before, before, &has_after), without(HeapSide::After, after, &has_before));
    let mark = |rows: [Vec<u32>; 2], methods: &mut [u8]| {
        for row in rows.into_iter().flatten() {
            methods.get_mut(row as usize).into_iter().for_each(|methods| *methods = ALONE);
        }
    };
    mark([removed, doomed_before], &mut matching.matches.methods_before);
    mark([new, doomed_after], &mut matching.matches.methods_after);
    Ok(())
}

/// Unmatched objects: ambiguous, or certainly in one heap only.
fn left(
    known: MatchContext<'_>,
    which: HeapSide,
    rows: Vec<u32>,
    task: &Task,
) -> Result<(Vec<u32>, Vec<u32>), Cancelled> {
    let owners = Owners::of(known.columns(which), &rows, task)?;
    Ok(rows.into_iter().partition(|&row| !owners.is_doomed(row)))
}
