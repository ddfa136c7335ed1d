//! Matches the objects of two heaps.
//!
//! In this order, most certain first: ids of the virtual machine; unmoved objects
//! (`unmoved`); class objects, threads, roots (`seeds`); and from every match
//! the objects it references: fields (`fields`), entries of collections by key
//! (`collections`), elements by content and position
//! (`sequences`). The rest is compared by content under the same owner,
//! then anywhere (`content`), then by size (`rank`). Unmatched objects exist in one heap
//! only if their kind or key proves it, otherwise they are ambiguous (`fates`).
//!
//! Candidates are searched on all cores, round by round, and accepted in the
//! order of their holders: so the answer does not depend on the number of threads.

mod chance;
pub(super) mod collections;
mod content;
mod equal_addresses;
mod fields;
mod match_status;
mod numbers;
mod rank;
mod seeds;
pub(super) mod sequences;
pub(super) mod tokens;
mod unmatched;

use rayon::prelude::*;

use self::tokens::HeapSide;
use self::unmatched::RemainingRows;
use super::Pair;
use super::kinds::Kinds;
use super::matches::{ALONE, MatchMethod, Matches};
use super::owners::Columns;
use heaplens_base::task::{Cancelled, Task, Unit};
use heaplens_core::heap::classes::ClassKind;
use heaplens_core::heap::contents::Role;
use heaplens_core::heap::facts::ClassRows;
use heaplens_core::heap::ids::ObjectId;
use heaplens_graph::NONE;
use heaplens_graph::bits::Bits;

/// Pairs processed per round on all cores: their candidates are accepted before the next round.
const ROUND: usize = 1 << 16;
/// Pairs that one core takes at a time; collections may be large.
const PLAIN_AT_ONCE: usize = 512;
const COLLECTIONS_AT_ONCE: usize = 8;

/// Two objects that may be the same, with the criterion.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    before: ObjectId,
    after: ObjectId,
    how: MatchMethod,
    /// Part of a collection, which is not followed by itself.
    inside: bool,
}

/// Result of following some matches.
#[derive(Debug, Default)]
struct MatchUpdates {
    candidates: Vec<Candidate>,
    /// Parts of a collection that certainly do not exist in the other heap.
    gone: Vec<ObjectId>,
    new: Vec<ObjectId>,
}

impl MatchUpdates {
    fn put(&mut self, before: ObjectId, after: ObjectId, how: MatchMethod) {
        self.candidates.push(Candidate { before, after, how, inside: false });
    }

    fn put_inside(&mut self, before: ObjectId, after: ObjectId, how: MatchMethod) {
        self.candidates.push(Candidate { before, after, how, inside: true });
    }
}

/// State of the matching of two heaps.
#[derive(Clone, Copy)]
pub(super) struct MatchContext<'a> {
    pub(super) pair: Pair<'a>,
    pub(super) matches: &'a Matches,
    /// Class kinds of the objects of both heaps: needed for every reference.
    classes: (ClassRows<'a>, ClassRows<'a>),
    /// By row; 0 if unreachable.
    places: (&'a [u32], &'a [u32]),
}

/// Matches so far.
struct Matching<'a> {
    pair: Pair<'a>,
    matches: Matches,
    /// Parts of collections of either heap.
    inside: (Bits, Bits),
    /// Threads of each heap: matched by name only.
    threads: (Bits, Bits),
    /// Matches whose fields and elements are still to be followed.
    plain: Vec<(ObjectId, ObjectId)>,
    /// Matches of collections: followed once keys that are objects are matched.
    collections: Vec<(ObjectId, ObjectId)>,
    /// Unmatched objects at the last check.
    unmatched: RemainingRows,
    /// True if they were collected.
    looked: bool,
}

