//! State of a matching: matches so far, and those whose references are still to be followed.

use super::context::{Candidate, HeapRows, MatchContext, MatchUpdates};
use super::remaining_rows::RemainingRows;
use crate::diff::matches::{ALONE, MatchMethod, Matches};
use crate::diff::{HeapSide, Pair, kinds::ComparedClasses};
use heaplens_base::{Cancelled, Task};
use heaplens_graph::{Bits, NONE};
use heaplens_heap::{ClassKind, ObjectId, Role};

/// Matches so far.
pub(super) struct Matching<'a> {
    pub(super) pair: Pair<'a>,
    pub(super) matches: Matches,
    rows: HeapRows<'a>,
    /// Parts of collections of either heap.
    pub(super) inside: (Bits, Bits),
    /// Threads of each heap: matched by name only.
    pub(super) threads: (Bits, Bits),
    /// Matches whose fields and elements are still to be followed.
    pub(super) plain: Vec<(ObjectId, ObjectId)>,
    /// Matches of collections: followed once keys that are objects are matched.
    pub(super) collections: Vec<(ObjectId, ObjectId)>,
    /// Unmatched objects at the last check.
    pub(super) unmatched: RemainingRows,
    /// True if they were collected.
    looked: bool,
}

impl<'a> Matching<'a> {
    pub(super) fn new(pair: Pair<'a>, task: &Task) -> Result<Self, Cancelled> {
        let (before, after) = (pair.before.heap.len(), pair.after.heap.len());
        Ok(Self::with(
            pair,
            Matches {
                kinds: ComparedClasses::new(pair, task)?,
                of_before: vec![NONE; before],
                of_after: vec![NONE; after],
                methods_before: vec![0; before],
                methods_after: vec![0; after],
            },
        ))
    }

    /// State with some matches, none of which is queued.
    pub(super) fn with(pair: Pair<'a>, matches: Matches) -> Self {
        let (before, after) = (matches.of_before.len(), matches.of_after.len());
        let (inside, threads) = ((Bits::new(before), Bits::new(after)), (Bits::new(before), Bits::new(after)));
        Self {
            pair,
            matches,
            rows: HeapRows::new(pair),
            inside,
            threads,
            plain: Vec::new(),
            collections: Vec::new(),
            unmatched: RemainingRows::default(),
            looked: false,
        }
    }

    pub(super) fn known(&self) -> MatchContext<'_> {
        MatchContext::with_rows(self.pair, &self.matches, self.rows)
    }

    /// Updates the set of unmatched objects.
    pub(super) fn find_unmatched(&mut self, task: &Task) -> Result<(), Cancelled> {
        let known = MatchContext::with_rows(self.pair, &self.matches, self.rows);
        if self.looked {
            self.unmatched.look_again(known);
        } else {
            self.unmatched = RemainingRows::find(known, task)?;
        }
        self.looked = true;
        Ok(())
    }

    /// Accepts a valid candidate and queues it, unless it is part of a collection.
    pub(super) fn take(&mut self, candidate: Candidate) {
        if self.known().may_be(candidate) {
            self.take_checked(candidate);
        }
    }

    /// Accepts a candidate that was valid when found, if both objects are still unmatched.
    pub(super) fn take_checked(&mut self, candidate: Candidate) {
        let Candidate { before, after, method, inside } = candidate;
        if !self.matches.are_free(before, after)
            || (!inside && self.is_inside(before, after))
            || (method != MatchMethod::Thread && self.is_thread(before, after))
        {
            return;
        }
        self.put(before, after, method);
        if inside {
            self.inside.0.insert(before.raw());
            self.inside.1.insert(after.raw());
        } else {
            self.look_into(before, after);
        }
    }

    pub(super) fn put(&mut self, before: ObjectId, after: ObjectId, method: MatchMethod) {
        let matches = &mut self.matches;
        matches.of_before[before.index()] = after.raw();
        matches.of_after[after.index()] = before.raw();
        matches.methods_before[before.index()] = method as u8;
        matches.methods_after[after.index()] = method as u8;
    }

    /// Removes a match.
    pub(super) fn take_back(&mut self, after: ObjectId) {
        let matches = &mut self.matches;
        if let Some(before) = matches.before(after) {
            matches.of_before[before.index()] = NONE;
            matches.of_after[after.index()] = NONE;
            matches.methods_before[before.index()] = 0;
            matches.methods_after[after.index()] = 0;
        }
    }

    /// Queues a match for following.
    pub(super) fn look_into(&mut self, before: ObjectId, after: ObjectId) {
        let side = self.pair.after;
        let class = self.rows.class(HeapSide::After, after.raw());
        match side.contents.role(class) {
            Role::Collection => self.collections.push((before, after)),
            _ if side.heap.classes.get(class).kind == ClassKind::PrimitiveArray => {}
            _ => self.plain.push((before, after)),
        }
    }

    pub(super) fn is_thread(&self, before: ObjectId, after: ObjectId) -> bool {
        self.threads.0.contains(before.raw()) || self.threads.1.contains(after.raw())
    }

    pub(super) fn is_inside(&self, before: ObjectId, after: ObjectId) -> bool {
        self.inside.0.contains(before.raw()) || self.inside.1.contains(after.raw())
    }

    pub(super) fn take_all(&mut self, updates: MatchUpdates) {
        for candidate in updates.candidates {
            self.take_checked(candidate);
        }
        for before in updates.removed {
            self.inside.0.insert(before.raw());
            mark_alone(&self.matches.of_before, &mut self.matches.methods_before, before);
        }
        for after in updates.new {
            self.inside.1.insert(after.raw());
            mark_alone(&self.matches.of_after, &mut self.matches.methods_after, after);
        }
    }
}

/// Marks objects that certainly do not exist in the other heap, unless matched from elsewhere.
pub(super) fn mark_alone(matched: &[u32], methods: &mut [u8], object: ObjectId) {
    if matched.get(object.index()) == Some(&NONE)
        && let Some(methods) = methods.get_mut(object.index())
    {
        *methods = ALONE;
    }
}
