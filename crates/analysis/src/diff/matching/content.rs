//! Matches the remaining objects by content: first under the
//! same owner, where equal content suffices; then anywhere, with stricter rules.

use rayon::prelude::*;

use super::sequences::alike;

use super::context::{Candidate, MatchContext};
use super::unmatched::{UnmatchedRows, left};
use super::{state::Matching, tokens::Token};
use crate::diff::{HeapSide, kinds::ComparedClassId, matches::MatchMethod};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Kind, owner in the older heap, token.
type Traits = (ComparedClassId, u32, Token);

/// Matches objects with equal content under one owner; of duplicates as many as both heaps have.
pub(super) fn match_under_owners(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let Some((old, new)) = left(matching, task)? else { return Ok(()) };
    let known = matching.known();
    let owned = |which: HeapSide, left: &UnmatchedRows| {
        let of = |row: u32, token: Token| {
            let owner = left.owners.nearest(row);
            let owner = if owner == NONE { Some(NONE) } else { known.matched_row(which, owner) };
            owner.filter(|_| !left.owners.is_doomed(row)).map(|owner| (owner, token))
        };
        traits(known, which, &left.rows, task, of)
    };
    let (one, other) = (owned(HeapSide::Before, &old)?, owned(HeapSide::After, &new)?);
    let mut candidates = Vec::new();
    // Surplus duplicates stay unmatched; which of them does not matter.
    alike(&one, &other, |one, other| {
        let pairs = one.iter().zip(other);
        candidates.extend(pairs.filter_map(|(&(_, before), &(_, after))| candidate(before, after)));
    });
    take(matching, candidates);
    Ok(())
}

/// Matches objects whose content is unique in both heaps; for strings and numbers
/// it suffices that their count is unchanged.
pub(super) fn match_anywhere(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let Some((old, new)) = left(matching, task)? else { return Ok(()) };
    let known = matching.known();
    let anywhere = |which: HeapSide, left: &UnmatchedRows| {
        traits(known, which, &left.rows, task, |row, token| {
            let side = known.side(which);
            let class = ObjectId::from_raw(row).map(|object| side.heap.class_id(object))?;
            // Equal size alone does not make collections equal.
            let may_tell = side.heap.classes.get(class).kind != ClassKind::ObjectArray
                && side.contents.role(class) != Role::Collection;
            let is_doomed_value = token.is_value && left.owners.is_doomed(row);
            (may_tell && token.is_telling && !is_doomed_value).then_some((NONE, token))
        })
    };
    let (one, other) = (anywhere(HeapSide::Before, &old)?, anywhere(HeapSide::After, &new)?);
    let mut candidates = Vec::new();
    alike(&one, &other, |one, other| {
        // Equal strings and numbers are interchangeable if their count is unchanged.
        let is_value = one.iter().all(|((.., token), _)| token.is_value);
        if one.len() == other.len() && (one.len() == 1 || is_value) {
            let pairs = one.iter().zip(other);
            candidates.extend(pairs.filter_map(|(&(_, before), &(_, after))| candidate(before, after)));
        }
    });
    take(matching, candidates);
    Ok(())
}

fn candidate(before: u32, after: u32) -> Option<Candidate> {
    let (before, after) = (ObjectId::from_raw(before)?, ObjectId::from_raw(after)?);
    Some(Candidate { before, after, method: MatchMethod::Content, inside: false })
}

/// Accepts candidates in the order of the target.
fn take(matching: &mut Matching<'_>, mut candidates: Vec<Candidate>) {
    candidates.sort_unstable_by_key(|candidate| candidate.after);
    candidates.into_iter().for_each(|candidate| matching.take(candidate));
}

/// Traits of the objects that have any, in their order.
fn traits(
    known: MatchContext<'_>,
    which: HeapSide,
    rows: &[u32],
    task: &Task,
    of: impl Fn(u32, Token) -> Option<(u32, Token)> + Sync,
) -> Result<Vec<(Traits, u32)>, Cancelled> {
    let blocks = rows.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|rows| {
        task.checkpoint()?;
        let traits = rows.iter().filter_map(|&row| {
            let token = known.token(which, ObjectId::from_raw(row)?)?;
            let (owner, token) = of(row, token)?;
            Some(((known.kind(which, row), owner, token), row))
        });
        Ok(traits.collect())
    });
    let mut all = blocks.collect::<Result<Vec<Vec<_>>, Cancelled>>()?.concat();
    task.checkpoint()?;
    all.par_sort_unstable();
    Ok(all)
}
