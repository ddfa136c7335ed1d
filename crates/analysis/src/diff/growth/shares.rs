//! Matched part of both heaps by match criterion, and the unmatched part.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::answers::DumpData;
use crate::diff::Pair;
use crate::diff::matches::{self, MatchMethod, Matches};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::ObjectId;

/// Index of unmatched objects, after those matched by [`MatchMethod`].
const ALONE: usize = MatchMethod::ALL.len();
const UNKNOWN: usize = ALONE + 1;

type Sums = [(u64, u64); UNKNOWN + 1];

/// Extent of a part of both heaps, such as the objects matched by one criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MatchExtent {
    /// Objects of the baseline.
    pub before_objects: u64,
    /// Their bytes.
    pub before_bytes: u64,
    /// Objects of the target.
    pub after_objects: u64,
    /// Their bytes.
    pub after_bytes: u64,
}

/// Parts: matched by criterion; only in one heap; possibly in both.
pub(super) fn shares(
    pair: Pair<'_>,
    matches: &Matches,
    task: &Task,
) -> Result<([MatchExtent; MatchMethod::ALL.len()], MatchExtent, MatchExtent), Cancelled> {
    let (before, after) = matches.columns(pair);
    let (before, after) = (sums(pair.before, before.how, task)?, sums(pair.after, after.how, task)?);
    let at = |place: usize| MatchExtent {
        before_objects: before[place].0,
        before_bytes: before[place].1,
        after_objects: after[place].0,
        after_bytes: after[place].1,
    };
    Ok((std::array::from_fn(at), at(ALONE), at(UNKNOWN)))
}

fn sums(side: DumpData<'_>, how: &[u8], task: &Task) -> Result<Sums, Cancelled> {
    let none = || [(0, 0); UNKNOWN + 1];
    let blocks = side.analysis.preorders().par_chunks(CHECKPOINT_EVERY).zip(how.par_chunks(CHECKPOINT_EVERY));
    let folded = blocks.enumerate().try_fold(none, |mut sums, (block, (places, how))| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).filter_map(ObjectId::new).zip(places.iter().zip(how));
        for (object, (_, &how)) in rows.filter(|(_, (place, _))| **place != 0) {
            let place = match MatchMethod::from_code(how) {
                // Numbered from 1 in the order of `How::ALL`.
                Some(how) => how as usize - 1,
                None if how == matches::ALONE => ALONE,
                None => UNKNOWN,
            };
            let (objects, bytes) = &mut sums[place];
            (*objects, *bytes) = (*objects + 1, *bytes + side.heap.shallow(object).0);
        }
        Ok(sums)
    });
    folded.try_reduce(none, |mut one, other| {
        one.iter_mut().zip(other).for_each(|(one, other)| *one = (one.0 + other.0, one.1 + other.1));
        Ok(one)
    })
}
