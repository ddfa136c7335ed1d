//! Range sums over a long list of weights, with two lookups each.

use rayon::prelude::*;

use heaplens_base::storage::{
    Column, ForwardColumn, MemoryBudget, Numbers, Slices, StoredAnalysis, numbers::ForwardNumbers,
};
use heaplens_base::{Cancelled, Task};
use std::ops::Range;

/// The names of their columns in a stored analysis.
#[derive(Debug, Clone, Copy)]
pub struct SumNames {
    /// Column name for the sums before each block.
    pub bases: &'static str,
    /// Column name for the sums inside blocks.
    pub inside: &'static str,
    /// The same, if they do not fit into 32 bits.
    pub wide: &'static str,
}

/// Number of weights whose sums are stored relative to the first of them, usually with 32 bits each.
const BLOCK: usize = 1 << 10;

/// Prefix sums of weights.
pub struct Sums {
    /// Sum of all weights before each block, and of all weights.
    bases: Column<u64>,
    /// Sum of the weights of the same block before each.
    inside: Inside,
}

enum Inside {
    Narrow(Numbers),
    /// The weights of one block exceed 4 GiB.
    Wide(Column<u64>),
}

/// Sums over consecutive ranges.
pub struct ForwardSums<'a> {
    sums: &'a Sums,
    bases: ForwardColumn<'a, u64>,
    inside: ForwardInside<'a>,
    /// End of the last run and the sum before it: the next run usually begins there.
    last: (u32, u64),
}

/// All sums, for many lookups in any order.
#[derive(Clone, Copy)]
pub(super) struct SumSlices<'a> {
    sums: &'a Sums,
    bases: &'a [u64],
    /// `None` if they are wide, which is rare.
    inside: Option<Slices<'a>>,
}

impl SumSlices<'_> {
    /// Sum of the weights in a range.
    #[inline]
    pub(super) fn of(&self, range: Range<u32>) -> u64 {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    #[inline]
    fn before(&self, at: u32) -> u64 {
        let Some(inside) = &self.inside else { return self.sums.before(at) };
        let at = at as usize;
        let Some(inside) = inside.get(at) else { return self.sums.all() };
        self.bases.get(at / BLOCK).copied().unwrap_or_default().saturating_add(inside.into())
    }
}

enum ForwardInside<'a> {
    Narrow(ForwardNumbers<'a>),
    Wide(ForwardColumn<'a, u64>),
}

impl ForwardSums<'_> {
    /// Sum of the weights in a range.
    #[inline]
    pub fn of(&mut self, range: Range<u32>) -> u64 {
        let before = if self.last.0 == range.start { self.last.1 } else { self.before(range.start) };
        self.last = (range.end, self.before(range.end));
        self.last.1.saturating_sub(before)
    }

    #[inline]
    fn before(&mut self, at: u32) -> u64 {
        let at = at as usize;
        let inside = match &mut self.inside {
            ForwardInside::Narrow(inside) => inside.get(at).map(u64::from),
            ForwardInside::Wide(inside) => inside.get(at),
        };
        let Some(inside) = inside else { return self.sums.all() };
        self.bases.get(at / BLOCK).unwrap_or_default().saturating_add(inside)
    }
}

impl Sums {
    /// Builds the sums of `len` weights; they saturate at 64 bits.
    pub fn new(
        len: usize,
        weight: impl Fn(u32) -> u64 + Sync,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let mut inside = budget.scratch::<u32>(len);
        let blocks = inside.par_chunks_mut(BLOCK).with_max_len(1).enumerate().map(|(block, inside)| {
            task.checkpoint()?;
            let mut sum = 0_u64;
            for (at, inside) in (block * BLOCK..).zip(inside) {
                *inside = u32::try_from(sum).unwrap_or(u32::MAX);
                sum = sum.saturating_add(weight(at as u32));
            }
            Ok(sum)
        });
        let totals = blocks.collect::<Result<Vec<u64>, Cancelled>>()?;
        let narrow = totals.iter().all(|&total| u32::try_from(total).is_ok());
        let mut bases = Vec::with_capacity(totals.len() + 1);
        bases.push(0_u64);
        bases.extend(totals.iter().scan(0_u64, |sum, &total| {
            *sum = sum.saturating_add(total);
            Some(*sum)
        }));
        let inside = if narrow {
            Inside::Narrow(Numbers::Words(inside.into()))
        } else {
            drop(inside);
            Inside::Wide(wide(len, weight, budget, task)?)
        };
        Ok(Self { bases: bases.into(), inside })
    }

