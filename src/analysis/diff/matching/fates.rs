//! What is left without a match: in one heap alone, or unknown.

use super::content::owners;
use super::tokens::Which;
use super::{Known, Matching};
use crate::analysis::diff::matches::ALONE;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Settles it: an object is in one heap alone if what holds it is, or if the other heap has none of its kind left that
/// it could be.
pub(super) fn settle(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let (old, new) = owners(matching, task)?;
    let before = left(matching.known(), Which::Before, &old.doomed, task)?;
    let after = left(matching.known(), Which::After, &new.doomed, task)?;
    let kinds = matching.matches.kinds.all().len();
    let any = |left: &[(u32, u32)]| {
        let mut any = vec![false; kinds];
        left.iter().filter_map(|&(kind, _)| any.get_mut(kind as usize).map(|any| *any = true)).for_each(drop);
        any
    };
    let (any_before, any_after) = (any(&before), any(&after));
    let alone = |left: &[(u32, u32)], others: &[bool], doomed: &Bits, how: &mut [u8]| {
        let without = left.iter().filter(|&&(kind, _)| others.get(kind as usize) != Some(&true)).map(|&(_, row)| row);
        for row in without.chain(doomed.iter()) {
            if let Some(how) = how.get_mut(row as usize) {
                *how = ALONE;
            }
        }
    };
    alone(&before, &any_after, &old.doomed, &mut matching.matches.how_before);
    alone(&after, &any_before, &new.doomed, &mut matching.matches.how_after);
    Ok(())
}

/// What is not matched, nor surely alone: kind and row.
fn left(this: Known<'_>, which: Which, doomed: &Bits, task: &Task) -> Result<Vec<(u32, u32)>, Cancelled> {
    let side = this.side(which);
    let matched = match which {
        Which::Before => &this.matches.of_before,
        Which::After => &this.matches.of_after,
    };
    let mut left = Vec::new();
    for (row, _) in matched.iter().enumerate().filter(|&(_, &other)| other == NONE) {
        if row.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let object = ObjectId::new(row).filter(|&object| side.analyzed.is_reachable(object));
        if let Some(object) = object.filter(|object| !doomed.contains(object.raw())) {
            left.push((this.kind(which, object.raw()), object.raw()));
        }
    }
    Ok(left)
}
