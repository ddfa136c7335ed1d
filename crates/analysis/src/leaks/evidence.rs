//! Evidence for and against a leak.

use heaplens_base::Bytes;
use serde::{Deserialize, Serialize};

/// Minimum number of entries for evidence from their similarity.
pub(super) const MANY: u64 = 100;
/// Percentage of the heap's objects that were allocated while objects were added to a location over a long time.
const LONG_TIME: u8 = 25;
/// Percentage of the heap's objects before which the first objects of a location that was always added to were allocated.
const FIRST_QUARTER: u8 = 25;
/// A location with objects allocated after this percentage of the others was added to lately.
pub(super) const LATELY: u8 = 92;
/// Of so many entries, a program that leaks forgets to remove one: where more were removed for each that is left, it
/// removes them.
const FORGOTTEN: u64 = 100;
/// Divisor of the earlier size: a location that grew by this part grew in spite of what was removed.
const MUCH: u64 = 4;

/// A piece of evidence about a location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evidence {
    /// Number of entries, none of which was ever removed: as of tables that are filled once, and of what only grows.
    NeverRemoved(u64),
    /// Against: least number of removed, and number of present entries.
    Removed(u64, u64),
    /// Against: number of changes of a list that added nothing, and of its elements: removals, or sorting.
    Changed(u64, u64),
    /// Against: elements are taken from a queue.
    TakenFrom,
    /// For: class of a collection that grows as elements are added, or of a full array that was replaced by a longer one or
    /// has elements that grow.
    Grows(String),
    /// For: number of elements of an array, and its length.
    Room(u64, u64),
    /// Against: class of an immutable collection.
    Unchanging(String),
    /// Against: fixed capacity.
    OneSize(u64),
    /// Against: field and value of a limit that the number of entries reaches.
    Bound(String, u64),
    /// Against: field and value of a limit of bytes or weights, and what counts against it.
    WeightBound(String, u64, u64),
    /// Against: number of entries that remain because older ones are removed.
    Evicts(u64),
    /// Against: class of a cache that replaces its older half when the newer is full.
    Generations(String),
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
    /// For: entries are functions, tasks, futures, threads or exceptions: most frequent class, number of such entries, sample
    /// size.
    Functions(String, u64, u64),
    /// For: entries hold functions, tasks, futures, threads or exceptions, the same.
    HoldFunctions(String, u64, u64),
    /// For: entries refer to objects of the application outside of them: most frequent class, number of such entries, sample
    /// size.
    Refer(String, u64, u64),
    /// For: a known pattern of leaks matches: its id.
    Known(String),
    /// Against: number of entries held by soft references, which are cleared before memory runs out.
    Soft(u64),
    /// For: number of threads that hold an object of the class each.
    InThreads(u64),
    /// For: number of cleaning actions with a collected referent, and of all actions.
    Waiting(u64, u64),
    /// Against: the runtime retains it without the application.
    OfRuntime,
    /// For: entries retain their enclosing object: field, number of such entries, sample size.
    Outer(String, u64, u64),
    /// For: creation times of entries, up to the dump: field, earliest and latest, in milliseconds since 1970.
    Made(String, u64, u64),
    /// For: what was added since the baseline.
    Grew {
        /// Added minus removed bytes of the structures among what its cuts free, as the comparison of both dumps attributes
        /// them. More than the difference of `bytes` if others hold a part of it, too.
        grown: Bytes,
        /// Those of these bytes that are code of the program, in V8 snapshots.
        code: Bytes,
        /// Percentage of all that grew in the heap, code left out.
        share: u8,
        /// True if parts of the structures were removed about as often as others were added.
        is_replaced: bool,
        /// Bytes that cutting its references frees, in the baseline and in this dump.
        bytes: (Bytes, Bytes),
        /// Number of objects that frees, in the baseline and in this dump.
        objects: (u64, u64),
    },
    /// Against: nothing was added since the baseline, or little.
    DidNotGrow {
        /// Bytes that cutting its references frees, in the baseline and in this dump.
        bytes: (Bytes, Bytes),
        /// Number of objects that frees, in the baseline and in this dump.
        objects: (u64, u64),
    },
    /// When most of its objects were allocated, in percent of the heap's other objects: 10 % of them before the first,
    /// 10 % after the second.
    Allocated(u8, u8),
    /// The same if the order of addresses is that of allocation, which most measurements agree with, and not nearly all.
    LikelyAllocated(u8, u8),
    /// For: number of its objects that were allocated since the last young collection.
    Recent(u64),
    /// Against: none was, and so many were expected if it grew as the rest of the heap did.
    NotRecent(u64),
    /// Neutral: objects of a library, held by the library without the application. Its name, with its version where the
    /// dump states it.
    OfLibrary(Option<String>),
    /// For: number of entries of a full queue. Also proof that it cannot grow further.
    Full(u64),
    /// Against: the newest creation time of entries, long before the dump: field, that time, time of the dump, in
    /// milliseconds since 1970.
    MadeBefore(String, u64, u64),
}

