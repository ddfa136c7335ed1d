//! How much of both heaps was matched, by how, and how much was not.

use rayon::prelude::*;

use super::Matched;
use crate::analysis::diff::matches::{Fate, How, Matches};
use crate::analysis::diff::{Pair, Side};
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// By [`How`], then what is in one heap alone, then what is unknown.
const PLACES: usize = How::ALL.len() + 2;

type Sums = [(u64, u64); PLACES];

/// What was matched, by how; what is in one heap alone; what may be in both.
pub(super) fn shares(
    pair: Pair<'_>,
    matches: &Matches,
    task: &Task,
) -> Result<([Matched; How::ALL.len()], Matched, Matched), Cancelled> {
    let before = sums(pair.before, |object| matches.fate_of_before(object), task)?;
    let after = sums(pair.after, |object| matches.fate_of_after(object), task)?;
    let at = |place: usize| Matched {
        before_objects: before[place].0,
        before_bytes: before[place].1,
        after_objects: after[place].0,
        after_bytes: after[place].1,
    };
    Ok((std::array::from_fn(at), at(PLACES - 2), at(PLACES - 1)))
}

fn sums(side: Side<'_>, fate: impl Fn(ObjectId) -> Fate + Sync, task: &Task) -> Result<Sums, Cancelled> {
    let len = side.heap.len();
    let none = || [(0, 0); PLACES];
    let blocks = (0..len.div_ceil(CHECKPOINT_EVERY)).into_par_iter();
    let folded = blocks.try_fold(none, |mut sums, block| {
        task.checkpoint()?;
        let rows = block * CHECKPOINT_EVERY..len.min((block + 1) * CHECKPOINT_EVERY);
        for object in rows.filter_map(ObjectId::new).filter(|&object| side.analyzed.is_reachable(object)) {
            let place = match fate(object) {
                Fate::Matched(_, how) => How::ALL.into_iter().position(|other| other == how).unwrap_or(0),
                Fate::Alone => PLACES - 2,
                Fate::Unknown => PLACES - 1,
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
