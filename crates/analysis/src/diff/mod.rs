//! Comparison of two heaps of one program, a [`Pair`]: growth and its owners. The rules are in `docs/comparing.md`.
//!
//! Objects are matched where there is evidence that they are the same ([`matching`]); [`mod@matches`] has the criterion
//! of each. Unmatched objects are added, removed or ambiguous. The dominator trees of both heaps are then read as one:
//! [`growth`] is attributed to the lowest matched owner, and the sum over all owners is the difference of the totals.
//! Classes are compared by name and loader ([`classes`]), which needs no matching.

pub mod classes;
mod comparison;
pub mod entries;
pub mod entry_diff;
pub mod growth;
pub mod kinds;
pub mod matches;
pub mod matching;
mod owners;
pub mod program;
mod shapes;

pub use self::comparison::{Comparison, ObjectChanges, compare};
pub use self::entries::Entries;
pub(crate) use self::growth::put_after_application;
pub use self::growth::{Growth, GrowthOwner, GrowthRow, MatchExtent};
pub use self::matches::{MatchMethod, MatchStatus, Matches};

use crate::answers::DumpData;
use heaplens_base::{ByteDelta, Bytes, CountDelta};
use serde::{Deserialize, Serialize};

/// Two heaps of one program.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// Baseline.
    pub before: DumpData<'a>,
    /// Target.
    pub after: DumpData<'a>,
}

/// Baseline or target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeapSide {
    Before,
    After,
}

impl<'a> Pair<'a> {
    /// One of the two heaps.
    fn side(self, which: HeapSide) -> DumpData<'a> {
        if which == HeapSide::After { self.after } else { self.before }
    }

    /// True if the baseline is older, as far as the dumps record times. Both orders are compared in this one, so that
    /// one result mirrors the other.
    fn is_in_order(self) -> bool {
        let key = |side: DumpData<'_>| {
            (side.heap.origin.taken_at_millis, side.analysis.shown.objects, side.analysis.shown.shallow)
        };
        key(self.before) <= key(self.after)
    }

    /// The pair with baseline and target swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { before: self.after, after: self.before }
    }
}

/// Amount of something in one heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amount {
    /// Objects.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them; each byte counts once.
    pub retained: Bytes,
}

/// Amount of something before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Change {
    /// In the baseline.
    pub before: Amount,
    /// In the target.
    pub after: Amount,
}

impl Change {
    /// The change with before and after swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { before: self.after, after: self.before }
    }

    /// Objects after minus before.
    pub fn objects(&self) -> CountDelta {
        CountDelta::between(self.before.objects, self.after.objects)
    }

    /// Shallow size after minus before.
    pub fn shallow(&self) -> ByteDelta {
        ByteDelta::between(self.before.shallow, self.after.shallow)
    }

    /// Retained size after minus before.
    pub fn retained(&self) -> ByteDelta {
        ByteDelta::between(self.before.retained, self.after.retained)
    }
}
