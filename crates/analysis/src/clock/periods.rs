//! Periods: groups of cells, each of which is wholly older or newer than every other group.

use std::collections::BTreeMap;

use super::cells::Cells;
use super::copies::{CellStates, CopyState};
use super::sequences::{Vote, VoteKind, Votes};
use heaplens_core::heap::ClassId;

/// Number of a period, from the oldest.
pub(super) type Period = u32;

/// Votes between cells that are at least this part of all cells apart are of the layout of the heap, not of the order
/// in which a collection copied neighbours.
const FAR: usize = 64;
/// Fewer votes tell nothing.
const LEAST_VOTES: usize = 48;
/// Fewer votes of a kind tell nothing of the kind.
const LEAST_OF_KIND: usize = 24;
/// Votes across a border between two periods, at least.
const LEAST_ACROSS: i64 = 24;
/// Classes with votes across a border, at least.
const LEAST_CLASSES: i64 = 3;
/// Of so many votes across a border one may be against it.
const TOLERANCE: i64 = 32;
/// Of so many pairs of objects that were allocated together one may be divided by a border.
const TOGETHER: usize = 100;
/// With fewer copied cells than one for so many in place, what is in place is not the newest alone.
const FEW_COPIED: usize = 4;
/// Cells of either state, at least.
const LEAST_OF_STATE: usize = 3;

/// Tenths of the votes that are most; of lists and numbers in a heap whose classes vote, too.
const MOST: usize = 7;
const MOST_BESIDE_CLASSES: usize = 8;

/// Objects that were allocated together.
struct Together<'a> {
    /// Pairs of distant cells with such objects.
    pairs: &'a [(usize, usize)],
    /// Number of pairs that a border may divide: parts are replaced, too.
    tolerated: usize,
}

/// Periods of a heap.
pub(super) struct Periods {
    /// By cell; `None` if it is not known.
    pub(super) of_cells: Vec<Option<Period>>,
    /// True if objects that were not copied are newer than others.
    pub(super) is_by_copies: bool,
}

/// Periods of a heap; `None` if there is only one. `is_newest_in_place`: false if some of what is in place is older than
/// what was copied.
pub(super) fn periods(
    cells: &Cells,
    votes: &Votes,
    (of_cells, is_newest_in_place): (&CellStates, bool),
) -> Option<Periods> {
    let CellStates { states, together, pairs, .. } = of_cells;
    let together = Together { pairs: together, tolerated: pairs / TOGETHER };
    let of_state = |state| -> Vec<usize> { (0..cells.len()).filter(|&cell| states[cell] == Some(state)).collect() };
    let (copied, in_place) = (of_state(CopyState::Copied), of_state(CopyState::InPlace));
    // A few copied objects are those of a start, or were copied by a collector that keeps the order of others.
    let is_by_copies =
        copied.len() >= LEAST_OF_STATE.max(in_place.len() / FEW_COPIED) && in_place.len() >= LEAST_OF_STATE;
    if is_by_copies && !(is_newest_in_place && is_order_of_states(&votes.all, states)) {
        return None;
    }
    let all: Vec<usize> = (0..cells.len()).collect();
    let mut of_cells = vec![None; cells.len()];
    let (in_place, others): (Vec<usize>, Vec<usize>) = if is_by_copies {
        all.into_iter().partition(|&cell| states[cell] == Some(CopyState::InPlace))
    } else {
        (Vec::new(), all)
    };
    let next = number(&mut of_cells, (&others, &copied), &votes.all, (&together, copied.len() >= LEAST_OF_STATE), 0);
    number(&mut of_cells, (&in_place, &in_place), &votes.all, (&together, false), next);
    let has_several = of_cells.iter().flatten().any(|&period| period > 0);
    has_several.then_some(Periods { of_cells, is_by_copies })
}

/// True if addresses rise with time in nearly all votes of each kind among some cells.
fn is_ascending(votes: &[Vote], cells: usize) -> bool {
    let far: Vec<&Vote> = votes.iter().filter(|vote| vote.older.abs_diff(vote.newer) > cells / FAR).collect();
    let count = |kind: Option<VoteKind>| {
        let of_kind = far.iter().filter(|vote| kind.is_none_or(|kind| vote.kind == kind));
        let ascending = of_kind.clone().filter(|vote| vote.older < vote.newer).count();
        (ascending, of_kind.count())
    };
    let is_kind = |kind| {
        let (ascending, all) = count(Some(kind));
        all < LEAST_OF_KIND || ascending * 10 >= all * 9
    };
    let (ascending, all) = count(None);
    let sequences = all - count(Some(VoteKind::Class)).1;
    sequences >= LEAST_VOTES
        && ascending * 20 >= all * 19
        && [VoteKind::List, VoteKind::Number, VoteKind::Class].into_iter().all(is_kind)
}

