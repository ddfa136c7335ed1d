//! The last resort: equally many objects of a kind directly below one owner, matched
//! by size. A guess, and reported as one.

use std::cmp::Reverse;

use super::context::{Candidate, MatchContext};
use super::unmatched::{UnmatchedRows, left};
use super::{sequences::alike, state::Matching};
use crate::diff::{HeapSide, kinds::ComparedClassId, matches::MatchMethod};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Kind, owner in the baseline, hash of its primitive fields.
type RankKey = (ComparedClassId, u32, u64);

/// Matches by rank if the counts are equal.
pub(super) fn match_by_size(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let Some((old, new)) = left(matching, task)? else { return Ok(()) };
    let (one, other) = (held(matching, HeapSide::Before, &old), held(matching, HeapSide::After, &new));
    task.checkpoint()?;
    let mut pairs = Vec::new();
    alike(&one, &other, |one, other| {
        if one.len() == other.len() {
            let by_size = |which, rows| by_size(matching.known(), which, rows);
            pairs.extend(by_size(HeapSide::Before, one).into_iter().zip(by_size(HeapSide::After, other)));
        }
    });
    pairs.sort_unstable_by_key(|&(_, after)| after);
    for (before, after) in pairs {
        matching.take(Candidate { before, after, method: MatchMethod::Rank, inside: false });
    }
    Ok(())
}

/// Unmatched objects with a matched immediate dominator, sorted by kind and owner. Elements of arrays and
/// entries of collections are excluded: they were compared before and differ.
fn held(matching: &Matching<'_>, which: HeapSide, left: &UnmatchedRows) -> Vec<(RankKey, u32)> {
    let known = matching.known();
    let side = known.side(which);
    let inside = match which {
        HeapSide::Before => &matching.inside.0,
        HeapSide::After => &matching.inside.1,
    };
    let compares_its_own = |owner: ObjectId| {
        inside.contains(owner.raw())
            || side.heap.class(owner).kind != ClassKind::Plain
            || side.contents.role(side.heap.class_id(owner)) == Role::Collection
    };
    let held = left.rows.iter().filter(|&&row| !left.owners.is_doomed(row)).filter_map(|&row| {
        let owner = match side.analysis.immediate_dominator(ObjectId::from_raw(row)?) {
            None => NONE,
            Some(owner) if compares_its_own(owner) => return None,
            Some(owner) => known.matched_row(which, owner.raw())?,
        };
        // Different primitive fields mean different objects.
        let object = ObjectId::from_raw(row)?;
        let numbers = side.contents.digest(side.heap, object).unwrap_or(0);
        Some(((known.kind(which, row), owner, numbers), row))
    });
    let mut held: Vec<(RankKey, u32)> = held.collect();
    held.sort_unstable();
    held
}

/// Largest first, ties by address.
fn by_size(known: MatchContext<'_>, which: HeapSide, rows: &[(RankKey, u32)]) -> Vec<ObjectId> {
    let mut objects: Vec<ObjectId> = rows.iter().filter_map(|&(_, row)| ObjectId::from_raw(row)).collect();
    let analysis = known.side(which).analysis;
    objects.sort_by_cached_key(|&object| (Reverse(analysis.retained(object)), object));
    objects
}
