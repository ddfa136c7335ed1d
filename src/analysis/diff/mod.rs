//! Before and after: what grew between two heaps of one program, and who holds it.
//!
//! Objects are matched where something tells that they are the same
//! (`matching`); each match knows how it was made. What is not matched is new,
//! gone, or unknown. The dominator trees of both heaps are then read as one:
//! growth is charged to the lowest matched owner (`growth`), and what is charged
//! to all owners adds up to the difference of the totals. Classes are compared by
//! name and loader (`classes`), which needs no matching.

pub mod classes;
pub mod entries;
pub mod growth;
pub mod kinds;
pub mod matches;
pub mod matching;
mod owners;
pub mod program;
mod shapes;
pub mod turnover;

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::units::{ByteDelta, Bytes, CountDelta};

/// One of the two heaps.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// What the file said.
    pub heap: &'a Heap,
    /// The inside of objects.
    pub contents: &'a dyn Contents,
    /// What follows.
    pub analyzed: &'a Analyzed,
}

/// The same program twice.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The older heap.
    pub before: Side<'a>,
    /// The newer heap.
    pub after: Side<'a>,
}

impl Pair<'_> {
    /// Whether before is before, as far as the dumps say. Both orders are compared in this one, so that the answer to
    /// one is the mirror of the answer to the other.
    fn is_in_order(self) -> bool {
        let key = |side: Side<'_>| {
            (side.heap.origin.taken_at_millis, side.analyzed.shown.objects, side.analyzed.shown.shallow)
        };
        key(self.before) <= key(self.after)
    }

    /// After and before.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { before: self.after, after: self.before }
    }
}

/// How much there is of something in one heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Objects.
    pub objects: u64,
    /// Their shallow sizes together.
    pub shallow: Bytes,
    /// What they keep alive together, each byte once.
    pub retained: Bytes,
}

/// How much there is of something before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Change {
    /// In the older heap.
    pub before: Amount,
    /// In the newer heap.
    pub after: Amount,
}

impl Change {
    /// The same with before and after in each other's place.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { before: self.after, after: self.before }
    }

    /// Objects more than before.
    pub fn objects(&self) -> CountDelta {
        CountDelta::between(self.before.objects, self.after.objects)
    }

    /// Shallow bytes more than before.
    pub fn shallow(&self) -> ByteDelta {
        ByteDelta::between(self.before.shallow, self.after.shallow)
    }

    /// Retained bytes more than before.
    pub fn retained(&self) -> ByteDelta {
        ByteDelta::between(self.before.retained, self.after.retained)
    }
}
