//! Shallow sizes, in units of the object alignment and mostly with 16 bits each: the few larger ones are in a separate
//! list.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{ImportNote, Severity, sections};
use heaplens_base::storage::{Buffer, Column, MemoryBudget, Numbers, Slices, StoredAnalysis};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};

/// One size per object, in bytes.
#[derive(Default)]
pub struct Sizes {
    scale: Scale,
    narrow: Numbers,
    /// Rows whose narrow entry is [`Scale::escape`], ascending, and their sizes.
    wide_rows: Column<u32>,
    wide_bytes: Column<u64>,
}

/// Maximum size of an object in bytes. No runtime has larger ones; a file that claims so is damaged, and sums could
/// overflow.
pub const MOST_BYTES: u64 = 1 << 40;

/// Parse warning for objects with an implausible size.
pub fn too_large(objects: u64, first: Option<u64>) -> Option<ImportNote> {
    let most = Bytes(MOST_BYTES);
    let message = format!("objects with an implausible size above {most}: shown with that size");
    ImportNote::if_any(Severity::Error, objects, message, first)
}

/// Encoding of narrow entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Scale {
    /// Bytes per unit.
    unit: u32,
    /// Entry for a size that is in the list.
    escape: u32,
}

impl Default for Scale {
    fn default() -> Self {
        Self { unit: 1, escape: Sizes::WIDE }
    }
}

impl Sizes {
    /// Entry for a size of 4 GiB or more, which is in the list, while sizes are collected.
    pub const WIDE: u32 = u32::MAX;
    /// The entry of a size in the list when entries have 16 bits.
    const NARROW_ESCAPE: u32 = u16::MAX as u32;

    /// Builds the columns from 32-bit sizes and the list of larger ones, in any order.
    pub(super) fn keep(
        mut sizes: Buffer<u32>,
        mut wide: Vec<(u32, u64)>,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let blocks = |sizes: &Buffer<u32>| sizes.len().div_ceil(CHECKPOINT_EVERY);
        let all_bits = sizes.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|block| {
            task.checkpoint()?;
            Ok(block.iter().filter(|&&size| size != Self::WIDE).fold(0, |bits, size| bits | size))
        });
        let all_bits = all_bits.try_reduce(|| 0, |a, b| Ok(a | b))?;
        // 8 for layouts of a JVM; 1 for sizes from the file.
        let shift = all_bits.trailing_zeros().min(3);
        let too_wide = |size: u32| size >> shift >= Self::NARROW_ESCAPE;
        let many = sizes.par_iter().filter(|&&size| too_wide(size)).count();
        let narrow = many <= blocks(&sizes) * 64 || many < 64;
        let escape = if narrow { Self::NARROW_ESCAPE } else { Self::WIDE };
        let more = sizes.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, sizes)| {
            task.checkpoint()?;
            let mut more = Vec::new();
            for (row, size) in (block * CHECKPOINT_EVERY..).zip(sizes) {
                *size = match *size {
                    Self::WIDE => escape,
                    wide if narrow && too_wide(wide) => {
                        more.push((row as u32, u64::from(wide)));
                        escape
                    }
                    fits => fits >> shift,
                };
            }
            Ok(more)
        });
        for mut more in more.collect::<Result<Vec<_>, Cancelled>>()? {
            wide.append(&mut more);
        }
        wide.sort_unstable();
        let (wide_rows, wide_bytes): (Vec<u32>, Vec<u64>) = wide.into_iter().unzip();
        Ok(Self {
            scale: Scale { unit: 1 << shift, escape },
            narrow: budget.keep_numbers(sections::SHALLOW, sizes),
            wide_rows: budget.keep(sections::WIDE_ROWS, wide_rows),
            wide_bytes: budget.keep(sections::WIDE_SIZES, wide_bytes),
        })
    }

    /// Encoding, which a stored analysis keeps besides the columns.
    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    /// Loads stored sizes.
    pub(super) fn find(stored: &StoredAnalysis, scale: Scale) -> Option<Self> {
        Some(Self {
            scale,
            narrow: Numbers::find(stored, sections::SHALLOW)?,
            wide_rows: stored.column(sections::WIDE_ROWS)?,
            wide_bytes: stored.column(sections::WIDE_SIZES)?,
        })
    }

    /// All sizes, for many lookups. For a stored analysis, this reads and checks all of them.
    pub(super) fn reading(&self) -> SizesView<'_> {
        SizesView { sizes: self, narrow: self.narrow.slices() }
    }

    /// Size of a row; 0 if there is no such row.
    #[inline]
    pub fn get(&self, row: u32) -> Bytes {
        self.meant(row, self.narrow.get(row as usize).unwrap_or_default())
    }

    /// Loads the size of a row in the background.
    #[inline]
    pub fn prefetch(&self, row: u32) {
        self.narrow.prefetch(row as usize);
    }

    /// Decodes the entry of a row.
    #[inline]
    fn meant(&self, row: u32, narrow: u32) -> Bytes {
        if narrow != self.scale.escape {
            return Bytes(u64::from(narrow) * u64::from(self.scale.unit));
        }
        self.wide(row)
    }

    #[cold]
    fn wide(&self, row: u32) -> Bytes {
        let at = self.wide_rows.all().binary_search(&row);
        Bytes(at.ok().and_then(|at| self.wide_bytes.get(at)).unwrap_or_default())
    }
}

#[derive(Clone, Copy)]
pub(super) struct SizesView<'a> {
    sizes: &'a Sizes,
    narrow: Slices<'a>,
}

impl SizesView<'_> {
    /// Size of a row; 0 if there is no such row.
    #[inline]
    pub(super) fn get(&self, row: u32) -> Bytes {
        self.sizes.meant(row, self.narrow.get(row as usize).unwrap_or_default())
    }
}