/// How new the newest objects of a location are, by the order of allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Novelty {
    /// Among the last that were allocated: objects are still added.
    Newest,
    /// In the last twelfth.
    New,
    /// From the first quarter on, over a long time, and before the last twelfth: of tables that are filled while others are,
    /// and of what grows steadily where much else was filled later.
    OverTime,
    /// Before that: few of its objects are among the newest.
    Old,
    /// In the first half.
    Oldest,
}

impl Novelty {
    /// By the percentages of the heap's other objects that were allocated before 10 % and before 90 % of those of the
    /// location.
    pub fn of(first: u8, last: u8) -> Self {
        match last {
            97.. => Self::Newest,
            LATELY.. => Self::New,
            _ if first <= FIRST_QUARTER && last.saturating_sub(first) >= LONG_TIME => Self::OverTime,
            50.. => Self::Old,
            _ => Self::Oldest,
        }
    }

    /// True if objects were added lately.
    pub fn is_late(self) -> bool {
        matches!(self, Self::Newest | Self::New)
    }
}

impl Evidence {
    /// The stable key in JSON and in the measured weights; ages are weighed by degree.
    pub fn key(&self) -> &'static str {
        match self {
            Self::NeverRemoved(_) => "never removed",
            Self::Removed(..) | Self::Changed(..) => "removed",
            Self::TakenFrom => "taken from",
            Self::Grows(_) | Self::Room(..) => "can grow",
            Self::Unchanging(_) => "immutable",
            Self::OneSize(_) => "fixed capacity",
            Self::Bound(..) | Self::WeightBound(..) | Self::Evicts(_) | Self::Generations(_) => "limit",
            Self::SingleArray(_) => "single array",
            Self::NearlyAll(..) => "nearly all",
            Self::Alike(..) => "alike",
            Self::Loaders { .. } => "loaders",
            Self::Mostly(..) => "mostly one reference",
            Self::InEach(..) => "in each entry",
            Self::Functions(..) => "functions",
            Self::HoldFunctions(..) => "hold functions",
            Self::Refer(..) => "refer to others",
            Self::Known(_) => "known pattern",
            Self::Soft(_) => "soft references",
            Self::Waiting(..) => "waiting",
            Self::InThreads(_) => "in threads",
            Self::Recent(_) => "recent",
            Self::NotRecent(_) => "not recent",
            Self::OfRuntime => "of runtime",
            Self::OfLibrary(_) => "of library",
            Self::Outer(..) => "enclosing object",
            Self::Made(..) => "creation times",
            Self::MadeBefore(..) => "earlier creation times",
            Self::Full(_) => "full queue",
            Self::Grew { .. } => "grew",
            Self::DidNotGrow { .. } => "did not grow",
            Self::Allocated(first, last) => match Novelty::of(*first, *last) {
                Novelty::Newest => "newest",
                Novelty::New => "new",
                Novelty::OverTime => "over time",
                Novelty::Old => "old",
                Novelty::Oldest => "oldest",
            },
            Self::LikelyAllocated(first, last) => match Novelty::of(*first, *last) {
                Novelty::Newest => "likely newest",
                Novelty::New => "likely new",
                Novelty::OverTime => "likely over time",
                Novelty::Old => "likely old",
                Novelty::Oldest => "likely oldest",
            },
        }
    }

    /// Degree of the age, of evidence about it.
    pub(super) fn novelty(&self) -> Option<Novelty> {
        match self {
            Self::Allocated(first, last) | Self::LikelyAllocated(first, last) => Some(Novelty::of(*first, *last)),
            _ => None,
        }
    }

    /// True of evidence that objects were added lately.
    pub fn is_late(&self) -> bool {
        self.novelty().map_or(matches!(self, Self::Recent(_)), Novelty::is_late)
    }

    /// True of evidence for a leak: of what raises the certainty.
    pub fn is_for(&self) -> bool {
        if let Some(novelty) = self.novelty() {
            return novelty == Novelty::Newest;
        }
        !self.is_bound_of_structure()
            && !self.is_neutral()
            && !matches!(
                self,
                Self::Removed(..)
                    | Self::Changed(..)
                    | Self::TakenFrom
                    | Self::Unchanging(_)
                    | Self::OneSize(_)
                    | Self::SingleArray(_)
                    | Self::Soft(_)
                    | Self::OfRuntime
                    | Self::NotRecent(_)
                    | Self::DidNotGrow { .. }
                    | Self::MadeBefore(..)
            )
    }

    /// True of evidence against a leak: of what lowers the certainty.
    pub fn is_against(&self) -> bool {
        !self.is_for() && !self.is_neutral()
    }

    /// True of a fact that is neither for nor against a leak. Objects of a library tell whom to ask: libraries leak, too.
    /// That nothing was removed is true of tables that are filled once, and of what only grows: it is for a leak beside
    /// growth, and rather against it in a single dump. What is rather new, or was added over a long time, may be either.
    pub fn is_neutral(&self) -> bool {
        matches!(self, Self::OfLibrary(_) | Self::NeverRemoved(_))
            || matches!(self.novelty(), Some(Novelty::New | Novelty::OverTime))
    }

    /// True of a limit that the structure has reached.
    pub fn is_bound_of_structure(&self) -> bool {
        matches!(self, Self::Bound(..) | Self::WeightBound(..) | Self::Evicts(_) | Self::Generations(_))
    }

    /// True if it is about the capacity of the outermost object alone, which does not bound what its elements hold.
    fn is_of_capacity(&self) -> bool {
        matches!(self, Self::Unchanging(_) | Self::OneSize(_) | Self::SingleArray(_))
    }

    /// True if it proves that the location does not grow further, unless others tell otherwise: [`is_bounded`].
    pub(super) fn is_proof_of_bound(&self) -> bool {
        match self {
            _ if self.is_limit() => true,
            // A program that forgets one of some removes the others.
            Self::Removed(removed, size) => removed / FORGOTTEN >= *size,
            _ => self.is_of_capacity(),
        }
    }

    /// True if it is proof even if the location grew or has new objects.
    pub(super) fn is_limit(&self) -> bool {
        self.is_bound_of_structure() || matches!(self, Self::Full(_))
    }
}

/// True if some evidence proves that a location does not grow further. A full array may be replaced by a longer one
/// with each element, and a program may forget to remove some entries: neither is proof if objects were added
/// lately, and over a long time.
pub(super) fn is_bounded(evidence: &[Evidence]) -> bool {
    let is_added_to = evidence.iter().any(|sign| match *sign {
        Evidence::Allocated(first, last) | Evidence::LikelyAllocated(first, last) => {
            last >= LATELY && last.saturating_sub(first) >= LONG_TIME
        }
        _ => false,
    });
    evidence.iter().any(|sign| if is_added_to { sign.is_limit() } else { sign.is_proof_of_bound() })
}

/// True if some evidence proves that a location that grew by `grown` from `before` bytes does not grow further.
pub(super) fn is_bounded_though_grown(evidence: &[Evidence], (before, grown): (Bytes, Bytes)) -> bool {
    // Removal keeps pace with additions, or it is none.
    let is_much = grown.0 >= before.0 / MUCH;
    // A number that equals the entries of both dumps counts them.
    evidence.iter().any(|sign| match sign {
        Evidence::Full(_) => true,
        _ => !is_much && sign.is_proof_of_bound() && !sign.is_of_capacity(),
    })
}
