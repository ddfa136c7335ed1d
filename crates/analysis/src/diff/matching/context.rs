//! What a search for candidates reads, both heaps and the matches so far, and what it finds.

use crate::answers::DumpData;
use crate::diff::kinds::{ComparedClassId, is_one_name};
use crate::diff::matches::{Columns, MatchMethod, Matches};
use crate::diff::{HeapSide, Pair};
use heaplens_base::storage::prefetch;
use heaplens_graph::NONE;
use heaplens_heap::{ClassId, ObjectId, facts::ClassRows};

/// Two objects that may be the same, with the criterion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) before: ObjectId,
    pub(super) after: ObjectId,
    pub(super) method: MatchMethod,
    /// Part of a collection, which is not followed by itself.
    pub(super) inside: bool,
}

/// Result of following some matches.
#[derive(Debug, Default)]
pub(super) struct MatchUpdates {
    pub(super) candidates: Vec<Candidate>,
    /// Parts of a collection that certainly do not exist in the other heap.
    pub(super) removed: Vec<ObjectId>,
    pub(super) new: Vec<ObjectId>,
}

impl MatchUpdates {
    pub(super) fn put(&mut self, before: ObjectId, after: ObjectId, method: MatchMethod) {
        self.candidates.push(Candidate { before, after, method, inside: false });
    }

    pub(super) fn put_inside(&mut self, before: ObjectId, after: ObjectId, method: MatchMethod) {
        self.candidates.push(Candidate { before, after, method, inside: true });
    }
}

/// Columns of both heaps as slices: needed for every reference, and a stored column is checked whole for each slice.
#[derive(Clone, Copy)]
pub(super) struct HeapRows<'a> {
    classes: (ClassRows<'a>, ClassRows<'a>),
    /// By row; 0 if unreachable.
    preorders: (&'a [u32], &'a [u32]),
}

impl<'a> HeapRows<'a> {
    pub(super) fn new(pair: Pair<'a>) -> Self {
        let classes = (pair.before.heap.class_rows(), pair.after.heap.class_rows());
        Self { classes, preorders: (pair.before.analysis.preorders(), pair.after.analysis.preorders()) }
    }

    /// Loads what is known of a row in the background.
    #[inline]
    fn prefetch(self, which: HeapSide, row: u32) {
        let (classes, preorders) = match which {
            HeapSide::Before => (self.classes.0, self.preorders.0),
            HeapSide::After => (self.classes.1, self.preorders.1),
        };
        classes.prefetch(row);
        prefetch(preorders, row as usize);
    }

    /// Class of the object at a row.
    #[inline]
    pub(super) fn class(self, which: HeapSide, row: u32) -> ClassId {
        let classes = if which == HeapSide::After { self.classes.1 } else { self.classes.0 };
        classes.of(row)
    }
}

/// State of the matching of two heaps.
#[derive(Clone, Copy)]
pub(in crate::diff) struct MatchContext<'a> {
    pub(in crate::diff) pair: Pair<'a>,
    pub(in crate::diff) matches: &'a Matches,
    rows: HeapRows<'a>,
}

impl<'a> MatchContext<'a> {
    pub(in crate::diff) fn new(pair: Pair<'a>, matches: &'a Matches) -> Self {
        Self::with_rows(pair, matches, HeapRows::new(pair))
    }

    /// State with columns known before.
    pub(super) fn with_rows(pair: Pair<'a>, matches: &'a Matches, rows: HeapRows<'a>) -> Self {
        Self { pair, matches, rows }
    }

    /// True if both are shown, of one kind, and unmatched; class objects only if they are of classes of one name.
    pub(super) fn may_be(self, candidate: Candidate) -> bool {
        let (before, after) = (candidate.before, candidate.after);
        let reached =
            |preorders: &[u32], object: ObjectId| preorders.get(object.index()).is_some_and(|&preorder| preorder != 0);
        self.matches.are_free(before, after)
            && self.kind(HeapSide::Before, before.raw()) == self.kind(HeapSide::After, after.raw())
            && reached(self.rows.preorders.0, before)
            && reached(self.rows.preorders.1, after)
            && self.represent_one_class(before, after)
    }

    /// True unless the class objects of two classes of different names are compared: a static or the launcher of the
    /// virtual machine may refer to the class of another program by the same path.
    #[inline]
    fn represent_one_class(self, before: ObjectId, after: ObjectId) -> bool {
        let (old, new) = (&self.pair.before.heap.classes, &self.pair.after.heap.classes);
        match (old.of_object(before), new.of_object(after)) {
            (None, None) => true,
            (Some(one), Some(other)) => is_one_name(&old.get(one).name, &new.get(other).name),
            _ => false,
        }
    }

    /// Match columns of a heap.
    pub(super) fn columns(self, which: HeapSide) -> Columns<'a> {
        let (before, after) = self.matches.columns(self.pair);
        if which == HeapSide::After { after } else { before }
    }

    /// Loads what [`MatchContext::may_be`] needs of an object in the background.
    #[inline]
    pub(super) fn prefetch(self, which: HeapSide, row: u32) {
        self.rows.prefetch(which, row);
        prefetch(self.columns(which).matched, row as usize);
    }

    /// Candidates from the references of two objects.
    pub(super) fn references(self, before: ObjectId, after: ObjectId) -> (&'a [u32], &'a [u32]) {
        (self.pair.before.heap.references(before), self.pair.after.heap.references(after))
    }

    /// Heap of a side.
    pub(super) fn side(self, which: HeapSide) -> DumpData<'a> {
        self.pair.side(which)
    }

    /// Baseline row of a matched object.
    pub(super) fn matched_row(self, which: HeapSide, row: u32) -> Option<u32> {
        let known = match which {
            HeapSide::Before if self.matches.of_before.get(row as usize)? != &NONE => row,
            HeapSide::Before => return None,
            HeapSide::After => *self.matches.of_after.get(row as usize)?,
        };
        (known != NONE).then_some(known)
    }

    /// True if it may still be the same as an object of the other heap: neither matched nor certainly in one heap only.
    pub(super) fn is_open(self, which: HeapSide, row: u32) -> bool {
        self.columns(which).is_open(row)
    }

    /// Baseline row of an object that was identified as an object, not by its content or by what holds it.
    pub(super) fn same_object(self, which: HeapSide, row: u32) -> Option<u32> {
        let method = self.columns(which).methods.get(row as usize).copied().and_then(MatchMethod::from_code)?;
        matches!(method, MatchMethod::Id | MatchMethod::Address).then(|| self.matched_row(which, row)).flatten()
    }

    /// Class of the object at a row.
    #[inline]
    pub(super) fn class(self, which: HeapSide, row: u32) -> ClassId {
        self.rows.class(which, row)
    }

    /// Kind of the object at a row.
    #[inline]
    pub(super) fn kind(self, which: HeapSide, row: u32) -> ComparedClassId {
        let kinds = &self.matches.kinds;
        kinds.moved_kind(which, row).unwrap_or_else(|| kinds.of_class(which, self.class(which, row)))
    }
}
