//! What is not matched yet, of kinds that both heaps have some left of: only these
//! can still be matched. The others are in one heap alone.

use rayon::prelude::*;

use super::Known;
use super::tokens::Which;
use crate::analysis::diff::owners::Owners;
use crate::graph::NONE;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// What is left of one heap, by row.
pub(super) struct Left {
    pub(super) rows: Vec<u32>,
    /// Who owns them.
    pub(super) owners: Owners,
}

/// What is left of both heaps; `None` where nothing of one kind is.
pub(super) fn left(known: Known<'_>, task: &Task) -> Result<Option<(Left, Left)>, Cancelled> {
    let (mut before, mut after) = (unmatched(known, Which::Before, task)?, unmatched(known, Which::After, task)?);
    let (has_before, has_after) = (kinds(known, Which::Before, &before), kinds(known, Which::After, &after));
    let both: Vec<bool> = has_before.into_iter().zip(has_after).map(|(one, other)| one && other).collect();
    let is_in_both = |which, row| both.get(known.kind(which, row).0 as usize) == Some(&true);
    before.retain(|&row| is_in_both(Which::Before, row));
    after.retain(|&row| is_in_both(Which::After, row));
    task.checkpoint()?;
    if before.is_empty() || after.is_empty() {
        return Ok(None);
    }
    let (old, new) = known.matches.columns(known.pair);
    let (old, new) = rayon::join(|| Owners::of(old, &before, task), || Owners::of(new, &after, task));
    Ok(Some((Left { rows: before, owners: old? }, Left { rows: after, owners: new? })))
}

/// What is neither matched nor known to be alone.
pub(super) fn unmatched(known: Known<'_>, which: Which, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let columns = known.columns(which);
    let places = columns.analyzed.places();
    let blocks = places.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, places)| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).zip(places).filter(|&(_, &place)| place != 0).map(|(row, _)| row);
        let free = |row: &usize| columns.matched.get(*row) == Some(&NONE) && columns.how.get(*row) == Some(&0);
        Ok(rows.filter(free).map(|row| row as u32).collect())
    });
    Ok(blocks.collect::<Result<Vec<Vec<u32>>, Cancelled>>()?.concat())
}

/// Of which kinds some rows are.
pub(super) fn kinds(known: Known<'_>, which: Which, rows: &[u32]) -> Vec<bool> {
    let mut kinds = vec![false; known.matches.kinds.all().len()];
    for &row in rows {
        kinds.get_mut(known.kind(which, row).0 as usize).into_iter().for_each(|kind| *kind = true);
    }
    kinds
}
