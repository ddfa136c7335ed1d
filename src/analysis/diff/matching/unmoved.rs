//! What did not move. The same address alone tells nothing: another object of the
//! class may have been moved there. So class and every byte of it have to agree,
//! references being compared as addresses; and around it, of what stands at one
//! address in both heaps, at least half has to agree as well.

use std::ops::Range;

use rayon::prelude::*;

use super::{Candidate, Matching};
use crate::analysis::diff::matches::How;
use crate::graph::NONE;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Objects that one core takes at a time.
const TURN: usize = 1 << 14;
/// Bits of an address within a stretch, which is judged as a whole.
const STRETCH_BITS: u32 = 15;
/// Objects at one address in both heaps that say nothing yet of a stretch.
const FEW: usize = 8;

/// What stands at one address in both heaps, in one stretch of addresses.
#[derive(Default)]
struct Stretch {
    same: Vec<(ObjectId, ObjectId)>,
    /// The others: of one class, but changed.
    changed: usize,
}

/// Matches what did not move, and has what changed beside it be looked for.
pub(super) fn match_unmoved(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let this = &*matching;
    let len = this.pair.after.heap.len();
    let turns = (0..len.div_ceil(TURN)).into_par_iter().map(|at| {
        task.advance_checked(TURN.min(len) as u64)?;
        Ok(turn(this, at * TURN..len.min((at + 1) * TURN)))
    });
    let found = turns.collect::<Result<Vec<Vec<_>>, Cancelled>>()?;
    for (before, after) in found.into_iter().flatten() {
        matching.put(before, after, How::Address);
    }
    at_the_edge(matching, task)
}

/// All stretches that begin among some rows of the newer heap, to their ends.
fn turn(this: &Matching<'_>, rows: Range<usize>) -> Vec<(ObjectId, ObjectId)> {
    let heap = this.pair.after.heap;
    let place = |row: usize| ObjectId::new(row).map(|object| heap.address(object).0 >> STRETCH_BITS);
    let before = rows.start.checked_sub(1).and_then(place);
    let mut found = Vec::new();
    let (mut stretch, mut at) = (Stretch::default(), None);
    for row in rows.start..heap.len() {
        let here = place(row);
        // The stretch that the turn before has begun is its own.
        if before.is_some() && here == before {
            continue;
        }
        if at != here {
            stretch.end(&mut found);
            if row >= rows.end {
                break;
            }
            at = here;
        }
        ObjectId::new(row).into_iter().for_each(|object| stretch.look_at(this, object));
    }
    stretch.end(&mut found);
    found
}

impl Stretch {
    fn look_at(&mut self, this: &Matching<'_>, object: ObjectId) {
        let (before, after) = (this.pair.before, this.pair.after);
        let address = after.heap.address(object);
        let Some(old) = before.heap.at(address) else { return };
        // The bootstrap loader is made up, and class objects are found by their classes.
        if address.0 == 0 || after.heap.classes.of_object(object).is_some() || !this.may_be(old, object) {
            return;
        }
        match (before.contents.body(before.heap, old), after.contents.body(after.heap, object)) {
            (Some(one), Some(other)) if one == other => self.same.push((old, object)),
            (None, _) | (_, None) => {}
            _ => self.changed += 1,
        }
    }

    /// Judges what was seen, and begins anew.
    fn end(&mut self, found: &mut Vec<(ObjectId, ObjectId)>) {
        if self.same.len() >= FEW && self.same.len() >= self.changed {
            found.append(&mut self.same);
        }
        *self = Self::default();
    }
}

/// Has those of the unmoved be looked into that hold something which is not matched yet.
fn at_the_edge(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let this = &*matching;
    let matched = &this.matches.of_after;
    let blocks = matched.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, rows)| {
        task.checkpoint()?;
        let pairs = (block * CHECKPOINT_EVERY..).zip(rows).filter_map(|(after, &before)| {
            let (before, after) = (ObjectId::from_raw(before).filter(|_| before != NONE)?, ObjectId::new(after)?);
            let references = this.pair.after.heap.references(after);
            let leads_on = references.iter().any(|&to| matched.get(to as usize) == Some(&NONE));
            leads_on.then_some(Candidate { before, after, how: How::Address, inside: false })
        });
        Ok(pairs.collect())
    });
    let edge = blocks.collect::<Result<Vec<Vec<Candidate>>, Cancelled>>()?;
    for Candidate { before, after, .. } in edge.into_iter().flatten() {
        matching.look_into(before, after);
    }
    Ok(())
}
