//! Optional columns of a row: share of its retained size in each heap region, and native memory.

use super::{Analysis, ClassId, Heap, ObjectId, RegionKind, parts::Part};
use heaplens_base::{Bytes, Cancelled, Task};

/// One of the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Share of the retained size of the row that belongs to a part.
    Retained(Part),
    /// Native memory of its objects.
    Native,
}

impl Figure {
    /// All possible columns, in order.
    pub const ALL: [Self; 7] = [
        Self::Retained(Part::Region(RegionKind::App)),
        Self::Retained(Part::Region(RegionKind::Zygote)),
        Self::Retained(Part::Region(RegionKind::Image)),
        Self::Retained(Part::Region(RegionKind::Default)),
        Self::Retained(Part::Region(RegionKind::Other)),
        Self::Native,
        Self::Retained(Part::Native),
    ];

    /// Index in [`Self::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.into_iter().position(|of| of == self).unwrap_or_default()
    }

    /// Column key in CSV and JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Retained(Part::Region(RegionKind::App)) => "retained_app_bytes",
            Self::Retained(Part::Region(RegionKind::Zygote)) => "retained_zygote_bytes",
            Self::Retained(Part::Region(RegionKind::Image)) => "retained_image_bytes",
            Self::Retained(Part::Region(RegionKind::Default)) => "retained_default_bytes",
            Self::Retained(Part::Region(RegionKind::Other)) => "retained_other_bytes",
            Self::Native => "native_bytes",
            Self::Retained(Part::Native) => "retained_native_bytes",
        }
    }

    /// Part that it measures.
    fn part(self) -> Part {
        match self {
            Self::Retained(part) => part,
            Self::Native => Part::Native,
        }
    }
}

/// Values of a row, in the order of [`Analysis::figures`]: empty if the dump has none.
pub type Amounts = Box<[Bytes]>;

/// Combined retained size of the objects of each group; each byte counts once.
pub struct GroupFigures {
    /// Total of all parts.
    pub retained: Vec<Bytes>,
    /// In each part.
    pub parts: Vec<(Part, Vec<Bytes>)>,
}

impl Analysis {
    /// Columns available for this dump.
    pub fn figures(&self) -> impl Iterator<Item = Figure> + '_ {
        Figure::ALL.into_iter().filter(|figure| self.parts.has(figure.part()))
    }

    /// A figure of an object.
    pub fn figure(&self, heap: &Heap, object: ObjectId, figure: Figure) -> Bytes {
        match figure {
            Figure::Retained(part) => self.retained_part(object, part),
            Figure::Native => heap.native(object),
        }
    }

    /// All values of an object.
    pub fn amounts(&self, heap: &Heap, object: ObjectId) -> Amounts {
        self.figures().map(|figure| self.figure(heap, object, figure)).collect()
    }

    /// Value for the shown objects of a class.
    pub fn class_figure(&self, class: ClassId, figure: Figure) -> Bytes {
        match figure {
            Figure::Retained(part) => self.class_retained_part(class, part),
            Figure::Native => self.class_native(class),
        }
    }

    /// Combined retained sizes of the groups of a partition, in total and by part. Group numbers of at least `groups`
    /// mean "no group".
    pub fn figures_by_group(
        &self,
        group_of: impl Fn(ObjectId) -> u32 + Sync,
        groups: usize,
        task: &Task,
    ) -> Result<GroupFigures, Cancelled> {
        let retained = self.retained_by_group(&group_of, groups, task)?;
        let parts = self.parts.by_group(&self.dominance, &retained, group_of, task)?;
        Ok(GroupFigures { retained, parts })
    }
}
