//! What did not move. The same address alone tells nothing: another object of the
//! class may have been moved there. So class and every byte of it have to agree,
//! references being compared as addresses; and around it, of what stands at one
//! address in both heaps, at least half has to agree as well.

use rayon::prelude::*;

use super::{Candidate, Matching};
use crate::analysis::diff::matches::How;
use crate::graph::NONE;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Objects of a stretch that is judged as a whole.
const STRETCH: usize = 1 << 10;
/// Objects at one address in both heaps that say nothing yet of a stretch.
const FEW: usize = 8;

/// What stands at one address in both heaps.
struct Stretch {
    same: Vec<(ObjectId, ObjectId)>,
    /// The others: of one class, but changed.
    changed: usize,
}

/// Matches what did not move, and has what changed beside it be looked for.
pub(super) fn match_unmoved(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let this = &*matching;
    let len = this.pair.after.heap.len();
    let stretches = (0..len.div_ceil(STRETCH)).into_par_iter().map(|at| {
        if (at * STRETCH).is_multiple_of(CHECKPOINT_EVERY) {
            task.advance_checked(CHECKPOINT_EVERY.min(len) as u64)?;
        }
        Ok(stretch(this, at * STRETCH..len.min((at + 1) * STRETCH)))
    });
    let found = stretches.collect::<Result<Vec<Vec<_>>, Cancelled>>()?;
    for (before, after) in found.into_iter().flatten() {
        matching.put(before, after, How::Address);
    }
    at_the_edge(matching, task)
}

fn stretch(this: &Matching<'_>, rows: std::ops::Range<usize>) -> Vec<(ObjectId, ObjectId)> {
    let mut found = Stretch { same: Vec::new(), changed: 0 };
    let (before, after) = (this.pair.before, this.pair.after);
    for object in rows.filter_map(ObjectId::new) {
        let address = after.heap.address(object);
        let Some(old) = before.heap.at(address) else { continue };
        // The bootstrap loader is made up, and class objects are found by their classes.
        if address.0 == 0 || after.heap.classes.of_object(object).is_some() || !this.may_be(old, object) {
            continue;
        }
        match (before.contents.body(before.heap, old), after.contents.body(after.heap, object)) {
            (Some(one), Some(other)) if one == other => found.same.push((old, object)),
            (None, _) | (_, None) => {}
            _ => found.changed += 1,
        }
    }
    let is_unmoved = found.same.len() >= FEW && found.same.len() >= found.changed;
    if is_unmoved { found.same } else { Vec::new() }
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
