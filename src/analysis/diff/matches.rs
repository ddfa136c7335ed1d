//! Which object of one heap is which of the other, and how that is known.

use super::Pair;
use super::kinds::Kinds;
use super::owners::Columns;
use crate::graph::NONE;
use crate::heap::ids::ObjectId;

/// How two objects were found to be the same, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum How {
    /// The virtual machine numbers its objects, and the number is the same.
    Id = 1,
    /// It did not move: address, class and every byte of it agree, as they do of most of what lies around it.
    Address = 2,
    /// The object of a class that is in both heaps.
    Class = 3,
    /// A thread of one name.
    Thread = 4,
    /// What stands under one key of a map, or is an element that reads the same.
    Key = 5,
    /// The same field of an object that is matched.
    Path = 6,
    /// Objects of one class that are alike in all they hold, and alone so.
    Content = 7,
    /// The same place in an array or list that is matched.
    Place = 8,
    /// The same rank by size among what one owner holds of a class, as many before as after.
    Rank = 9,
}

/// How far a match is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sureness {
    /// Something that the program or its virtual machine does not change tells it.
    Certain,
    /// It would be a strange coincidence otherwise.
    Likely,
    /// Nothing speaks against it.
    Guess,
}

impl Sureness {
    /// The word people and JSON see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Guess => "guess",
        }
    }
}

impl How {
    /// All of them, surest first.
    pub const ALL: [Self; 9] = [
        Self::Id,
        Self::Address,
        Self::Class,
        Self::Thread,
        Self::Key,
        Self::Path,
        Self::Content,
        Self::Place,
        Self::Rank,
    ];

    /// The word people and JSON see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Address => "address",
            Self::Class => "class",
            Self::Thread => "thread",
            Self::Key => "key",
            Self::Path => "path",
            Self::Content => "content",
            Self::Place => "place",
            Self::Rank => "rank",
        }
    }

    /// How it is told in a sentence: `matched by …`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Id => "VM object id",
            Self::Address => "unchanged address, class and content",
            Self::Class => "class name",
            Self::Thread => "thread name",
            Self::Key => "map key",
            Self::Path => "the field that references it",
            Self::Content => "content unique in its class",
            Self::Place => "position in a list or array",
            Self::Rank => "rank by size",
        }
    }

    /// How far it is to be trusted.
    pub fn sureness(self) -> Sureness {
        match self {
            Self::Id | Self::Class => Sureness::Certain,
            Self::Address | Self::Thread | Self::Key | Self::Path | Self::Content => Sureness::Likely,
            Self::Place | Self::Rank => Sureness::Guess,
        }
    }

    /// They are numbered as they stand in [`Self::ALL`].
    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code.checked_sub(1)?)).copied()
    }
}

/// What became of an object from one heap to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It is in both: this is the other one.
    Matched(ObjectId, How),
    /// It is in this heap alone: new in the newer, gone from the older.
    Alone,
    /// It may be in both, but nothing tells which one it is.
    Unknown,
}

/// Matched by nobody, and surely in one heap alone.
pub(super) const ALONE: u8 = u8::MAX;

/// The matches of two heaps.
#[derive(Clone)]
pub struct Matches {
    /// Which class is which.
    pub kinds: Kinds,
    /// By row of the older heap, the row of the newer one.
    pub(super) of_before: Vec<u32>,
    /// By row of the newer heap, the row of the older one.
    pub(super) of_after: Vec<u32>,
    /// By row of the older heap: [`How`], 0 where it is not known what became of it, or [`ALONE`].
    pub(super) how_before: Vec<u8>,
    /// The same of the newer heap.
    pub(super) how_after: Vec<u8>,
}

impl Matches {
    /// Whether neither object is matched, nor known to be in one heap alone.
    pub(super) fn are_free(&self, before: ObjectId, after: ObjectId) -> bool {
        // What is matched has a way in which it is.
        self.how_before.get(before.index()) == Some(&0) && self.how_after.get(after.index()) == Some(&0)
    }

    /// The matches of the pair in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            kinds: self.kinds.swapped(),
            of_before: self.of_after,
            of_after: self.of_before,
            how_before: self.how_after,
            how_after: self.how_before,
        }
    }

    /// The columns of either heap.
    pub(super) fn columns<'m>(&'m self, pair: Pair<'m>) -> (Columns<'m>, Columns<'m>) {
        let (before, after) = (pair.before.analyzed, pair.after.analyzed);
        (
            Columns { analyzed: before, matched: &self.of_before, how: &self.how_before },
            Columns { analyzed: after, matched: &self.of_after, how: &self.how_after },
        )
    }

    /// The object of the newer heap that an object of the older one became.
    #[inline]
    pub fn after(&self, before: ObjectId) -> Option<ObjectId> {
        self.of_before.get(before.index()).copied().filter(|&row| row != NONE).and_then(ObjectId::from_raw)
    }

    /// The object of the older heap that an object of the newer one was.
    #[inline]
    pub fn before(&self, after: ObjectId) -> Option<ObjectId> {
        self.of_after.get(after.index()).copied().filter(|&row| row != NONE).and_then(ObjectId::from_raw)
    }

    /// How a match of an object of the newer heap was made.
    pub fn how(&self, after: ObjectId) -> Option<How> {
        self.how_after.get(after.index()).copied().and_then(How::from_code)
    }

    /// What became of an object of the older heap.
    pub fn fate_of_before(&self, before: ObjectId) -> Fate {
        fate(self.after(before), self.how_before.get(before.index()).copied())
    }

    /// Where an object of the newer heap comes from.
    pub fn fate_of_after(&self, after: ObjectId) -> Fate {
        fate(self.before(after), self.how_after.get(after.index()).copied())
    }
}

fn fate(other: Option<ObjectId>, how: Option<u8>) -> Fate {
    match (other, how) {
        (Some(other), Some(how)) => How::from_code(how).map_or(Fate::Unknown, |how| Fate::Matched(other, how)),
        (None, Some(ALONE)) => Fate::Alone,
        _ => Fate::Unknown,
    }
}