/// True if addresses rise with time in most far votes: that is likely to hold for the whole heap, and no more. Classes of
/// a heap whose regions were taken from the upper end lie above their objects.
pub(super) fn is_mostly_ascending(votes: &[Vote], cells: usize) -> bool {
    let far = votes.iter().filter(|vote| vote.older.abs_diff(vote.newer) > cells / FAR);
    let (of_classes, of_sequences): (Vec<&Vote>, Vec<&Vote>) = far.partition(|vote| vote.kind == VoteKind::Class);
    let is_most = |votes: &[&Vote], tenths: usize| {
        votes.iter().filter(|vote| vote.older < vote.newer).count() * 10 >= votes.len() * tenths
    };
    let tenths = if of_classes.is_empty() { MOST } else { MOST_BESIDE_CLASSES };
    of_sequences.len() >= LEAST_VOTES && is_most(&of_sequences, tenths) && is_most(&of_classes, MOST)
}

/// True if votes do not contradict that objects in place are newer than all others.
fn is_order_of_states(votes: &[Vote], states: &[Option<CopyState>]) -> bool {
    // A class may be at the border of a stretch, and all its objects vote.
    let is_across = |vote: &&Vote| {
        let both = states[vote.older].zip(states[vote.newer]);
        vote.kind != VoteKind::Class && both.is_some_and(|(older, newer)| older != newer)
    };
    let across = votes.iter().filter(is_across);
    let wrong = across.clone().filter(|vote| states[vote.older] == Some(CopyState::InPlace)).count();
    let all = across.count();
    all < LEAST_OF_KIND || wrong * 20 <= all
}

