//! Builder of heaps, the only way to create one. Readers collect all addresses and classes first; then several threads
//! fill the columns, each through its own [`RowWriter`], and [`HeapBuilder::finish`] arranges the references in rows.
//!
//! Columns are atomics only while they are filled: every row is written by the one thread that reads that object, in no
//! particular order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rayon::prelude::*;

use super::regions::{RegionRuns, Regions};
use super::sizes::{MOST_BYTES, Sizes, too_large};
use super::{
    AddressMap, ClassId, Classes, Heap, ImportNote, ObjectId, Origin,
    address_map::Finder,
    facts::FileOffsets,
    native::{NativeBytes, NativeMemory},
    roots::Roots,
    sections,
};
use heaplens_base::storage::{Buffer, Column, MemoryBudget, Numbers};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::{Csr, Links, NONE};

/// Peak size of arrays per object, in bytes: search numbers, and the records of semi-NCA.
const EXPECTED: usize = 28;

/// A heap under construction.
pub struct HeapBuilder<'s> {
    budget: &'s MemoryBudget,
    addresses: AddressMap,
    classes: Classes,
    class_of: Buffer<u32>,
    shallow: Buffer<u32>,
    low: Buffer<u32>,
    high: Buffer<u8>,
    /// Number of outgoing references of each row, with a trailing entry.
    degrees: Buffer<u32>,
}

/// Properties of a filled row.
#[derive(Debug, Clone, Copy)]
pub struct FilledRow {
    /// Its class, as a raw [`ClassId`].
    pub class: u32,
    /// Address of the object.
    pub address: u64,
    /// Size in bytes; for 4 GiB and more, the largest value.
    pub size: u32,
}

/// The columns while threads write to them.
pub struct HeapColumns<'a> {
    budget: &'a MemoryBudget,
    addresses: Finder<'a>,
    class_of: &'a [AtomicU32],
    shallow: &'a [AtomicU32],
    low: &'a [AtomicU32],
    high: &'a [AtomicU8],
    degrees: &'a [AtomicU32],
}

/// Output of one thread: objects in file order, their references one after the other.
pub struct RowWriter<'a> {
    columns: &'a HeapColumns<'a>,
    collected: CollectedReferences,
    targets: Vec<u32>,
    last: Option<u32>,
    begun: usize,
}

/// The references of one [`RowWriter`].
#[derive(Default)]
pub struct CollectedReferences {
    /// Rows in reading order, as runs of consecutive rows: first, length.
    runs: Vec<(u32, u32)>,
    targets: Column<u32>,
    referents: Vec<u32>,
    wide: Vec<(u32, u64)>,
    /// Number of dangling references.
    pub dangling: u64,
}

/// Complete heap, and its references in memory even if the heap keeps them in a file: searches read them at random,
/// many times.
pub struct CompleteHeap {
    /// The heap.
    pub heap: Heap,
    /// Its references in memory.
    pub references: Arc<Csr>,
}

impl CompleteHeap {
    /// Adds native memory to the heap; several amounts of one object are summed.
    #[must_use]
    pub fn with_native(mut self, owned: Vec<NativeMemory>, budget: &MemoryBudget) -> Self {
        self.heap.native = Arc::new(NativeBytes::new(owned, budget));
        self
    }

    /// Divides the heap into regions by file offsets of its objects. Synthetic objects are in the first region.
    pub fn divided(mut self, regions: RegionRuns, budget: &MemoryBudget, task: &Task) -> Result<Self, Cancelled> {
        let offset = |row| ObjectId::from_raw(row).and_then(|object| self.heap.file_offset(object)).unwrap_or_default();
        let regions = Regions::divide(self.heap.len(), offset, regions, budget, task)?;
        self.heap.regions = Some(Arc::new(regions));
        Ok(self)
    }
}

impl<'s> HeapBuilder<'s> {
    /// A builder for one row per address. `file_bytes` bounds the file offsets.
    pub fn new(addresses: AddressMap, classes: Classes, file_bytes: u64, budget: &'s MemoryBudget) -> Self {
        let len = addresses.len();
        let high = if file_bytes > u64::from(u32::MAX) { len } else { 0 };
        // More than this is freed before the dominators need it.
        budget.expect(EXPECTED * len);
        Self {
            budget,
            addresses,
            classes,
            class_of: budget.buffer(len),
            shallow: budget.buffer(len),
            low: budget.buffer(len),
            high: budget.buffer(high),
            degrees: budget.buffer(len + 1),
        }
    }

    /// From address to row.
    pub fn addresses(&self) -> &AddressMap {
        &self.addresses
    }

    /// Class of a filled row; 0 if not filled.
    pub fn class_of(&self, row: u32) -> u32 {
        self.class_of.get(row as usize).copied().unwrap_or_default()
    }

