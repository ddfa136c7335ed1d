//! Sort orders of a level of the dominator tree.

use crate::answers::DumpData;
use heaplens_base::Bytes;
use heaplens_heap::{Figure, ObjectId};

/// Retained size of an object in the baseline; 0 if it did not exist.
pub type BaselineSize<'a> = dyn Fn(ObjectId) -> Bytes + Sync + 'a;

/// Sort order of a level. Ties go by address, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelOrder {
    /// Largest retained size first.
    #[default]
    Retained,
    /// Largest shallow size first.
    Shallow,
    /// Most dominated objects first.
    Dominated,
    /// Class name, then largest retained size.
    Class,
    /// Address order.
    Address,
    /// Heap name, in dumps with several heaps, then largest retained size.
    Region,
    /// Largest value first of a figure that only some dumps have.
    Figure(Figure),
    /// Largest growth of retained size first; only in comparisons, and not on the command line.
    Growth,
}

impl LevelOrder {
    /// Orders available for every dump.
    pub const ALL: [Self; 5] = [Self::Retained, Self::Shallow, Self::Dominated, Self::Class, Self::Address];

    /// Key of the CSV and JSON column it sorts by.
    pub fn key(self) -> &'static str {
        match self {
            Self::Retained | Self::Growth => "retained_bytes",
            Self::Shallow => "shallow_bytes",
            Self::Dominated => "dominated",
            Self::Class => "class",
            Self::Address => "id",
            Self::Region => "heap",
            Self::Figure(figure) => figure.key(),
        }
    }

    /// Orders available for a dump.
    pub fn all(dump: DumpData<'_>) -> Vec<Self> {
        let region = dump.heap.regions().is_some().then_some(Self::Region);
        Self::ALL.into_iter().chain(region).chain(dump.analysis.figures().map(Self::Figure)).collect()
    }
}
