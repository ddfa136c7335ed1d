//! Finds unmoved objects. An equal address alone is not enough: another object of the class may have been moved there.
//! So class and every byte must be equal, with references compared as addresses; and of the surrounding objects at one
//! address in both heaps, at least half must be equal as well.

use std::ops::Range;

use rayon::prelude::*;

use super::context::MatchContext;
use super::{chance, state::Matching};
use crate::diff::{HeapSide, matches::MatchMethod};
use crate::rows::joined;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::NONE;
use heaplens_heap::{Heap, ObjectId, address_map::Finder};

/// Objects processed by one core at a time.
const TURN: usize = 1 << 14;
/// Address bits within a range that is judged as a whole.
const STRETCH_BITS: u32 = 16;
/// Number of objects at equal addresses below which a range is unmoved only if almost nothing in the whole heap moved.
const FEW: usize = 8;
/// Ratio of equal objects per coincidence.
const ALMOST_ALL: usize = 16;

/// Below this ratio of remaining objects, their holders are looked up instead of scanning all references.
const FEW_LEFT: usize = 16;

/// Two rows.
type Rows = (u32, u32);

/// Matches unmoved objects, and queues those with changed references.
pub(super) fn match_equal_addresses(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    let judge = AddressMatcher::new(matching.known());
    let len = matching.pair.after.heap.len();
    let turns = (0..len.div_ceil(TURN)).into_par_iter().with_max_len(1).map(|at| {
        task.advance_checked(TURN.min(len) as u64)?;
        Ok(judge.turn(at * TURN..len.min((at + 1) * TURN)))
    });
    let turns = turns.collect::<Result<Vec<Verdicts>, Cancelled>>()?;
    let changed: usize = turns.iter().map(|turn| turn.changed).sum();
    let same: usize = turns.iter().map(|turn| turn.same.len() + turn.few.len()).sum();
    for (before, after) in turns.into_iter().flat_map(|turn| {
        let few = if same >= changed * ALMOST_ALL { turn.few } else { Vec::new() };
        turn.same.into_iter().chain(few)
    }) {
        if let (Some(before), Some(after)) = (ObjectId::from_raw(before), ObjectId::from_raw(after))
            && !matching.is_thread(before, after)
        {
            matching.put(before, after, MatchMethod::Address);
        }
    }
    chance::take_back(matching, task)?;
    at_the_edge(matching, task)
}

/// Result for some ranges.
#[derive(Default)]
struct Verdicts {
    /// Unmoved objects.
    same: Vec<Rows>,
    /// Equal objects in ranges with too few neighbours to judge.
    few: Vec<Rows>,
    /// Number of different objects of one class at one address.
    changed: usize,
}

/// Compares the objects at equal addresses.
struct AddressMatcher<'a> {
    known: MatchContext<'a>,
    before: Finder<'a>,
    /// By row, 0 where no root reaches.
    preorders: (&'a [u32], &'a [u32]),
    /// By kind: true if its objects are class objects, which are matched by class.
    is_class: Vec<bool>,
}

impl<'a> AddressMatcher<'a> {
    fn new(known: MatchContext<'a>) -> Self {
        let (before, after) = (known.pair.before, known.pair.after);
        let is_class = |name: &str| name == "java.lang.Class";
        Self {
            known,
            before: before.heap.finder(),
            preorders: (before.analysis.preorders(), after.analysis.preorders()),
            is_class: known.matches.kinds.all().iter().map(|kind| is_class(&kind.name)).collect(),
        }
    }

    /// All complete ranges that begin among some rows of the target.
    fn turn(&self, rows: Range<usize>) -> Verdicts {
        let heap = self.known.pair.after.heap;
        let first = rows.start.saturating_sub(1);
        let mut addresses = (first..).zip(heap.addresses_from(first)).peekable();
        // A range begun by the previous block belongs to that block.
        let before = (rows.start > 0).then(|| addresses.next()).flatten().map(|(_, a)| a.0 >> STRETCH_BITS);
        let mut verdicts = Verdicts::default();
        let mut both: Vec<Rows> = Vec::new();
        let mut at = before;
        for (row, address) in addresses {
            let stretch = Some(address.0 >> STRETCH_BITS);
            if stretch == before {
                continue;
            }
            if at != stretch {
                self.judge(&mut both, &mut verdicts);
                if row >= rows.end {
                    break;
                }
                at = stretch;
            }
            // The bootstrap loader is synthetic.
            let old = if address.0 == 0 { None } else { self.before.row(address.0) };
            both.extend(old.filter(|&old| self.may_be(old, row as u32)).map(|old| (old, row as u32)));
        }
        self.judge(&mut both, &mut verdicts);
        verdicts
    }

