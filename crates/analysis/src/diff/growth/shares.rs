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
    let (before, after) = (sums(pair.before, before.methods, task)?, sums(pair.after, after.methods, task)?);
    let at = |index: usize| MatchExtent {
        before_objects: before[index].0,
        before_bytes: before[index].1,
        after_objects: after[index].0,
        after_bytes: after[index].1,
    };
    Ok((std::array::from_fn(at), at(ALONE), at(UNKNOWN)))
}

fn sums(side: DumpData<'_>, method_codes: &[u8], task: &Task) -> Result<Sums, Cancelled> {
    let none = || [(0, 0); UNKNOWN + 1];
    let blocks = side.analysis.preorders().par_chunks(CHECKPOINT_EVERY).zip(method_codes.par_chunks(CHECKPOINT_EVERY));
    let folded = blocks.enumerate().try_fold(none, |mut sums, (block, (preorders, method_codes))| {
        task.checkpoint()?;
        let rows = (block * CHECKPOINT_EVERY..).filter_map(ObjectId::new).zip(preorders.iter().zip(method_codes));
        for (object, (_, &method_codes)) in rows.filter(|(_, (index, _))| **index != 0) {
            let index = match MatchMethod::from_code(method_codes) {
                // Numbered from 1 in the order of `How::ALL`.
                Some(method_codes) => method_codes as usize - 1,
                None if method_codes == matches::ALONE => ALONE,
                None => UNKNOWN,
            };
            let (objects, bytes) = &mut sums[index];
            (*objects, *bytes) = (*objects + 1, *bytes + side.heap.shallow(object).0);
        }
        Ok(sums)
    });
    folded.try_reduce(none, |mut one, other| {
        one.iter_mut().zip(other).for_each(|(one, other)| *one = (one.0 + other.0, one.1 + other.1));
        Ok(one)
    })
}
