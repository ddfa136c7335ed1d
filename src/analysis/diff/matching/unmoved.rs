//! What did not move. The same address alone tells nothing: another object of the
//! class may have been moved there. So class and every byte of it have to agree,
//! references being compared as addresses; and around it, of what stands at one
//! address in both heaps, at least half has to agree as well.

use std::ops::Range;

use rayon::prelude::*;

use super::{Known, Matching};
use crate::analysis::diff::kinds::KindId;
use crate::analysis::diff::matches::How;
use crate::graph::NONE;
use crate::heap::address_map::Finder;
use crate::heap::contents::Role;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Objects that one core takes at a time.
const TURN: usize = 1 << 14;
/// Bits of an address within a stretch, which is judged as a whole.
const STRETCH_BITS: u32 = 15;
/// Objects at one address in both heaps that say nothing yet of a stretch.
const FEW: usize = 8;

/// Two rows.
type Rows = (u32, u32);

/// Matches what did not move, and has what changed beside it be looked for.
pub(super) fn match_unmoved(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let judge = Judge::new(matching.known());
    let len = matching.pair.after.heap.len();
    let turns = (0..len.div_ceil(TURN)).into_par_iter().map(|at| {
        task.advance_checked(TURN.min(len) as u64)?;
        Ok(judge.turn(at * TURN..len.min((at + 1) * TURN)))
    });
    let found = turns.collect::<Result<Vec<Vec<Rows>>, Cancelled>>()?;
    for (before, after) in found.into_iter().flatten() {
        if let (Some(before), Some(after)) = (ObjectId::from_raw(before), ObjectId::from_raw(after)) {
            matching.put(before, after, How::Address);
        }
    }
    other_texts(matching, task)?;
    at_the_edge(matching, task)
}

/// Says which objects did not move.
struct Judge<'a> {
    known: Known<'a>,
    before: Finder<'a>,
    /// By row, 0 where no root reaches.
    places: (&'a [u32], &'a [u32]),
    /// By kind, whether its objects are class objects: those are found by their classes.
    is_class: Vec<bool>,
}

impl<'a> Judge<'a> {
    fn new(known: Known<'a>) -> Self {
        let (before, after) = (known.pair.before, known.pair.after);
        let is_class = |name: &str| name == "java.lang.Class";
        Self {
            known,
            before: before.heap.finder(),
            places: (before.analyzed.places(), after.analyzed.places()),
            is_class: known.matches.kinds.all().iter().map(|kind| is_class(&kind.name)).collect(),
        }
    }

    /// All stretches that begin among some rows of the newer heap, to their ends.
    fn turn(&self, rows: Range<usize>) -> Vec<Rows> {
        let heap = self.known.pair.after.heap;
        let first = rows.start.saturating_sub(1);
        let mut addresses = (first..).zip(heap.addresses_from(first)).peekable();
        // The stretch that the turn before has begun is its own.
        let before = (rows.start > 0).then(|| addresses.next()).flatten().map(|(_, a)| a.0 >> STRETCH_BITS);
        let mut found = Vec::new();
        let mut both: Vec<Rows> = Vec::new();
        let mut at = before;
        for (row, address) in addresses {
            let stretch = Some(address.0 >> STRETCH_BITS);
            if stretch == before {
                continue;
            }
            if at != stretch {
                self.judge(&mut both, &mut found);
                if row >= rows.end {
                    break;
                }
                at = stretch;
            }
            // The bootstrap loader is made up.
            let old = if address.0 == 0 { None } else { self.before.row(address.0) };
            both.extend(old.filter(|&old| self.may_be(old, row as u32)).map(|old| (old, row as u32)));
        }
        self.judge(&mut both, &mut found);
        found
    }

    fn may_be(&self, before: u32, after: u32) -> bool {
        let reached = |places: &[u32], row: u32| places.get(row as usize).is_some_and(|&place| place != 0);
        let kind = |which, row| KindId(self.known.kind(which, row));
        let of = kind(super::Which::After, after);
        reached(self.places.0, before)
            && reached(self.places.1, after)
            && self.is_class.get(of.0 as usize) == Some(&false)
            && kind(super::Which::Before, before) == of
    }

