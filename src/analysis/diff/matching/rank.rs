//! The last resort: what one owner directly holds of a kind, as many before as
//! after, by size. It is a guess, and is called one.

use std::cmp::Reverse;

use super::left::{Left, left};
use super::sequences::alike;
use super::tokens::Which;
use super::{Candidate, Known, Matching};
use crate::analysis::diff::kinds::KindId;
use crate::analysis::diff::matches::How;
use crate::graph::NONE;
use crate::heap::classes::ClassKind;
use crate::heap::contents::Role;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};

/// Kind, owner in the older heap, hash of its own numbers.
type Held = (KindId, u32, u64);

/// Matches by rank where the counts agree.
pub(super) fn match_by_size(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let Some((old, new)) = left(matching, task)? else { return Ok(()) };
    let (one, other) = (held(matching, Which::Before, &old), held(matching, Which::After, &new));
    task.checkpoint()?;
    let mut found = Vec::new();
    alike(&one, &other, |one, other| {
        if one.len() == other.len() {
            let by_size = |which, rows| by_size(matching.known(), which, rows);
            found.extend(by_size(Which::Before, one).into_iter().zip(by_size(Which::After, other)));
        }
    });
    found.sort_unstable_by_key(|&(_, after)| after);
    for (before, after) in found {
        matching.take(Candidate { before, after, how: How::Rank, inside: false });
    }
    Ok(())
}

/// What is not matched but its immediate dominator is, with kind and owner, in their order. Elements of arrays and
/// entries of collections were compared with each other: what was left then is not the same.
fn held(matching: &Matching<'_>, which: Which, left: &Left) -> Vec<(Held, u32)> {
    let known = matching.known();
    let side = known.side(which);
    let inside = match which {
        Which::Before => &matching.inside.0,
        Which::After => &matching.inside.1,
    };
    let compares_its_own = |owner: ObjectId| {
        inside.contains(owner.raw())
            || side.heap.class(owner).kind != ClassKind::Plain
            || side.contents.role(side.heap.class_id(owner)) == Role::Collection
    };
    let held = left.rows.iter().filter(|&&row| !left.owners.is_doomed(row)).filter_map(|&row| {
        let owner = match side.analyzed.immediate_dominator(ObjectId::from_raw(row)?) {
            None => NONE,
            Some(owner) if compares_its_own(owner) => return None,
            Some(owner) => known.matched_row(which, owner.raw())?,
        };
        // What differs in its own numbers is another.
        let object = ObjectId::from_raw(row)?;
        let numbers = side.contents.digest(side.heap, object).unwrap_or(0);
        Some(((known.kind(which, row), owner, numbers), row))
    });
    let mut held: Vec<(Held, u32)> = held.collect();
    held.sort_unstable();
    held
}

/// Biggest first, equal ones in the order of their addresses.
fn by_size(known: Known<'_>, which: Which, rows: &[(Held, u32)]) -> Vec<ObjectId> {
    let mut objects: Vec<ObjectId> = rows.iter().filter_map(|&(_, row)| ObjectId::from_raw(row)).collect();
    let analyzed = known.side(which).analyzed;
    objects.sort_by_cached_key(|&object| (Reverse(analyzed.retained(object)), object));
    objects
}
