//! Matches between the objects of two heaps, each with its criterion.

use super::{Pair, kinds::ComparedClasses};
use heaplens_base::storage::raw_values;
use heaplens_graph::NONE;
use heaplens_heap::{Analysis, ObjectId};
use serde::{Deserialize, Serialize};

/// Criterion by which two objects were matched, most certain first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum MatchMethod {
    /// Equal object id assigned by the virtual machine.
    Id = 1,
    /// Unmoved: address, class and contents are equal, as for most of its neighbours.
    Address = 2,
    /// Class object of a class in both heaps.
    Class = 3,
    /// Thread with the same name.
    Thread = 4,
    /// Value under the same map key, or an element with the same contents.
    Key = 5,
    /// Same field of a matched object.
    Path = 6,
    /// Contents equal, and unique among objects of the class.
    Content = 7,
    /// Same position in a matched array or list.
    Position = 8,
    /// Same rank by size among equally many objects of a class with the same owner.
    Rank = 9,
}

/// Confidence of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Based on something that the program and its virtual machine do not change.
    Certain,
    /// Anything else would be an unlikely coincidence.
    Likely,
    /// No evidence against it.
    Guess,
}

impl Confidence {
    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Guess => "guess",
        }
    }
}

impl MatchMethod {
    /// All criteria, most certain first.
    pub const ALL: [Self; 9] = [
        Self::Id,
        Self::Address,
        Self::Class,
        Self::Thread,
        Self::Key,
        Self::Path,
        Self::Content,
        Self::Position,
        Self::Rank,
    ];

    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        self.about().0
    }

    /// Phrase for a sentence: `matched by …`.
    pub fn words(self) -> &'static str {
        self.about().1
    }

    /// Confidence of matches by this criterion.
    pub fn confidence(self) -> Confidence {
        self.about().2
    }

    /// Name, phrase and confidence.
    fn about(self) -> (&'static str, &'static str, Confidence) {
        match self {
            Self::Id => ("id", "VM object id", Confidence::Certain),
            Self::Address => ("address", "unchanged address, class and content", Confidence::Likely),
            Self::Class => ("class", "class name", Confidence::Certain),
            Self::Thread => ("thread", "thread name", Confidence::Likely),
            Self::Key => ("key", "map key", Confidence::Likely),
            Self::Path => ("path", "the field that references it", Confidence::Likely),
            Self::Content => ("content", "content unique in its class", Confidence::Likely),
            Self::Position => ("place", "position in a list or array", Confidence::Guess),
            Self::Rank => ("rank", "rank by size", Confidence::Guess),
        }
    }

    /// Numbered in the order of [`Self::ALL`].
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code.checked_sub(1)?)).copied()
    }
}

/// Match status of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatchStatus {
    /// Matched with this object of the other heap.
    Matched(ObjectId, MatchMethod),
    /// Only in this heap: added in the target, removed from the baseline.
    Alone,
    /// Ambiguous: it may be in both heaps but could not be matched.
    Unknown,
}

/// Code of objects that are certainly in only one heap.
pub(super) const ALONE: u8 = u8::MAX;

/// Match columns of one heap.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) matched: &'a [u32],
    pub(super) methods: &'a [u8],
}

impl Columns<'_> {
    /// True if it is neither matched nor known to be in one heap only.
    pub(super) fn is_open(self, row: u32) -> bool {
        self.methods.get(row as usize) == Some(&0)
    }

    /// True if it is matched.
    pub(super) fn is_matched(self, row: u32) -> bool {
        self.matched.get(row as usize).is_some_and(|&other| other != NONE)
    }
}

/// Matches of two heaps.
#[derive(Clone, Serialize, Deserialize)]
pub struct Matches {
    /// Matched classes.
    pub kinds: ComparedClasses,
    /// By row of the baseline, the row of the target. Follows from `of_after`, so it is not written.
    #[serde(skip)]
    pub(super) of_before: Vec<u32>,
    /// By row of the target, the row of the baseline.
    #[serde(with = "raw_values")]
    pub(super) of_after: Vec<u32>,
    /// By row of the baseline: [`MatchMethod`], 0 if ambiguous, or [`ALONE`].
    #[serde(with = "raw_values")]
    pub(super) methods_before: Vec<u8>,
    /// By row of the target: the same.
    #[serde(with = "raw_values")]
    pub(super) methods_after: Vec<u8>,
}

