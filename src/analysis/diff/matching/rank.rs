//! The last resort: what one owner directly holds of a kind, as many before as
//! after, by size. It is a guess, and is called one.

use std::cmp::Reverse;

use super::content::owners;
use super::sequences::alike;
use super::tokens::Which;
use super::{Candidate, Known, Matching};
use crate::analysis::diff::matches::How;
use crate::graph::NONE;
use crate::graph::bits::Bits;
use crate::heap::classes::ClassKind;
use crate::heap::contents::Role;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Matches by rank where the counts agree.
pub(super) fn match_by_size(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let (old, new) = owners(matching, task)?;
    let one = held(matching, Which::Before, &old.doomed, task)?;
    let other = held(matching, Which::After, &new.doomed, task)?;
    let mut found = Vec::new();
    alike(&one, &other, |one, other| {
        if one.len() == other.len() {
            let (one, other) =
                (by_size(matching.known(), Which::Before, one), by_size(matching.known(), Which::After, other));
            found.extend(one.into_iter().zip(other));
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
fn held(
    matching: &Matching<'_>,
    which: Which,
    doomed: &Bits,
    task: &Task,
) -> Result<Vec<((u32, u32), u32)>, Cancelled> {
    let this = matching.known();
    let side = this.side(which);
    let inside = match which {
        Which::Before => &matching.inside.0,
        Which::After => &matching.inside.1,
    };
    let compares_its_own = |owner: ObjectId| {
        inside.contains(owner.raw())
            || side.heap.class(owner).kind != ClassKind::Plain
            || side.contents.role(side.heap.class_id(owner)) == Role::Collection
    };
    let (matched, how) = match which {
        Which::Before => (&this.matches.of_before, &this.matches.how_before),
        Which::After => (&this.matches.of_after, &this.matches.how_after),
    };
    let mut held = Vec::new();
    for (row, &other) in matched.iter().enumerate() {
        if row.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let Some(object) = ObjectId::new(row).filter(|_| other == NONE && how[row] == 0) else { continue };
        if doomed.contains(object.raw()) || !side.analyzed.is_reachable(object) {
            continue;
        }
        let owner = match side.analyzed.immediate_dominator(object) {
            None => Some(NONE),
            Some(owner) if compares_its_own(owner) => None,
            Some(owner) => this.matched_row(which, owner.raw()),
        };
        if let Some(owner) = owner {
            held.push(((this.kind(which, object.raw()), owner), object.raw()));
        }
    }
    held.sort_unstable();
    Ok(held)
}

/// Biggest first, equal ones in the order of their addresses.
fn by_size(this: Known<'_>, which: Which, rows: &[((u32, u32), u32)]) -> Vec<ObjectId> {
    let mut objects: Vec<ObjectId> = rows.iter().filter_map(|&(_, row)| ObjectId::from_raw(row)).collect();
    let analyzed = this.side(which).analyzed;
    objects.sort_by_cached_key(|&object| (Reverse(analyzed.retained(object)), object));
    objects
}