    fn may_be(&self, before: u32, after: u32) -> bool {
        let reached = |preorders: &[u32], row: u32| preorders.get(row as usize).is_some_and(|&offset| offset != 0);
        let of = self.known.kind(HeapSide::After, after);
        reached(self.preorders.0, before)
            && reached(self.preorders.1, after)
            && self.is_class.get(of.0 as usize) == Some(&false)
            && self.known.kind(HeapSide::Before, before) == of
    }

    /// Objects at equal addresses in one range: finds the unmoved ones, unless they are coincidences.
    fn judge(&self, both: &mut Vec<Rows>, verdicts: &mut Verdicts) {
        let (mut same, mut changed) = (Vec::new(), 0);
        // Neighbours are compared at once if their records are adjacent in both files.
        let runs =
            both.chunk_by(|&one, &other| other.0 == one.0 + 1 && other.1 == one.1 + 1 && self.ascends(one, other));
        for run in runs {
            let apart = if self.is_equal_run(run) { &run[run.len() - 1..] } else { run };
            same.extend_from_slice(&run[..run.len() - apart.len()]);
            for &rows in apart {
                match self.is_same(rows) {
                    Some(true) => same.push(rows),
                    Some(false) => changed += 1,
                    None => {}
                }
            }
        }
        verdicts.changed += changed;
        if same.len() >= FEW && same.len() >= changed {
            verdicts.same.append(&mut same);
        } else if same.len() + changed < FEW {
            verdicts.few.append(&mut same);
        }
        both.clear();
    }

    /// True if the records of two neighbours are in address order in both files.
    fn ascends(&self, one: Rows, other: Rows) -> bool {
        let (old, new) = (self.known.pair.before.heap, self.known.pair.after.heap);
        let offset = |heap: &Heap, row| ObjectId::from_raw(row).and_then(|object| heap.file_offset(object));
        offset(old, one.0) < offset(old, other.0) && offset(new, one.1) < offset(new, other.1)
    }

    /// True if the records of a run, except the last, have equal bytes.
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

/// Queues matched objects that reference unmatched ones.
pub(super) fn at_the_edge(matching: &mut Matching<'_>, task: &Task) -> Result<(), Cancelled> {
    matching.find_unmatched(task)?;
    let known = matching.known();
    let (matched, unmatched) = (&known.matches.of_after, &matching.unmatched.after);
    let of_holder = |after: ObjectId| {
        let before = matched.get(after.index()).copied().filter(|&before| before != NONE)?;
        Some((ObjectId::from_raw(before)?, after))
    };
    let mut edge: Vec<(ObjectId, ObjectId)> = if unmatched.len() < matched.len() / FEW_LEFT {
        let blocks = unmatched.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|rows| {
            task.checkpoint()?;
            let holders = rows.iter().flat_map(|&row| {
                let held = ObjectId::from_raw(row);
                held.map_or(&[][..], |held| known.pair.after.analysis.retainers(held))
            });
            Ok(holders.filter_map(|&holder| of_holder(ObjectId::from_raw(holder)?)).collect())
        });
        joined(blocks)?
    } else {
        let blocks = task.par_blocks(matched.len()).map(|rows| {
            let holders = rows?.filter_map(ObjectId::new).filter_map(of_holder);
            let leads_on = |&(_, after): &(ObjectId, ObjectId)| {
                let mut references = known.pair.after.heap.references(after).iter();
                references.any(|&to| matched.get(to as usize) == Some(&NONE))
            };
            Ok(holders.filter(leads_on).collect())
        });
        joined(blocks)?
    };
    edge.par_sort_unstable_by_key(|&(_, after)| after);
    edge.dedup();
    for (before, after) in edge {
        matching.look_into(before, after);
    }
    Ok(())
}
