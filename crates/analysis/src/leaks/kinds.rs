//! Kinds and groups of findings.

use crate::waste::WasteKind;
use serde::{Deserialize, Serialize};

/// Groups of findings, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Group {
    /// May keep growing, or should have been released.
    Leak,
    /// Memory that holds no useful data.
    Waste,
    /// Large, but the dump shows that its size is limited.
    Bounded,
    /// Memory of the runtime itself, in every program.
    Normal,
    /// Marked as expected by the user.
    Expected,
}

/// Kind of a finding, by how memory is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A map.
    Cache,
    /// A list or set.
    Collection,
    /// A queue filled faster than it is emptied.
    Queue,
    /// Objects of one class linked to each other.
    Chain,
    /// An array of references.
    Array,
    /// A single primitive array.
    Buffer,
    /// An object with many different objects in its retained set.
    Holder,
    /// Many objects of one class below one holder.
    Siblings,
    /// Objects shared by several holders of which none dominates them.
    Shared,
    /// Class loaders with all their classes.
    ClassLoaders,
    /// Local variables of a running method.
    Thread,
    /// Thread locals.
    ThreadLocals,
    /// Objects that await finalization.
    Finalizers,
    /// Objects held by cleaning actions.
    Cleaners,
    /// Memory that holds no useful data.
    Waste(WasteKind),
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 5] = [Self::Leak, Self::Waste, Self::Bounded, Self::Normal, Self::Expected];

    /// The stable key in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Waste => "waste",
            Self::Bounded => "bounded",
            Self::Normal => "normal",
            Self::Expected => "expected",
        }
    }
}

impl Kind {
    /// All kinds of memory that something holds: all but waste.
    pub const HOLDING: [Self; 14] = [
        Self::Cache,
        Self::Collection,
        Self::Queue,
        Self::Chain,
        Self::Array,
        Self::Buffer,
        Self::Holder,
        Self::Siblings,
        Self::Shared,
        Self::ClassLoaders,
        Self::Thread,
        Self::ThreadLocals,
        Self::Finalizers,
        Self::Cleaners,
    ];

    /// The stable key in JSON.
    pub fn key(self) -> &'static str {
        self.words().0
    }

    /// Label for people.
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// Key and title.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Cache => ("cache", "Cache"),
            Self::Collection => ("collection", "Collection"),
            Self::Queue => ("queue", "Queue"),
            Self::Chain => ("chain", "Linked objects"),
            Self::Array => ("array", "Array"),
            Self::Buffer => ("buffer", "Buffer"),
            Self::Holder => ("holder", "Holder"),
            Self::Siblings => ("siblings", "Objects of one class"),
            Self::Shared => ("shared", "Shared objects"),
            Self::ClassLoaders => ("class loaders", "Class loaders"),
            Self::Thread => ("thread", "Thread"),
            Self::ThreadLocals => ("thread locals", "Thread locals"),
            Self::Finalizers => ("finalizers", "Finalizers"),
            Self::Cleaners => ("cleaners", "Cleaners"),
            Self::Waste(kind) => (kind.key(), kind.title()),
        }
    }
}