    /// Writes the sums to the column file.
    #[must_use]
    pub fn keep(self, budget: &MemoryBudget, names: SumNames) -> Self {
        let inside = match self.inside {
            Inside::Narrow(Numbers::Words(inside)) => Inside::Narrow(budget.keep_numbers(names.inside, inside)),
            Inside::Narrow(column) => Inside::Narrow(column),
            Inside::Wide(inside) => Inside::Wide(budget.keep(names.wide, inside)),
        };
        Self { bases: budget.keep(names.bases, self.bases), inside }
    }

    /// Loads stored sums.
    pub fn find(stored: &StoredAnalysis, names: SumNames) -> Option<Self> {
        let narrow = Numbers::find(stored, names.inside).map(Inside::Narrow);
        let inside = narrow.or_else(|| stored.column(names.wide).map(Inside::Wide))?;
        Some(Self { bases: stored.column(names.bases)?, inside })
    }

    /// Sum of the weights before one.
    #[inline]
    fn before(&self, at: u32) -> u64 {
        let at = at as usize;
        let inside = match &self.inside {
            Inside::Narrow(inside) => inside.get(at).map(u64::from),
            Inside::Wide(inside) => inside.get(at),
        };
        // After the last one, the sum is the total.
        let Some(inside) = inside else { return self.all() };
        self.bases.get(at / BLOCK).unwrap_or_default().saturating_add(inside)
    }

    /// All sums as slices. For stored sums, this reads and checks all of them.
    pub(super) fn slices(&self) -> SumSlices<'_> {
        let inside = match &self.inside {
            Inside::Narrow(inside) => Some(inside.slices()),
            Inside::Wide(_) => None,
        };
        SumSlices { sums: self, bases: self.bases.all(), inside }
    }

    /// Sequential access to the sums.
    pub fn forward(&self) -> ForwardSums<'_> {
        let inside = match &self.inside {
            Inside::Narrow(inside) => ForwardInside::Narrow(inside.forward()),
            Inside::Wide(inside) => ForwardInside::Wide(inside.forward()),
        };
        ForwardSums { sums: self, bases: self.bases.forward(), inside, last: (0, 0) }
    }

    /// Sum of all weights.
    pub fn all(&self) -> u64 {
        self.bases.len().checked_sub(1).and_then(|last| self.bases.get(last)).unwrap_or_default()
    }

    /// Sum of the weights in a range.
    #[inline]
    pub fn of(&self, range: Range<u32>) -> u64 {
        self.before(range.end).saturating_sub(self.before(range.start))
    }
}

fn wide(
    len: usize,
    weight: impl Fn(u32) -> u64 + Sync,
    budget: &MemoryBudget,
    task: &Task,
) -> Result<Column<u64>, Cancelled> {
    let mut inside = budget.buffer::<u64>(len);
    inside.par_chunks_mut(BLOCK).with_max_len(1).enumerate().try_for_each(|(block, inside)| {
        task.checkpoint()?;
        let mut sum = 0_u64;
        for (at, inside) in (block * BLOCK..).zip(inside) {
            *inside = sum;
            sum = sum.saturating_add(weight(at as u32));
        }
        Ok(())
    })?;
    Ok(inside.into())
}