/// Numbers the periods of the first of two lists of cells, both ascending by address, from `first`, and returns the next
/// number. If addresses do not rise with time in all of them, only those in the second list have periods.
fn number(
    of_cells: &mut [Option<Period>],
    (all, some): (&[usize], &[usize]),
    votes: &[Vote],
    (together, is_copied): (&Together<'_>, bool),
    first: Period,
) -> Period {
    let is_among = |cell: &usize| all.binary_search(cell).is_ok();
    let among: Vec<Vote> =
        votes.iter().filter(|vote| is_among(&vote.older) && is_among(&vote.newer)).copied().collect();
    let is_ascending = is_ascending(&among, of_cells.len());
    let cells = if is_ascending { all } else { some };
    divide(of_cells, cells, (&among, together), is_ascending && !is_copied, first)
}

/// Divides some cells, ascending by address, into periods from `first`, and returns the next number. A period ends
/// where nearly all votes across its border are from lower to higher addresses; `is_assumed`: also where there are none.
/// Objects that were allocated together are in one period: a collector copies parts far away from what they belong to.
fn divide(
    of_cells: &mut [Option<Period>],
    cells: &[usize],
    (votes, together): (&[Vote], &Together<'_>),
    is_assumed: bool,
    first: Period,
) -> Period {
    let at = |cell: usize| cells.binary_search(&cell).ok();
    // Changes of the numbers of ascending and descending votes, at each border.
    let mut changes = vec![(0_i64, 0_i64); cells.len() + 1];
    let mut spans = vec![0_i64; cells.len() + 1];
    for &(one, other) in together.pairs {
        let (Some(one), Some(other)) = (at(one), at(other)) else { continue };
        spans[one.min(other) + 1] += 1;
        spans[one.max(other) + 1] -= 1;
    }
    // Votes of one structure tell nothing of others: it may lie in order where the heap does not.
    let mut classes: BTreeMap<ClassId, (usize, usize)> = BTreeMap::new();
    for vote in votes.iter().filter(|vote| vote.kind != VoteKind::Class) {
        let (Some(older), Some(newer)) = (at(vote.older), at(vote.newer)) else { continue };
        let (begin, end) = (older.min(newer), older.max(newer));
        let step = if older < newer { (1, 0) } else { (0, 1) };
        let span = classes.entry(vote.class).or_insert((begin, end));
        *span = (span.0.min(begin), span.1.max(end));
        changes[begin + 1].0 += step.0;
        changes[begin + 1].1 += step.1;
        changes[end + 1].0 -= step.0;
        changes[end + 1].1 -= step.1;
    }
    let mut covers = vec![0_i64; cells.len() + 1];
    for (begin, end) in classes.into_values() {
        covers[begin + 1] += 1;
        covers[end + 1] -= 1;
    }
    let mut covered = 0;
    let (mut period, mut ascending, mut descending, mut across) = (first, 0, 0, 0);
    for (at, &cell) in cells.iter().enumerate() {
        ascending += changes[at].0;
        descending += changes[at].1;
        across += spans[at];
        covered += covers[at];
        let is_border = descending * TOLERANCE <= ascending
            && (is_assumed || ascending >= LEAST_ACROSS && covered >= LEAST_CLASSES)
            && across <= together.tolerated as i64;
        if at > 0 && is_border {
            period += 1;
        }
        of_cells[cell] = Some(period);
    }
    if cells.is_empty() { first } else { period + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 640;
    /// More than the least distance of votes that count, in cells.
    const DISTANCE: usize = 40;

    /// Votes of objects of a class, evenly over some cells: from lower to higher addresses, or in reverse.
    fn votes(kind: VoteKind, class: u32, count: usize, is_ascending: bool) -> Vec<Vote> {
        let class = ClassId::from_raw(class).expect("a class");
        let vote = |n: usize| {
            let low = n * (CELLS - DISTANCE) / count;
            let (older, newer) = if is_ascending { (low, low + DISTANCE) } else { (low + DISTANCE, low) };
            Vote { kind, class, older, newer }
        };
        (0..count).map(vote).collect()
    }

    /// Number of periods, and of cells without one.
    fn divided(votes: &[Vote], pairs: &[(usize, usize)], is_copied: bool) -> (Period, usize) {
        let mut of_cells = vec![None; CELLS];
        let all: Vec<usize> = (0..CELLS).collect();
        let some: &[usize] = if is_copied { &all } else { &[] };
        let together = Together { pairs, tolerated: 0 };
        let periods = number(&mut of_cells, (&all, some), votes, (&together, is_copied), 0);
        (periods, of_cells.iter().filter(|period| period.is_none()).count())
    }

    #[test]
    fn a_sequence_that_rises_with_addresses_orders_a_heap() {
        let list = votes(VoteKind::List, 1, 96, true);
        assert_eq!(divided(&list, &[], false), (CELLS as Period, 0));
        assert_eq!(divided(&list[..LEAST_VOTES - 1], &[], false), (0, CELLS), "too few votes");
        let near: Vec<Vote> = list.iter().map(|vote| Vote { newer: vote.older + CELLS / FAR, ..*vote }).collect();
        assert_eq!(divided(&near, &[], false), (0, CELLS), "of neighbours alone");
    }

    #[test]
    fn equal_clocks_that_disagree_tell_nothing() {
        let rising = votes(VoteKind::List, 1, 96, true);
        let falling = votes(VoteKind::List, 2, 96, false);
        assert_eq!(divided(&[rising.clone(), falling.clone()].concat(), &[], false), (0, CELLS));
        assert_eq!(divided(&falling, &[], false), (0, CELLS), "a heap in reverse");
        // Many numbers rise, and one list is in any order.
        let numbers: Vec<Vote> = (0..10).flat_map(|class| votes(VoteKind::Number, class, 96, true)).collect();
        let list = [votes(VoteKind::List, 11, 20, true), votes(VoteKind::List, 12, 10, false)].concat();
        assert_eq!(divided(&[numbers.clone(), list].concat(), &[], false), (0, CELLS), "one kind disagrees");
        let classes = votes(VoteKind::Class, 1, LEAST_OF_KIND, false);
        assert_eq!(divided(&[numbers, classes].concat(), &[], false), (0, CELLS), "classes disagree");
    }

    #[test]
    fn a_border_among_copied_objects_needs_votes_of_several_classes() {
        let classes = |count: u32| -> Vec<Vote> {
            (0..count).flat_map(|class| votes(VoteKind::List, class, 200, true)).collect()
        };
        assert_eq!(divided(&classes(2), &[], true), (1, 0), "of two classes");
        assert!(divided(&classes(3), &[], true).0 > 1, "of three");
        let against = votes(VoteKind::Number, 9, 12, false);
        assert!(
            divided(&[classes(3), against].concat(), &[], true).0 < divided(&classes(3), &[], true).0,
            "some against"
        );
    }

    #[test]
    fn objects_that_were_allocated_together_are_of_one_period() {
        let list = votes(VoteKind::List, 1, 96, true);
        // Of the first and the last object of the heap one is a part of the other.
        assert_eq!(divided(&list, &[(0, CELLS - 1)], false), (1, 0));
        assert_eq!(divided(&list, &[(0, 1)], false), (CELLS as Period - 1, 0));
    }

    #[test]
    fn most_votes_are_likely_unless_classes_are_against_them() {
        let most = [votes(VoteKind::List, 1, 75, true), votes(VoteKind::List, 2, 25, false)].concat();
        assert!(is_mostly_ascending(&most, CELLS));
        let with_classes = |is_ascending| [most.clone(), votes(VoteKind::Class, 1, 8, is_ascending)].concat();
        assert!(!is_mostly_ascending(&with_classes(false), CELLS), "classes above their objects");
        assert!(!is_mostly_ascending(&with_classes(true), CELLS), "beside classes, more must agree");
        assert!(!is_mostly_ascending(&[], CELLS) && !is_mostly_ascending(&most[..LEAST_VOTES - 1], CELLS));
    }
}
