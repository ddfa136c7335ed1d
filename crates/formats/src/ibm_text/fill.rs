//! Second pass over the lines, in parallel: fills in the row of every object, with its references.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{ClassTable, NamedClass};
use super::lines::{Line, Lines, Record, line, references};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, CollectedReferences, HeapColumns, RowWriter};

/// State shared by all threads that fill the columns.
pub(super) struct Filler<'a> {
    pub(super) file: &'a [u8],
    pub(super) table: &'a ClassTable<'a>,
    pub(super) columns: &'a HeapColumns<'a>,
    /// Addresses shared by several records.
    pub(super) claimed_twice: &'a FxHashSet<u64>,
}

/// References of all objects.
#[derive(Default)]
pub(super) struct FillResult {
    pub(super) parts: Vec<CollectedReferences>,
    /// Number of records at an address that another record has.
    pub(super) refused: u64,
    /// Offset of the first of them.
    pub(super) first_refused: Option<u64>,
}

/// Offset of the record that is used, by address, where several records share one: the last.
type Winners = FxHashMap<u64, u64>;
/// References of one piece, number of refused records, and offset of the first of them.
type Filled = (CollectedReferences, u64, Option<u64>);

impl Filler<'_> {
    /// Fills all rows. Progress counts bytes.
    pub(super) fn fill(&self, pieces: &[(u64, u64)], task: &Task) -> Result<FillResult, Cancelled> {
        let winners = Mutex::new(Winners::default());
        if !self.claimed_twice.is_empty() {
            pieces.par_iter().with_max_len(1).try_for_each(|&piece| self.see_claimed(piece, &winners, task))?;
        }
        let winners = winners.into_inner().unwrap_or_else(PoisonError::into_inner);
        let done = pieces.par_iter().with_max_len(1).map(|&piece| self.piece(piece, &winners, task));
        let done: Vec<Filled> = done.collect::<Result<_, Cancelled>>()?;
        let mut result = FillResult::default();
        for (part, refused, first) in done {
            result.parts.push(part);
            result.refused += refused;
            result.first_refused = result.first_refused.or(first);
        }
        Ok(result)
    }

    /// Visits all records with duplicate addresses.
    fn see_claimed(&self, piece: (u64, u64), winners: &Mutex<Winners>, task: &Task) -> Result<(), Cancelled> {
        let mut lines = Lines::new(self.file, piece.0, piece.1);
        while let Some((offset, bytes)) = lines.next_checked(task)? {
            if let Line::Record(Record { address, .. }) = line(bytes)
                && self.claimed_twice.contains(&address)
            {
                let mut winners = winners.lock().unwrap_or_else(PoisonError::into_inner);
                let last = winners.entry(address).or_insert(offset);
                *last = offset.max(*last);
            }
        }
        Ok(())
    }

    fn piece(&self, piece: (u64, u64), winners: &Winners, task: &Task) -> Result<Filled, Cancelled> {
        let mut part = self.columns.part();
        let mut lines = Lines::new(self.file, piece.0, piece.1);
        let (mut refused, mut first_refused) = (0, None);
        let (mut last, mut is_open) = ((&[][..], None), false);
        while let Some((offset, bytes)) = lines.next_checked(task)? {
            match line(bytes) {
                Line::Record(record) => {
                    is_open = false;
                    if !winners.is_empty() && winners.get(&record.address).is_some_and(|&last| last != offset) {
                        refused += 1;
                        first_refused.get_or_insert(offset);
                        continue;
                    }
                    if last.0 != record.name || last.1.is_none() {
                        last = (record.name, self.table.named(record.name));
                    }
                    let first = || first_reference(&record, lines.clone());
                    is_open = self.object(&mut part, &record, last.1, first, offset);
                    if is_open {
                        references(record.references).for_each(|to| part.reference(to));
                    }
                }
                Line::References(list) if is_open => references(list).for_each(|to| part.reference(to)),
                _ => {}
            }
        }
        task.advance_checked(piece.1 - piece.0)?;
        Ok((part.finish(), refused, first_refused))
    }

    #[inline]
    fn object(
        &self,
        part: &mut RowWriter<'_>,
        record: &Record<'_>,
        named: Option<NamedClass>,
        first: impl FnOnce() -> Option<u64>,
        offset: u64,
    ) -> bool {
        let Some(NamedClass { mut class, has_twins }) = named else { return false };
        if has_twins {
            class = first().and_then(|first| self.table.twin(first, class)).unwrap_or(class);
        }
        let (Some(row), Some(class)) = (self.columns.row(record.address), ClassId::from_raw(class)) else {
            return false;
        };
        part.object(row, class, Bytes(record.size), offset);
        true
    }
}

/// First reference of a record, which may be on the next line.
fn first_reference(record: &Record<'_>, mut lines: Lines<'_>) -> Option<u64> {
    references(record.references).next().or_else(|| match line(lines.next()?.1) {
        Line::References(list) => references(list).next(),
        _ => None,
    })
}