/// Matches the objects of a pair. Steps are named in `task`.
///
/// # Errors
/// [`Cancelled`] if the task is cancelled.
pub fn matching(pair: Pair<'_>, task: &Task) -> Result<Matches, Cancelled> {
    if let Some(matches) = numbers::by_numbers(pair, task)? {
        return Ok(matches);
    }
    if !pair.is_in_order() {
        return Ok(matching(pair.swapped(), task)?.swapped());
    }
    let mut matching = Matching::new(pair, task)?;
    seeds::match_threads(&mut matching, task)?;
    task.step("Matching unmoved objects", Unit::Objects, pair.after.heap.len() as u64);
    equal_addresses::match_equal_addresses(&mut matching, task)?;
    task.step("Following references in both dumps", Unit::Objects, 0);
    seeds::match_seeds(&mut matching, task)?;
    matching.follow(task)?;
    task.step("Matching objects by content", Unit::Objects, 0);
    content::match_under_owners(&mut matching, task)?;
    matching.follow(task)?;
    content::match_anywhere(&mut matching, task)?;
    matching.follow(task)?;
    rank::match_by_size(&mut matching, task)?;
    matching.follow(task)?;
    match_status::settle(&mut matching, task)?;
    Ok(matching.matches)
}

impl<'a> Matching<'a> {
    fn new(pair: Pair<'a>, task: &Task) -> Result<Self, Cancelled> {
        let (before, after) = (pair.before.heap.len(), pair.after.heap.len());
        let matches = Matches {
            kinds: Kinds::new(pair, task)?,
            of_before: vec![NONE; before],
            of_after: vec![NONE; after],
            how_before: vec![0; before],
            how_after: vec![0; after],
        };
        let (inside, threads) = ((Bits::new(before), Bits::new(after)), (Bits::new(before), Bits::new(after)));
        Ok(Self {
            pair,
            matches,
            inside,
            threads,
            plain: Vec::new(),
            collections: Vec::new(),
            unmatched: RemainingRows::default(),
            looked: false,
        })
    }

    fn known(&self) -> MatchContext<'_> {
        MatchContext::new(self.pair, &self.matches)
    }

    /// Updates the set of unmatched objects.
    fn find_unmatched(&mut self, task: &Task) -> Result<(), Cancelled> {
        let known = MatchContext::new(self.pair, &self.matches);
        if self.looked {
            self.unmatched.look_again(known);
        } else {
            self.unmatched = RemainingRows::find(known, task)?;
        }
        self.looked = true;
        Ok(())
    }

    /// Accepts a valid candidate and queues it, unless it is part of a collection.
    fn take(&mut self, candidate: Candidate) {
        if self.known().may_be(candidate) {
            self.take_checked(candidate);
        }
    }

    /// Accepts a candidate that was valid when found, if both objects are still unmatched.
    fn take_checked(&mut self, candidate: Candidate) {
        let Candidate { before, after, how, inside } = candidate;
        if !self.matches.are_free(before, after)
            || (!inside && self.is_inside(before, after))
            || (how != MatchMethod::Thread && self.is_thread(before, after))
        {
            return;
        }
        self.put(before, after, how);
        if inside {
            self.inside.0.insert(before.raw());
            self.inside.1.insert(after.raw());
        } else {
            self.look_into(before, after);
        }
    }

    fn put(&mut self, before: ObjectId, after: ObjectId, how: MatchMethod) {
        let matches = &mut self.matches;
        matches.of_before[before.index()] = after.raw();
        matches.of_after[after.index()] = before.raw();
        matches.how_before[before.index()] = how as u8;
        matches.how_after[after.index()] = how as u8;
    }

    /// Removes a match.
    fn take_back(&mut self, after: ObjectId) {
        let matches = &mut self.matches;
        if let Some(before) = matches.before(after) {
            matches.of_before[before.index()] = NONE;
            matches.of_after[after.index()] = NONE;
            matches.how_before[before.index()] = 0;
            matches.how_after[after.index()] = 0;
        }
    }

    /// Queues a match for following.
    fn look_into(&mut self, before: ObjectId, after: ObjectId) {
        let side = self.pair.after;
        let class = side.heap.class_id(after);
        match side.contents.role(class) {
            Role::Collection => self.collections.push((before, after)),
            _ if side.heap.classes.get(class).kind == ClassKind::PrimitiveArray => {}
            _ => self.plain.push((before, after)),
        }
    }

    fn is_thread(&self, before: ObjectId, after: ObjectId) -> bool {
        self.threads.0.contains(before.raw()) || self.threads.1.contains(after.raw())
    }

    fn is_inside(&self, before: ObjectId, after: ObjectId) -> bool {
        self.inside.0.contains(before.raw()) || self.inside.1.contains(after.raw())
    }

    /// Follows all queued matches, and those that result from them.
    fn follow(&mut self, task: &Task) -> Result<(), Cancelled> {
        loop {
            let (mut turn, is_collections) = if self.plain.is_empty() {
                (std::mem::take(&mut self.collections), true)
            } else {
                (std::mem::take(&mut self.plain), false)
            };
            if turn.is_empty() {
                return Ok(());
            }
            // Objects allocated together reference objects allocated together: in this order most
            // reads are near the last one. The order is the same for the swapped pair.
            turn.par_sort_by_key(|&(before, after)| (before.min(after), before.max(after)));
            let at_once = if is_collections { COLLECTIONS_AT_ONCE } else { PLAIN_AT_ONCE };
            for round in turn.chunks(ROUND) {
                let this = self.known();
                let found = round.par_chunks(at_once).map(|pairs| this.follow(pairs, is_collections, task));
                let found: Vec<MatchUpdates> = found.collect::<Result<_, Cancelled>>()?;
                for found in found {
                    self.take_all(found);
                }
            }
        }
    }

    fn take_all(&mut self, found: MatchUpdates) {
        for candidate in found.candidates {
            self.take_checked(candidate);
        }
        for before in found.gone {
            self.inside.0.insert(before.raw());
            mark_alone(&self.matches.of_before, &mut self.matches.how_before, before);
        }
        for after in found.new {
            self.inside.1.insert(after.raw());
            mark_alone(&self.matches.of_after, &mut self.matches.how_after, after);
        }
    }
}

