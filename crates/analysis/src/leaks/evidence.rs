//! Evidence for and against a leak.

use heaplens_base::Bytes;

/// Minimum number of entries for evidence from their similarity.
pub(super) const MANY: u64 = 100;
/// A piece of evidence about a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// For: number of entries, none of which was ever removed.
    NeverRemoved(u64),
    /// Against: number of removed and of present entries.
    Removed(u64, u64),
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
    /// For: number of entries, smallest and largest retained size of a sample.
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
    /// For: number of entries of a full queue. Also proof that it cannot grow further.
    Full(u64),
}

impl Evidence {
    /// True of evidence for a leak.
    pub fn is_for(&self) -> bool {
        !matches!(
            self,
            Self::Removed(..)
                | Self::Unchanging(_)
                | Self::OneSize(_)
                | Self::Bound(..)
                | Self::SingleArray(_)
                | Self::Soft(_)
                | Self::OfRuntime
                | Self::DidNotGrow { .. }
        )
    }

    /// True if it is about the capacity of the outermost object alone, which does not bound what its elements hold.
    pub(super) fn is_of_capacity(&self) -> bool {
        matches!(self, Self::Unchanging(_) | Self::OneSize(_) | Self::SingleArray(_))
    }

    /// True if it proves that the location does not grow further.
    pub(super) fn is_proof_of_bound(&self) -> bool {
        match self {
            Self::Unchanging(_) | Self::OneSize(_) | Self::Bound(..) | Self::SingleArray(_) | Self::Full(_) => true,
            // More entries were removed than are left, so the program removes them.
            Self::Removed(removed, size) => removed >= size,
            _ => false,
        }
    }
}
