//! Regions: the heaps into which Android divides its memory, such as app, zygote and image. They are called regions
//! here, since a heap is all of them together. The region of an object is recorded in the file; other formats have
//! none.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{ObjectId, sections};
use heaplens_base::storage::{MemoryBudget, Numbers, Slices, StoredAnalysis};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Maximum number of distinct regions: a real dump has three or four.
pub const MOST_REGIONS: usize = 32;

/// Kind of heap region. Each has its own columns; all unknown ones share the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RegionKind {
    /// Allocated by the application.
    App,
    /// Inherited from the zygote: pages are shared until written.
    Zygote,
    /// The boot image, mapped from a file.
    Image,
    /// Not assigned to any heap in the file.
    Default,
    /// Any other.
    Other,
}

impl RegionKind {
    /// All kinds, in the order of their columns.
    pub const ALL: [Self; 5] = [Self::App, Self::Zygote, Self::Image, Self::Default, Self::Other];

    /// The word of the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Zygote => "zygote",
            Self::Image => "image",
            Self::Default => "default",
            Self::Other => "other",
        }
    }

    /// The kind of a region of this name.
    fn of_name(name: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Self::Other)
    }
}

/// Regions by file offset.
#[derive(Debug, Clone, Default)]
pub struct RegionRuns {
    /// Their names.
    pub names: Vec<Box<str>>,
    /// File offset, and index of the region of the objects from there on; ascending.
    pub runs: Vec<(u64, u8)>,
}

/// The region of each object.
pub struct Regions {
    names: Vec<Box<str>>,
    /// Index of the region name of each object.
    of: Numbers,
}

impl Regions {
    /// Divides `objects` objects by the file offset of each row; 0, of synthetic objects, is in the first region.
    pub(super) fn divide(
        objects: usize,
        offset: impl Fn(u32) -> u64 + Sync,
        regions: RegionRuns,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let RegionRuns { names, runs } = regions;
        let mut of = budget.buffer::<u32>(objects);
        of.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, of)| {
            task.checkpoint()?;
            // Adjacent objects are usually in the same run.
            let (mut from, mut to, mut region) = (1, 0, 0);
            for (row, of) in (block * CHECKPOINT_EVERY..).zip(of) {
                let offset = offset(row as u32);
                if !(from..to).contains(&offset) {
                    let next = runs.partition_point(|&(begin, _)| begin <= offset);
                    let run = next.checked_sub(1).map(|at| runs[at]);
                    (from, region) = run.unwrap_or((0, runs.first().map_or(0, |&(_, region)| region)));
                    to = runs.get(next).map_or(u64::MAX, |&(begin, _)| begin);
                }
                *of = u32::from(region);
            }
            Ok(())
        })?;
        Ok(Self { names, of: budget.keep_numbers(sections::REGION, of) })
    }

    /// The names of the regions.
    pub fn names(&self) -> &[Box<str>] {
        &self.names
    }

    /// Index of a region by name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| **known == *name)
    }

    /// Index of the region of an object.
    pub fn region_of(&self, object: ObjectId) -> usize {
        self.of.get(object.index()).unwrap_or_default() as usize
    }

    /// The name of an object's region.
    pub fn name(&self, object: ObjectId) -> &str {
        self.names.get(self.region_of(object)).map_or("", |name| name)
    }

    /// Kind of the region with a given index.
    pub fn kind_at(&self, index: usize) -> RegionKind {
        self.names.get(index).map_or(RegionKind::Other, |name| RegionKind::of_name(name))
    }

    /// Kind of the region of an object.
    pub fn kind(&self, object: ObjectId) -> RegionKind {
        self.kind_at(self.region_of(object))
    }

    /// Index of the region of each object, for bulk access.
    pub(super) fn regions(&self) -> Slices<'_> {
        self.of.slices()
    }

    /// Loads stored regions.
    pub(super) fn find(stored: &StoredAnalysis, names: Vec<Box<str>>) -> Option<Self> {
        Some(Self { names, of: Numbers::find(stored, sections::REGION)? })
    }
}
