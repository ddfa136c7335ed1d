//! Periods: groups of cells, each of which is wholly older or newer than every other group.
//!
//! Objects that a collection copied are of one period. A collector copies some survivors into the old generation and keeps
//! others for the next collection, whatever their age: each structure may lie in order, and all at different distances
//! behind the time. What sequences of several structures agree on there is no order of the heap.

use super::copies::{CellStates, CopyState};
use super::sequences::{Vote, VoteKind, Votes};

/// Number of a period, from the oldest.
pub(super) type Period = u32;

/// Votes between cells that are at least this part of all cells apart are of the layout of the heap, not of the order
/// in which a collection copied neighbours.
const FAR: usize = 64;
/// Fewer votes tell nothing.
const LEAST_VOTES: usize = 48;
/// Fewer votes of a kind tell nothing of the kind.
const LEAST_OF_KIND: usize = 24;
/// Of so many votes across a border one may be against it.
const TOLERANCE: i64 = 32;
/// Of so many elements in place that sequences order one may be older than what was copied: elements are moved, too.
const CONTRADICTION: usize = 20;
/// Of so many pairs of objects that were allocated together one may be divided by a border.
const TOGETHER: usize = 100;
/// With fewer copied cells than one for so many in place, what is in place is not the newest alone.
const FEW_COPIED: usize = 4;
/// With more copied cells than one of so many, addresses do not follow time in the whole heap.
const FEW_OF_ALL: usize = 20;
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
    cells: usize,
    votes: &Votes,
    (of_cells, is_newest_in_place): (&CellStates, bool),
) -> Option<Periods> {
    let CellStates { states, together, pairs, .. } = of_cells;
    let together = Together { pairs: together, tolerated: pairs / TOGETHER };
    let of_state = |state| -> Vec<usize> { (0..cells).filter(|&cell| states[cell] == Some(state)).collect() };
    let (copied, in_place) = (of_state(CopyState::Copied), of_state(CopyState::InPlace));
    // A few copied objects are those of a start, or were copied by a collector that keeps the order of others.
    let is_by_copies =
        copied.len() >= LEAST_OF_STATE.max(in_place.len() / FEW_COPIED) && in_place.len() >= LEAST_OF_STATE;
    if is_by_copies && !(is_newest_in_place && is_order_of_states(&votes.sequences, states)) {
        return None;
    }
    let mut of_cells = vec![None; cells];
    if is_by_copies {
        for &cell in &copied {
            of_cells[cell] = Some(0);
        }
        number(&mut of_cells, &in_place, (&votes.all, &together), 1);
    } else if copied.len() < LEAST_OF_STATE && is_ascending(&votes.all, cells) {
        let all: Vec<usize> = (0..cells).collect();
        number(&mut of_cells, &all, (&votes.all, &together), 0);
    }
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
/// a heap whose regions were taken from the upper end lie above their objects, and copied objects are in no order.
pub(super) fn is_mostly_ascending(votes: &[Vote], states: &[Option<CopyState>]) -> bool {
    let cells = states.len();
    if states.iter().filter(|&&state| state == Some(CopyState::Copied)).count() * FEW_OF_ALL > cells {
        return false;
    }
    let far = votes.iter().filter(|vote| vote.older.abs_diff(vote.newer) > cells / FAR);
    let (of_classes, of_sequences): (Vec<&Vote>, Vec<&Vote>) = far.partition(|vote| vote.kind == VoteKind::Class);
    let is_most = |votes: &[&Vote], tenths: usize| {
        votes.iter().filter(|vote| vote.older < vote.newer).count() * 10 >= votes.len() * tenths
    };
    let tenths = if of_classes.is_empty() { MOST } else { MOST_BESIDE_CLASSES };
    of_sequences.len() >= LEAST_VOTES && is_most(&of_sequences, tenths) && is_most(&of_classes, MOST)
}

/// True if no sequences contradict that objects in place are newer than all others. An element in place that most copied
/// elements of its sequence follow is older than these: a full collection slid it together with others and copied none.
fn is_order_of_states(sequences: &[Vec<usize>], states: &[Option<CopyState>]) -> bool {
    let (mut older, mut all) = (0, 0);
    for sequence in sequences {
        let is = |cell: &usize, state: CopyState| states[*cell] == Some(state);
        let copied = sequence.iter().filter(|cell| is(cell, CopyState::Copied)).count();
        let mut before = 0;
        for cell in sequence {
            before += usize::from(is(cell, CopyState::Copied));
            if copied > 0 && is(cell, CopyState::InPlace) {
                all += 1;
                older += usize::from(before * 2 < copied);
            }
        }
    }
    all < LEAST_OF_KIND || older * CONTRADICTION <= all
}

/// Numbers the periods of some cells, ascending by address, from `first`: several if addresses rise with time in them, else
/// one. A period ends where nearly all votes across its border are from lower to higher addresses. Objects that were
/// allocated together are in one period.
fn number(
    of_cells: &mut [Option<Period>],
    cells: &[usize],
    (votes, together): (&[Vote], &Together<'_>),
    first: Period,
) {
    let at = |cell: usize| cells.binary_search(&cell).ok();
    let is_among = |vote: &&Vote| at(vote.older).is_some() && at(vote.newer).is_some();
    let among: Vec<Vote> = votes.iter().filter(is_among).copied().collect();
    let is_ascending = is_ascending(&among, of_cells.len());
    // Changes of the numbers of ascending and descending votes, and of objects that were allocated together, at each border.
    let mut changes = vec![(0_i64, 0_i64, 0_i64); cells.len() + 1];
    for &(one, other) in together.pairs {
        let (Some(one), Some(other)) = (at(one), at(other)) else { continue };
        changes[one.min(other) + 1].2 += 1;
        changes[one.max(other) + 1].2 -= 1;
    }
    for vote in among.iter().filter(|vote| vote.kind != VoteKind::Class) {
        let (Some(older), Some(newer)) = (at(vote.older), at(vote.newer)) else { continue };
        let (begin, end) = (older.min(newer), older.max(newer));
        let (up, down) = if older < newer { (1, 0) } else { (0, 1) };
        changes[begin + 1].0 += up;
        changes[begin + 1].1 += down;
        changes[end + 1].0 -= up;
        changes[end + 1].1 -= down;
    }
    let (mut period, mut ascending, mut descending, mut across) = (first, 0, 0, 0);
    for (at, &cell) in cells.iter().enumerate() {
        let (up, down, spans) = changes[at];
        ascending += up;
        descending += down;
        across += spans;
        let is_border = descending * TOLERANCE <= ascending && across <= together.tolerated as i64;
        period += Period::from(at > 0 && is_ascending && is_border);
        of_cells[cell] = Some(period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: usize = 640;
    /// More than the least distance of votes that count, in cells.
    const DISTANCE: usize = 40;

    /// Votes of a sequence, evenly over some cells: from lower to higher addresses, or in reverse.
    fn votes(kind: VoteKind, count: usize, is_ascending: bool) -> Vec<Vote> {
        let vote = |n: usize| {
            let low = n * (CELLS - DISTANCE) / count;
            let (older, newer) = if is_ascending { (low, low + DISTANCE) } else { (low + DISTANCE, low) };
            Vote { kind, older, newer }
        };
        (0..count).map(vote).collect()
    }

    /// Number of periods of cells that no collection copied.
    fn divided(votes: &[Vote], pairs: &[(usize, usize)]) -> usize {
        let mut of_cells = vec![None; CELLS];
        let all: Vec<usize> = (0..CELLS).collect();
        number(&mut of_cells, &all, (votes, &Together { pairs, tolerated: 0 }), 0);
        of_cells.into_iter().flatten().max().map_or(0, |last| last as usize + 1)
    }

    #[test]
    fn a_sequence_that_rises_with_addresses_orders_a_heap() {
        let list = votes(VoteKind::List, 96, true);
        assert_eq!(divided(&list, &[]), CELLS);
        assert_eq!(divided(&list[..LEAST_VOTES - 1], &[]), 1, "too few votes");
        let near: Vec<Vote> = list.iter().map(|vote| Vote { newer: vote.older + CELLS / FAR, ..*vote }).collect();
        assert_eq!(divided(&near, &[]), 1, "of neighbours alone");
    }

    #[test]
    fn equal_clocks_that_disagree_tell_nothing() {
        let rising = votes(VoteKind::List, 96, true);
        let falling = votes(VoteKind::List, 96, false);
        assert_eq!(divided(&[rising.clone(), falling.clone()].concat(), &[]), 1);
        assert_eq!(divided(&falling, &[]), 1, "a heap in reverse");
        // Many numbers rise, and one list is in any order.
        let numbers = votes(VoteKind::Number, 960, true);
        let list = [votes(VoteKind::List, 20, true), votes(VoteKind::List, 10, false)].concat();
        assert_eq!(divided(&[numbers.clone(), list].concat(), &[]), 1, "one kind disagrees");
        let classes = votes(VoteKind::Class, LEAST_OF_KIND, false);
        assert_eq!(divided(&[numbers, classes].concat(), &[]), 1, "classes disagree");
    }

    /// Three structures, each in order, of which the first was promoted later than the others: its oldest objects lie
    /// behind their newest ones.
    #[test]
    fn copied_objects_are_of_one_period_however_many_sequences_rise_in_them() {
        let all = [votes(VoteKind::List, 200, true), votes(VoteKind::Number, 200, true)].concat();
        let period_of = |states: Vec<Option<CopyState>>| {
            let votes = Votes { all: all.clone(), ..Votes::default() };
            let states = CellStates { states, together: Vec::new(), has_application: vec![true; CELLS], pairs: 0 };
            periods(CELLS, &votes, (&states, true)).map(|periods| periods.of_cells)
        };
        let half = |state, other| (0..CELLS).map(|cell| if cell < CELLS / 2 { state } else { other }).collect();
        let copied = Some(CopyState::Copied);
        assert_eq!(period_of(vec![copied; CELLS]), None, "no collection left any in place");
        assert_eq!(period_of(half(copied, None)), None);
        let periods = period_of(half(copied, Some(CopyState::InPlace))).expect("what is in place is newer");
        assert!(periods[..CELLS / 2].iter().all(|period| *period == Some(0)));
        assert!(periods[CELLS / 2..].is_sorted() && periods[CELLS / 2] == Some(1) && periods[CELLS - 1] > Some(1));
        assert!(period_of(vec![None; CELLS]).is_some_and(|periods| periods.is_sorted()), "none was copied");
    }

    /// A list goes on after a full collection: its first half was slid together, and some of the rest was copied later.
    #[test]
    fn what_a_full_collection_slid_together_is_not_the_newest() {
        let states: Vec<Option<CopyState>> = (0..CELLS)
            .map(|cell| Some(if (300..360).contains(&cell) { CopyState::Copied } else { CopyState::InPlace }))
            .collect();
        let is_order = |sequence: Vec<usize>| is_order_of_states(&[sequence], &states);
        assert!(!is_order((0..CELLS).collect()), "half of what is in place is older than what was copied");
        assert!(is_order((300..CELLS).collect()), "what is in place follows");
        assert!(is_order((290..CELLS).collect()), "some older ones were moved");
        assert!(is_order((0..300).collect()) && is_order(Vec::new()), "none was copied");
        assert!(is_order((290..LEAST_OF_KIND + 280).chain(300..302).collect()), "too few");
    }

    #[test]
    fn objects_that_were_allocated_together_are_of_one_period() {
        let list = votes(VoteKind::List, 96, true);
        // Of the first and the last object of the heap one is a part of the other.
        assert_eq!(divided(&list, &[(0, CELLS - 1)]), 1);
        assert_eq!(divided(&list, &[(0, 1)]), CELLS - 1);
    }

    #[test]
    fn most_votes_are_likely_unless_classes_or_copies_are_against_them() {
        let most = [votes(VoteKind::List, 75, true), votes(VoteKind::List, 25, false)].concat();
        let is_likely = |votes: &[Vote], copied: usize| {
            let states: Vec<Option<CopyState>> =
                (0..CELLS).map(|cell| (cell < copied).then_some(CopyState::Copied)).collect();
            is_mostly_ascending(votes, &states)
        };
        assert!(is_likely(&most, CELLS / FEW_OF_ALL) && !is_likely(&most, CELLS / FEW_OF_ALL + 1));
        let with_classes = |is_ascending| [most.clone(), votes(VoteKind::Class, 8, is_ascending)].concat();
        assert!(!is_likely(&with_classes(false), 0), "classes above their objects");
        assert!(!is_likely(&with_classes(true), 0), "beside classes, more must agree");
        assert!(!is_likely(&[], 0) && !is_likely(&most[..LEAST_VOTES - 1], 0));
    }
}