    /// Columns for writing.
    pub fn columns(&mut self) -> HeapColumns<'_> {
        HeapColumns {
            budget: self.budget,
            addresses: self.addresses.finder(),
            class_of: self.class_of.shared(),
            shallow: self.shallow.shared(),
            low: self.low.shared(),
            high: self.high.shared(),
            degrees: self.degrees.shared(),
        }
    }

    /// Replaces the size of every row by the result of `size`, given the row and its two neighbours. Requires that all
    /// rows are filled; sizes of 4 GiB and more are unchanged.
    pub fn resize(
        &mut self,
        size: impl Fn([Option<FilledRow>; 3]) -> u32 + Sync,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let len = self.class_of.len();
        let mut sized = self.budget.scratch::<u32>(len);
        let (class_of, shallow, addresses) = (&self.class_of, &self.shallow, &self.addresses);
        sized.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).enumerate().try_for_each(|(block, sized)| {
            task.checkpoint()?;
            let first = block * CHECKPOINT_EVERY;
            let mut rows = (first.saturating_sub(1)..len)
                .zip(addresses.addresses_from(first.saturating_sub(1) as u32))
                .map(|(row, address)| FilledRow { class: class_of[row], address, size: shallow[row] });
            let mut before = if first == 0 { None } else { rows.next() };
            let mut this = rows.next();
            for sized in sized {
                let after = rows.next();
                *sized = match this {
                    Some(FilledRow { size: Sizes::WIDE, .. }) | None => Sizes::WIDE,
                    _ => size([before, this, after]).min(Sizes::WIDE - 1),
                };
                (before, this) = (this, after);
            }
            Ok(())
        })?;
        self.shallow = sized;
        Ok(())
    }

    /// Assembles the heap. `extra` are references besides those of the parts (statics, loaders, locals of threads), in
    /// any order. Progress counts references.
    pub fn finish(
        self,
        origin: Origin,
        roots: Roots,
        mut notes: Vec<ImportNote>,
        mut parts: Vec<CollectedReferences>,
        mut extra: Vec<(ObjectId, ObjectId)>,
        task: &Task,
    ) -> Result<CompleteHeap, Cancelled> {
        let Self { budget, addresses, classes, class_of, shallow, low, high, mut degrees } = self;
        // Release finished columns first: the references need the memory next.
        let class_of = budget.keep_numbers(sections::CLASS, class_of);
        let mut wide: Vec<(u32, u64)> = parts.iter_mut().flat_map(|part| std::mem::take(&mut part.wide)).collect();
        let larger = wide.iter_mut().filter(|(_, bytes)| *bytes > MOST_BYTES);
        let larger = larger.map(|(_, bytes)| *bytes = MOST_BYTES).count();
        notes.extend(too_large(larger as u64, None));
        let shallow = Sizes::keep(shallow, wide, budget, task)?;
        let offsets =
            FileOffsets::new(budget.keep(sections::OFFSET_LOW, low), budget.keep(sections::OFFSET_HIGH, high));
        let mut referents: Vec<u32> = parts.iter_mut().flat_map(|part| std::mem::take(&mut part.referents)).collect();
        referents.par_sort_unstable();
        task.checkpoint()?;

        let unresolved = parts.iter().map(|part| part.dangling).sum();
        extra.sort_by_key(|&(from, _)| from);
        for &(from, _) in &extra {
            degrees[from.index()] += 1;
        }
        let positions = Csr::layout_in_place(degrees, budget);
        let mut targets = budget.scratch::<u32>(positions.total());
        let slots: &[AtomicU32] = targets.shared();
        for group in extra.chunk_by(|a, b| a.0 == b.0) {
            // They come after those that the parts read for the same object.
            let end = positions.of(group[0].0.index() + 1);
            for (slot, &(_, to)) in slots[end - group.len()..end].iter().zip(group) {
                slot.store(to.raw(), Ordering::Relaxed);
            }
        }
        parts.into_par_iter().with_max_len(1).try_for_each(|part| {
            task.checkpoint()?;
            let mut left = part.targets.all();
            for &(first, rows) in &part.runs {
                for (from, to, extra) in between(first, rows, &extra) {
                    // Consecutive rows without extra references: one piece.
                    let range = positions.of(from as usize)..positions.of(to as usize) - extra;
                    let (own, rest) = left.split_at(range.len());
                    slots[range].iter().zip(own).for_each(|(slot, &to)| slot.store(to, Ordering::Relaxed));
                    left = rest;
                }
            }
            task.advance_checked(part.targets.len() as u64)
        })?;
        let in_memory = Arc::new(positions.with(targets));
        let references = Links::keep(in_memory.clone(), budget, sections::REFERENCES);
        let to_classes = to_classes(&class_of, &classes, task)?;
        let heap = Heap {
            origin,
            classes,
            roots,
            notes,
            addresses: addresses.keep(budget).into(),
            class_of: class_of.into(),
            shallow: shallow.into(),
            offsets: offsets.into(),
            references: references.into(),
            to_classes,
            unresolved,
            made: Arc::default(),
            referent_first: budget.keep(sections::REFERENTS, referents).into(),
            regions: None,
            native: Arc::default(),
            snapshot: None,
            freed: None,
        };
        Ok(CompleteHeap { heap, references: in_memory })
    }
}

