//! Second pass over the records, in parallel: fills in the row of every object, with its references.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::records::{Form, Record, RecordContents};
use super::{classes::ClassTable, pieces::Piece, sizes::Sizes};
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, CollectedReferences, HeapColumns, RowWriter};

/// State shared by all threads that fill the columns.
pub(super) struct Filler<'a> {
    pub(super) file: &'a [u8],
    pub(super) form: Form,
    pub(super) table: &'a ClassTable,
    pub(super) sizes: Sizes,
    /// By class.
    pub(super) instance_sizes: &'a [u64],
    pub(super) class_object_size: u64,
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
    pub(super) first_refused: Option<u64>,
    /// Number of references that identify the class.
    pub(super) leading: u64,
}

/// Offset of the record that is used, by address, where several records share one.
type Winners = FxHashMap<u64, u64>;

impl Filler<'_> {
    /// Fills all rows. Progress counts bytes.
    pub(super) fn fill(&self, pieces: &[Piece], task: &Task) -> Result<FillResult, Cancelled> {
        let winners = Mutex::new(Winners::default());
        let done = pieces.par_iter().with_max_len(1).map(|piece| self.piece(piece, &winners, task));
        let done: Vec<PieceResult> = done.collect::<Result<_, Cancelled>>()?;
        let winners = winners.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut result = FillResult::default();
        let mut deferred = 0;
        for done in done {
            result.parts.push(done.part);
            result.leading += done.leading;
            deferred += done.deferred;
        }
        if deferred > 0 {
            result.refused = deferred - winners.len() as u64;
            let first = pieces.par_iter().with_max_len(1).map(|piece| self.claimed(piece, &winners, task));
            let claimed: Vec<(CollectedReferences, Option<u64>)> = first.collect::<Result<_, Cancelled>>()?;
            result.first_refused = claimed.iter().find_map(|&(_, refused)| refused);
            result.parts.extend(claimed.into_iter().map(|(part, _)| part));
        }
        Ok(result)
    }

    /// Fills a piece, except for records at addresses shared by several.
    fn piece(&self, piece: &Piece, winners: &Mutex<Winners>, task: &Task) -> Result<PieceResult, Cancelled> {
        let mut writer = Writer { filler: self, part: self.columns.part(), last: (0, None), leading: 0 };
        let mut deferred = 0;
        let mut walker = piece.walker(self.file, self.form);
        let mut records = 0_usize;
        while let Ok(record) = walker.next() {
            records += 1;
            task.checkpoint_at(records)?;
            if !self.claimed_twice.is_empty() && self.claimed_twice.contains(&record.address) {
                deferred += 1;
                // The first one in the file wins, independent of the number of threads.
                let mut winners = winners.lock().unwrap_or_else(PoisonError::into_inner);
                let first = winners.entry(record.address).or_insert(record.offset);
                *first = record.offset.min(*first);
                continue;
            }
            writer.record(record);
        }
        task.advance_checked(piece.bytes())?;
        Ok(PieceResult { part: writer.part.finish(), deferred, leading: writer.leading })
    }

    /// Claims the addresses of a piece that several records share; also returns the first record that lost.
    fn claimed(
        &self,
        piece: &Piece,
        winners: &Winners,
        task: &Task,
    ) -> Result<(CollectedReferences, Option<u64>), Cancelled> {
        let mut writer = Writer { filler: self, part: self.columns.part(), last: (0, None), leading: 0 };
        let mut refused = None;
        let mut walker = piece.walker(self.file, self.form);
        while let Ok(record) = walker.next() {
            match winners.get(&record.address) {
                Some(&offset) if offset == record.offset => writer.record(record),
                Some(_) => {
                    refused.get_or_insert(record.offset);
                }
                None => {}
            }
        }
        task.checkpoint()?;
        Ok((writer.part.finish(), refused))
    }
}

struct PieceResult {
    part: CollectedReferences,
    deferred: u64,
    leading: u64,
}

struct Writer<'a> {
    filler: &'a Filler<'a>,
    part: RowWriter<'a>,
    /// Cache, since instances come in runs of one class: its address, index and instance size.
    last: (u64, Option<(ClassId, u64)>),
    leading: u64,
}

impl Writer<'_> {
    #[inline]
    fn record(&mut self, mut record: Record<'_>) {
        let filler = self.filler;
        let Some(row) = filler.columns.row(record.address) else { return };
        let has_leading = record.take_leading(filler.form, |first, word| filler.table.is_array_of(first, word));
        self.leading += u64::from(has_leading);
        let references = record.references;
        let (class, size, backwards) = match record.contents {
            RecordContents::Instance { class: word } => {
                if self.last.0 != word || self.last.1.is_none() {
                    let class = filler.table.of(word);
                    let size = class.and_then(|class| filler.instance_sizes.get(class as usize).copied());
                    self.last = (word, class.and_then(ClassId::from_raw).zip(size));
                }
                let Some((class, size)) = self.last.1 else { return };
                (Some(class), size, false)
            }
            RecordContents::Objects { class: word, length } => {
                let class = filler.table.of_array(word).and_then(ClassId::from_raw);
                let length = length.map_or(references.len() as u64, u64::from);
                (class, filler.sizes.objects(length, record.size), true)
            }
            RecordContents::Primitives { kind, length } => {
                let class = filler.table.of_primitives(kind).and_then(ClassId::from_raw);
                (class, filler.sizes.primitives(kind, length, record.size), false)
            }
            RecordContents::Class { .. } => (ClassId::from_raw(filler.table.class), filler.class_object_size, false),
        };
        let Some(class) = class else { return };
        self.part.object(row, class, Bytes(size), record.offset);
        if backwards {
            references.all().rev().for_each(|to| self.part.reference(to));
        } else {
            references.all().for_each(|to| self.part.reference(to));
        }
    }
}
