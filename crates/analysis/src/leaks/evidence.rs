//! Evidence for and against a leak.

use heaplens_base::Bytes;
use serde::{Deserialize, Serialize};

/// Minimum number of entries for evidence from their similarity.
pub(super) const MANY: u64 = 100;
/// Percentage of the heap's objects that were allocated while objects were added to a location over a long time.
const LONG_TIME: u8 = 25;
/// A location with objects allocated after this percentage of the others was added to lately.
pub(super) const LATELY: u8 = 92;
/// Divisor of the earlier size: a location that grew by this part grew in spite of what was removed.
const MUCH: u64 = 4;

/// A piece of evidence about a location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evidence {
    /// For: number of entries, none of which was ever removed.
    NeverRemoved(u64),
    /// Against: number of removed and of present entries.
    Removed(u64, u64),
    /// Against: elements are taken from a queue.
    TakenFrom,
    /// For: class of a collection that grows as elements are added.
    Grows(String),
    /// Against: class of an immutable collection.
    Unchanging(String),
    /// Against: fixed capacity.
    OneSize(u64),
    /// Against: field and value of a size limit that is reached.
    Bound(String, u64),
    /// Against: length of a single array that cannot grow.
    SingleArray(u64),
    /// For: class, number of its objects in the location, number in the heap.
    NearlyAll(String, u64, u64),
    /// For: number of entries, smallest and largest retained size of the first [`SAMPLE`](super::SAMPLE).
    Alike(u64, Bytes, Bytes),
    /// For: class loaders of a reloaded application.
    Loaders {
        /// Number of them.
        count: u64,
        /// Their class.
        class: String,
        /// A class that several of them define.
        twice: Option<String>,
    },
    /// For: a reference and the bytes that cutting only it in all objects frees.
    Mostly(String, Bytes),
    /// For: a field of its entries that holds most of them, and the bytes in all of these fields.
    InEach(String, Bytes),
    /// Against: number of entries held by soft references, which are cleared before memory runs out.
    Soft(u64),
    /// For: number of cleaning actions with a collected referent, and of all actions.
    Waiting(u64, u64),
    /// Against: the runtime retains it without the application.
    OfRuntime,
    /// For: entries retain their enclosing object: field, number of such entries, sample size.
    Outer(String, u64, u64),
    /// For: creation times of entries: field, earliest and latest, in milliseconds since 1970.
    Made(String, u64, u64),
    /// For: bytes freed and objects, in the baseline and in this dump. The baseline had less.
    Grew {
        /// Bytes that cutting its references frees, in the baseline and in this dump.
        bytes: (Bytes, Bytes),
        /// Number of objects that frees, in the baseline and in this dump.
        objects: (u64, u64),
    },
    /// Against: the same, where the baseline had about as much or more.
    DidNotGrow {
        /// Bytes that cutting its references frees, in the baseline and in this dump.
        bytes: (Bytes, Bytes),
        /// Number of objects that frees, in the baseline and in this dump.
        objects: (u64, u64),
    },
    /// When most of its objects were allocated, in percent of the heap's other objects: 10 % of them before the first,
    /// 10 % after the second.
    Allocated(u8, u8),
    /// Against: objects of a library, held by the library without the application.
    OfLibrary,
    /// For: number of entries of a full queue. Also proof that it cannot grow further.
    Full(u64),
}

/// How new the newest objects of a location are, by the order of allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Novelty {
    /// Among the last that were allocated: objects are still added.
    Newest,
    /// In the last twelfth.
    New,
    /// Before that: nothing was added for long.
    Old,
    /// In the first half: filled at start.
    Oldest,
}

impl Novelty {
    /// By the percentage of the heap's other objects that were allocated before 90 % of those of the location.
    pub fn of(last: u8) -> Self {
        match last {
            97.. => Self::Newest,
            LATELY.. => Self::New,
            50.. => Self::Old,
            _ => Self::Oldest,
        }
    }