/// Number of objects whose class has a class object, to which each refers.
fn to_classes(class_of: &Numbers, classes: &Classes, task: &Task) -> Result<u64, Cancelled> {
    let (classes_of, hubs) = (class_of.slices(), classes.hubs());
    let blocks = task.par_blocks(class_of.len()).map(|rows| {
        let hub = |row: usize| classes_of.get(row).and_then(|class| hubs.get(class as usize));
        Ok(rows?.filter(|&row| hub(row).is_some_and(|&hub| hub != NONE)).count() as u64)
    });
    blocks.try_reduce(|| 0, |a, b| Ok(a + b))
}

/// Splits a run of rows after each object with extra references: first row, end row, and number of extra references of
/// the last row.
fn between(first: u32, rows: u32, extra: &[(ObjectId, ObjectId)]) -> impl Iterator<Item = (u32, u32, usize)> {
    let end = first + rows;
    let from = extra.partition_point(|(object, _)| object.raw() < first);
    let inside = &extra[from..from + extra[from..].partition_point(|(object, _)| object.raw() < end)];
    let mut at = first;
    let mut groups = inside.chunk_by(|a, b| a.0 == b.0);
    std::iter::from_fn(move || {
        let (from, to, extra) = match groups.next() {
            Some(group) => (at, group[0].0.raw() + 1, group.len()),
            None if at < end => (at, end, 0),
            None => return None,
        };
        at = to;
        Some((from, to, extra))
    })
}

impl HeapColumns<'_> {
    /// A thread's own part.
    pub fn part(&self) -> RowWriter<'_> {
        RowWriter {
            columns: self,
            collected: CollectedReferences::default(),
            targets: Vec::new(),
            last: None,
            begun: 0,
        }
    }

    /// The row of an address.
    #[inline]
    pub fn row(&self, address: u64) -> Option<u32> {
        self.addresses.row(address)
    }
}

impl RowWriter<'_> {
    /// Begins an object; the following references belong to it. Each row may be begun once, by one thread.
    pub fn object(&mut self, row: u32, class: ClassId, shallow: Bytes, file_offset: u64) {
        self.end_object();
        let columns = self.columns;
        let at = row as usize;
        columns.class_of[at].store(class.raw(), Ordering::Relaxed);
        let narrow = match u32::try_from(shallow.0) {
            Ok(n) if n != Sizes::WIDE => n,
            _ => {
                self.collected.wide.push((row, shallow.0));
                Sizes::WIDE
            }
        };
        columns.shallow[at].store(narrow, Ordering::Relaxed);
        columns.low[at].store(file_offset as u32, Ordering::Relaxed);
        if let Some(high) = columns.high.get(at) {
            high.store((file_offset >> 32) as u8, Ordering::Relaxed);
        }
        match self.collected.runs.last_mut() {
            Some((first, rows)) if *first + *rows == row => *rows += 1,
            _ => self.collected.runs.push((row, 1)),
        }
        self.last = Some(row);
        self.begun = self.targets.len();
    }

    /// Adds a reference to the current object. Null is ignored; an address without an object is counted as dangling.
    #[inline]
    pub fn reference(&mut self, address: u64) {
        if address == 0 {
            return;
        }
        match self.columns.addresses.row(address) {
            Some(to) => self.targets.push(to),
            None => self.collected.dangling += 1,
        }
    }

    /// Adds the `referent` of the current object; must precede its other references.
    pub fn referent(&mut self, address: u64) {
        let before = self.targets.len();
        self.reference(address);
        if self.targets.len() > before {
            self.collected.referents.extend(self.last);
        }
    }

    fn end_object(&mut self) {
        if let Some(row) = self.last {
            let degree = self.targets.len() - self.begun;
            self.columns.degrees[row as usize].store(degree as u32, Ordering::Relaxed);
        }
    }

    /// Returns the collected addresses.
    pub fn finish(mut self) -> CollectedReferences {
        self.end_object();
        self.targets.shrink_to_fit();
        CollectedReferences { targets: self.columns.budget.to_column(self.targets), ..self.collected }
    }
}