impl<'a> MatchContext<'a> {
    pub(super) fn new(pair: Pair<'a>, matches: &'a Matches) -> Self {
        let classes = (pair.before.heap.class_rows(), pair.after.heap.class_rows());
        let places = (pair.before.analysis.places(), pair.after.analysis.places());
        Self { pair, matches, classes, places }
    }

    /// True if both are shown, of one kind, and unmatched.
    fn may_be(self, candidate: Candidate) -> bool {
        let (before, after) = (candidate.before, candidate.after);
        let reached = |places: &[u32], object: ObjectId| places.get(object.index()).is_some_and(|&place| place != 0);
        self.matches.are_free(before, after)
            && self.kind(HeapSide::Before, before.raw()) == self.kind(HeapSide::After, after.raw())
            && reached(self.places.0, before)
            && reached(self.places.1, after)
    }

    /// Valid candidates from some matches.
    fn follow(
        self,
        pairs: &[(ObjectId, ObjectId)],
        is_collections: bool,
        task: &Task,
    ) -> Result<MatchUpdates, Cancelled> {
        task.checkpoint()?;
        let mut found = MatchUpdates::default();
        for &(before, after) in pairs {
            if is_collections {
                collections::follow(self, before, after, &mut found, task)?;
            } else {
                fields::follow(self, before, after, &mut found);
            }
        }
        found.candidates.retain(|&candidate| self.may_be(candidate));
        Ok(found)
    }

    fn columns(self, which: HeapSide) -> Columns<'a> {
        let (before, after) = self.matches.columns(self.pair);
        match which {
            HeapSide::Before => before,
            HeapSide::After => after,
        }
    }

    /// Candidates from the references of two objects.
    fn references(self, before: ObjectId, after: ObjectId) -> (&'a [u32], &'a [u32]) {
        (self.pair.before.heap.references(before), self.pair.after.heap.references(after))
    }
}

/// Marks objects that certainly do not exist in the other heap, unless matched from elsewhere.
fn mark_alone(matched: &[u32], how: &mut [u8], object: ObjectId) {
    if matched.get(object.index()) == Some(&NONE)
        && let Some(how) = how.get_mut(object.index())
    {
        *how = ALONE;
    }
}