    /// Those at one address in both heaps, in one stretch: finds those that did not move, if it is none by chance.
    fn judge(&self, both: &mut Vec<Rows>, found: &mut Vec<Rows>) {
        let known = found.len();
        let mut changed = 0;
        // Runs of neighbours are compared at once, where their records stand one behind the other in both files.
        for run in both.chunk_by(|one, other| other.0 == one.0 + 1 && other.1 == one.1 + 1) {
            let last = &run[run.len() - 1..];
            let apart = if self.is_equal_run(run) { last } else { run };
            found.extend_from_slice(&run[..run.len() - apart.len()]);
            for &rows in apart {
                match self.is_same(rows) {
                    Some(true) => found.push(rows),
                    Some(false) => changed += 1,
                    None => {}
                }
            }
        }
        let same = found.len() - known;
        if same < FEW || same < changed {
            found.truncate(known);
        }
        both.clear();
    }

    /// Whether the records of a run, up to the last one, are the same bytes.
    fn is_equal_run(&self, run: &[Rows]) -> bool {
        let (Some(&first), Some(&last)) = (run.first(), run.last()) else { return false };
        let objects = |(before, after)| Some((ObjectId::from_raw(before)?, ObjectId::from_raw(after)?));
        let (Some(first), Some(last)) = (objects(first), objects(last)) else { return false };
        let (old, new) = (self.known.pair.before, self.known.pair.after);
        let bytes = old.contents.records(old.heap, first.0, last.0);
        bytes.is_some() && bytes == new.contents.records(new.heap, first.1, last.1)
    }

    fn is_same(&self, (before, after): Rows) -> Option<bool> {
        let (old, new) = (self.known.pair.before, self.known.pair.after);
        let one = old.contents.body(old.heap, ObjectId::from_raw(before)?)?;
        Some(one == new.contents.body(new.heap, ObjectId::from_raw(after)?)?)
    }
}

/// Takes the match back from texts whose characters did move or change: nothing else of a text tells one from another.
fn other_texts(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let known = matching.known();
    let (side, matches) = (known.pair.after, known.matches);
    let is_text = |class| side.contents.role(class) == Role::Text;
    let texts: Vec<bool> = side.heap.classes.iter().map(|(class, _)| is_text(class)).collect();
    let classes = side.heap.class_rows();
    let blocks = matches.of_after.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, rows)| {
        task.checkpoint()?;
        let matched = (block * CHECKPOINT_EVERY..).zip(rows).filter(|&(_, &before)| before != NONE);
        let texts = matched.filter(|&(after, _)| {
            classes.get(after as u32).is_some_and(|class| texts.get(class.index()) == Some(&true))
        });
        let other = texts.filter_map(|(after, _)| {
            let text = ObjectId::new(after)?;
            let moved = |&to: &u32| matches.of_after.get(to as usize) == Some(&NONE);
            side.heap.references(text).iter().any(moved).then_some(text)
        });
        Ok(other.collect())
    });
    for text in blocks.collect::<Result<Vec<Vec<ObjectId>>, Cancelled>>()?.into_iter().flatten() {
        matching.take_back(text);
    }
    Ok(())
}

/// Has those of the unmoved be looked into that hold something which is not matched yet.
fn at_the_edge(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let known = matching.known();
    let matched = &known.matches.of_after;
    let blocks = matched.par_chunks(CHECKPOINT_EVERY).enumerate().map(|(block, rows)| {
        task.checkpoint()?;
        let pairs = (block * CHECKPOINT_EVERY..).zip(rows).filter_map(|(after, &before)| {
            let (before, after) = (ObjectId::from_raw(before).filter(|_| before != NONE)?, ObjectId::new(after)?);
            let references = known.pair.after.heap.references(after);
            let leads_on = references.iter().any(|&to| matched.get(to as usize) == Some(&NONE));
            leads_on.then_some((before, after))
        });
        Ok(pairs.collect())
    });
    let edge = blocks.collect::<Result<Vec<Vec<(ObjectId, ObjectId)>>, Cancelled>>()?;
    for (before, after) in edge.into_iter().flatten() {
        matching.look_into(before, after);
    }
    Ok(())
}