impl Matches {
    /// True if every object is matched, or certainly in one heap only.
    pub(super) fn is_complete(&self) -> bool {
        !self.methods_before.contains(&0) && !self.methods_after.contains(&0)
    }

    /// True if neither object is matched or known to be in only one heap.
    pub(super) fn are_free(&self, before: ObjectId, after: ObjectId) -> bool {
        // Every match has a criterion.
        self.methods_before.get(before.index()) == Some(&0) && self.methods_after.get(after.index()) == Some(&0)
    }

    /// The matches after they were written and read again; `None` if they contradict each other or the sizes of these
    /// heaps.
    #[must_use]
    pub fn restored(mut self, pair: Pair<'_>) -> Option<Self> {
        let (before, after) = (pair.before.heap.len(), pair.after.heap.len());
        if (self.methods_before.len(), self.methods_after.len(), self.of_after.len()) != (before, after, after) {
            return None;
        }
        self.of_before = vec![NONE; before];
        for (row, &matched) in (0_u32..).zip(&self.of_after) {
            if matched == NONE {
                continue;
            }
            let of_before = self.of_before.get_mut(matched as usize)?;
            // Each object has one match, by one criterion.
            if std::mem::replace(of_before, row) != NONE
                || self.methods_before[matched as usize] != self.methods_after[row as usize]
            {
                return None;
            }
        }
        Some(self)
    }

    /// Matches with baseline and target swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            kinds: self.kinds.swapped(),
            of_before: self.of_after,
            of_after: self.of_before,
            methods_before: self.methods_after,
            methods_after: self.methods_before,
        }
    }

    /// Columns of one heap.
    pub(super) fn columns<'m>(&'m self, pair: Pair<'m>) -> (Columns<'m>, Columns<'m>) {
        let (before, after) = (pair.before.analysis, pair.after.analysis);
        (
            Columns { analysis: before, matched: &self.of_before, methods: &self.methods_before },
            Columns { analysis: after, matched: &self.of_after, methods: &self.methods_after },
        )
    }

    /// Matched object of the target for an object of the baseline.
    #[inline]
    pub fn after(&self, before: ObjectId) -> Option<ObjectId> {
        self.of_before.get(before.index()).copied().filter(|&row| row != NONE).and_then(ObjectId::from_raw)
    }

    /// Matched object of the baseline for an object of the target.
    #[inline]
    pub fn before(&self, after: ObjectId) -> Option<ObjectId> {
        self.of_after.get(after.index()).copied().filter(|&row| row != NONE).and_then(ObjectId::from_raw)
    }

    /// Criterion by which an object of the target was matched.
    pub fn method(&self, after: ObjectId) -> Option<MatchMethod> {
        self.methods_after.get(after.index()).copied().and_then(MatchMethod::from_code)
    }

    /// Match status of an object of the baseline.
    pub fn match_status_of_before(&self, before: ObjectId) -> MatchStatus {
        match_status(self.after(before), self.methods_before.get(before.index()).copied())
    }

    /// Match status of an object of the target.
    pub fn match_status_of_after(&self, after: ObjectId) -> MatchStatus {
        match_status(self.before(after), self.methods_after.get(after.index()).copied())
    }
}

fn match_status(other: Option<ObjectId>, code: Option<u8>) -> MatchStatus {
    match (other, code) {
        (Some(other), Some(code)) => {
            MatchMethod::from_code(code).map_or(MatchStatus::Unknown, |code| MatchStatus::Matched(other, code))
        }
        (None, Some(ALONE)) => MatchStatus::Alone,
        _ => MatchStatus::Unknown,
    }
}
