//! Objects in the order of a size, a part at a time: most queries ask for the first few of millions.

use std::sync::Arc;

use rayon::prelude::*;

use super::conditions::ObjectConditions;
use super::values::ObjectValue;
use crate::relation::RowsError;
use crate::source::QuerySource;
use heaplens_base::{CHECKPOINT_EVERY, Task};
use heaplens_heap::ObjectId;

/// Rows of the first part, and by how much each further part is larger.
const FIRST: usize = 4_096;
const GROWTH: usize = 32;

/// Size to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RankKey {
    Shallow,
    Retained,
}

impl RankKey {
    pub(super) fn of(value: ObjectValue) -> Option<Self> {
        match value {
            ObjectValue::Shallow => Some(Self::Shallow),
            ObjectValue::Retained => Some(Self::Retained),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn of_row(self, source: &QuerySource, row: u32) -> u64 {
        ObjectId::from_raw(row).map_or(0, |object| match self {
            Self::Shallow => source.heap().shallow(object).0,
            Self::Retained => source.analysis().retained(object).0,
        })
    }
}

/// Rank of a row: smaller comes first. Equal sizes are in the order of rows.
type Rank = (u64, u32);

/// Rows in order.
pub(super) struct Ranked {
    key: RankKey,
    descending: bool,
    /// The current part, and how many of it are passed.
    part: Arc<[Rank]>,
    passed: usize,
    size: usize,
    is_last: bool,
}

impl Ranked {
    pub(super) fn new(key: RankKey, descending: bool) -> Self {
        Self { key, descending, part: Arc::default(), passed: 0, size: FIRST, is_last: false }
    }

    /// The next row that meets the conditions.
    pub(super) fn next(
        &mut self,
        source: &QuerySource,
        conditions: &ObjectConditions,
        task: &Task,
    ) -> Result<Option<u32>, RowsError> {
        if self.passed == self.part.len() && !self.is_last {
            let part = self.after(self.part.last().copied(), source, conditions, task)?;
            self.is_last = part.len() < self.size;
            self.size = self.size.saturating_mul(GROWTH);
            (self.part, self.passed) = (part.into(), 0);
        }
        let next = self.part.get(self.passed).map(|&(_, row)| row);
        self.passed += usize::from(next.is_some());
        Ok(next)
    }

    /// The next rows after one, at most as many as the part has.
    fn after(
        &self,
        last: Option<Rank>,
        source: &QuerySource,
        conditions: &ObjectConditions,
        task: &Task,
    ) -> Result<Vec<Rank>, RowsError> {
        let blocks = source.heap().len().div_ceil(CHECKPOINT_EVERY);
        let rank = |row: u32| {
            let size = self.key.of_row(source, row);
            (if self.descending { u64::MAX - size } else { size }, row)
        };
        let gather = |mut ranks: Vec<Rank>, block: usize| {
            task.checkpoint()?;
            let rows = block * CHECKPOINT_EVERY..((block + 1) * CHECKPOINT_EVERY).min(source.heap().len());
            for row in rows.map(|row| row as u32) {
                let rank = rank(row);
                if last.is_none_or(|last| rank > last) && conditions.meets(source, row) {
                    ranks.push(rank);
                }
            }
            first(&mut ranks, self.size);
            Ok(ranks)
        };
        let merge = |mut one: Vec<Rank>, other: Vec<Rank>| {
            one.extend(other);
            first(&mut one, self.size);
            Ok::<_, RowsError>(one)
        };
        let mut ranks = (0..blocks).into_par_iter().try_fold(Vec::new, gather).try_reduce(Vec::new, merge)?;
        ranks.par_sort_unstable();
        Ok(ranks)
    }
}

/// Keeps the smallest ranks, in any order.
fn first(ranks: &mut Vec<Rank>, most: usize) {
    if ranks.len() > most {
        ranks.select_nth_unstable(most - 1);
        ranks.truncate(most);
    }
}
