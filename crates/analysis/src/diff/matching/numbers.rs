//! Matches objects by engine ids: an id identifies one object as long as the process runs. If two heaps are of
//! one process, no other criterion is used, and objects without a match exist in one heap only.

use crate::diff::matches::{ALONE, MatchMethod, Matches};
use crate::diff::{Pair, kinds::Kinds};
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_core::heap::{IdStyle, ObjectId};
use heaplens_graph::NONE;

/// Minimum share of equal ids with equal classes in heaps of one process.
const OF_ONE_PROCESS: f64 = 0.5;

/// Matches by id; `None` if the heaps have no ids or are of different processes.
pub(super) fn by_numbers(pair: Pair<'_>, task: &Task) -> Result<Option<Matches>, Cancelled> {
    if [pair.before, pair.after].iter().any(|side| side.heap.origin.ids != IdStyle::Number) {
        return Ok(None);
    }
    task.step("Matching by object id", Unit::Objects, pair.after.heap.len() as u64);
    let (before, after) = rayon::join(|| pair.before.heap.ids_in_order(), || pair.after.heap.ids_in_order());
    task.checkpoint()?;
    let kinds = Kinds::new(pair, task)?;
    let (old, new) = (pair.before.heap.len(), pair.after.heap.len());
    let mut matches = Matches {
        kinds,
        of_before: vec![NONE; old],
        of_after: vec![NONE; new],
        how_before: vec![ALONE; old],
        how_after: vec![ALONE; new],
    };
    let (mut others, mut equal, mut common) = (after.chunk_by(|a, b| a.0 == b.0).peekable(), 0_u64, 0_u64);
    for (at, same) in before.chunk_by(|a, b| a.0 == b.0).enumerate() {
        task.checkpoint_at(at)?;
        while others.next_if(|other| other[0].0 < same[0].0).is_some() {}
        let Some(other) = others.next_if(|other| other[0].0 == same[0].0) else { continue };
        let ([(_, one)], [(_, other)]) = (same, other) else {
            // An id shared by several objects is useless.
            same.iter().for_each(|&(_, row)| matches.how_before[row as usize] = 0);
            other.iter().for_each(|&(_, row)| matches.how_after[row as usize] = 0);
            continue;
        };
        common += 1;
        let (Some(one), Some(other)) = (ObjectId::from_raw(*one), ObjectId::from_raw(*other)) else { continue };
        let kind = matches.kinds.of_object_before(pair.before.heap, one);
        if kind != matches.kinds.of_object_after(pair.after.heap, other) {
            continue;
        }
        equal += 1;
        matches.of_before[one.index()] = other.raw();
        matches.of_after[other.index()] = one.raw();
        matches.how_before[one.index()] = MatchMethod::Id as u8;
        matches.how_after[other.index()] = MatchMethod::Id as u8;
    }
    Ok((equal as f64 >= common as f64 * OF_ONE_PROCESS && common > 0).then_some(matches))
}