    /// True if it speaks for a leak.
    pub fn is_for(self) -> bool {
        matches!(self, Self::Newest | Self::New)
    }
}

impl Evidence {
    /// The stable key in JSON and in the measured weights; ages are weighed by degree.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NeverRemoved(_) => "never removed",
            Self::Removed(..) => "removed",
            Self::TakenFrom => "taken from",
            Self::Grows(_) => "can grow",
            Self::Unchanging(_) => "immutable",
            Self::OneSize(_) => "fixed capacity",
            Self::Bound(..) => "limit",
            Self::SingleArray(_) => "single array",
            Self::NearlyAll(..) => "nearly all",
            Self::Alike(..) => "alike",
            Self::Loaders { .. } => "loaders",
            Self::Mostly(..) => "mostly one reference",
            Self::InEach(..) => "in each entry",
            Self::Soft(_) => "soft references",
            Self::Waiting(..) => "waiting",
            Self::OfRuntime => "of runtime",
            Self::OfLibrary => "of library",
            Self::Outer(..) => "enclosing object",
            Self::Made(..) => "creation times",
            Self::Full(_) => "full queue",
            Self::Grew { .. } => "grew",
            Self::DidNotGrow { .. } => "did not grow",
            Self::Allocated(_, last) => match Novelty::of(*last) {
                Novelty::Newest => "newest",
                Novelty::New => "new",
                Novelty::Old => "old",
                Novelty::Oldest => "oldest",
            },
        }
    }

    /// True of evidence for a leak.
    pub fn is_for(&self) -> bool {
        if let Self::Allocated(_, last) = self {
            return Novelty::of(*last).is_for();
        }
        !matches!(
            self,
            Self::Removed(..)
                | Self::TakenFrom
                | Self::Unchanging(_)
                | Self::OneSize(_)
                | Self::Bound(..)
                | Self::SingleArray(_)
                | Self::Soft(_)
                | Self::OfRuntime
                | Self::DidNotGrow { .. }
                | Self::OfLibrary
        )
    }

    /// True if it is about the capacity of the outermost object alone, which does not bound what its elements hold.
    fn is_of_capacity(&self) -> bool {
        matches!(self, Self::Unchanging(_) | Self::OneSize(_) | Self::SingleArray(_))
    }

    /// True if it proves that the location does not grow further, unless others tell otherwise: [`is_bounded`].
    pub(super) fn is_proof_of_bound(&self) -> bool {
        match self {
            Self::Bound(..) | Self::Full(_) => true,
            // More entries were removed than are left, so the program removes them.
            Self::Removed(removed, size) => removed >= size,
            _ => self.is_of_capacity(),
        }
    }

    /// True if it is proof even if the location grew or has new objects.
    fn is_limit(&self) -> bool {
        matches!(self, Self::Bound(..) | Self::Full(_))
    }
}

/// True if some evidence proves that a location does not grow further. A full array may be replaced by a longer one
/// with each element, and a program may forget to remove some entries: neither is proof if objects were added
/// lately, and over a long time.
pub(super) fn is_bounded(signs: &[Evidence]) -> bool {
    let is_added_to = signs.iter().any(|sign| match *sign {
        Evidence::Allocated(first, last) => last >= LATELY && last.saturating_sub(first) >= LONG_TIME,
        _ => false,
    });
    signs.iter().any(|sign| if is_added_to { sign.is_limit() } else { sign.is_proof_of_bound() })
}

/// True if some evidence proves that a location that grew by `grown` from `before` bytes does not grow further.
pub(super) fn is_bounded_though_grown(signs: &[Evidence], (before, grown): (Bytes, Bytes)) -> bool {
    // Removal keeps pace with additions, or it is none.
    let is_much = grown.0 >= before.0 / MUCH;
    signs.iter().any(|sign| if is_much { sign.is_limit() } else { sign.is_proof_of_bound() && !sign.is_of_capacity() })
}
