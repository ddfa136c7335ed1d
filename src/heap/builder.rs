//! The only door into a heap. Readers learn all addresses and classes first;
//! then any number of threads fill the columns, each through its own [`Part`],
//! and [`HeapBuilder::finish`] lays the references out in rows.
//!
//! Columns are arrays of atomics only while they are being filled: every row is
//! written by the one thread that reads that object, in no particular order.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rayon::prelude::*;

use super::address_map::AddressMap;
use super::classes::Classes;
use super::facts::{FilePlaces, Heap};
use super::ids::{ClassId, ObjectId};
use super::notes::ImportNote;
use super::origin::Origin;
use super::roots::Roots;
use super::sizes::Sizes;
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::task::{Cancelled, Task};
use crate::units::Bytes;

/// A heap under construction.
pub struct HeapBuilder {
    addresses: AddressMap,
    classes: Classes,
    class_of: Vec<AtomicU32>,
    shallow: Vec<AtomicU32>,
    low: Vec<AtomicU32>,
    high: Vec<AtomicU8>,
    degrees: Vec<AtomicU32>,
}

/// What one thread read: objects in the order of the file, their references
/// one after the other.
pub struct Part<'a> {
    builder: &'a HeapBuilder,
    collected: Collected,
}

/// The references of one [`Part`].
#[derive(Default)]
pub struct Collected {
    rows: Vec<u32>,
    targets: Vec<u32>,
    referents: Vec<u32>,
    wide: Vec<(u32, u64)>,
    begun: usize,
    /// References to addresses where no object is.
    pub dangling: u64,
}

impl HeapBuilder {
    /// A builder for one row per address. `file_bytes` bounds the file offsets.
    pub fn new(addresses: AddressMap, classes: Classes, file_bytes: u64) -> Self {
        let len = addresses.len();
        let high = if file_bytes > u64::from(u32::MAX) { len } else { 0 };
        let column = || std::iter::repeat_with(|| AtomicU32::new(0)).take(len).collect::<Vec<_>>();
        Self {
            addresses,
            classes,
            class_of: column(),
            shallow: column(),
            low: column(),
            high: std::iter::repeat_with(|| AtomicU8::new(0)).take(high).collect(),
            degrees: column(),
        }
    }

    /// From address to row.
    pub fn addresses(&self) -> &AddressMap {
        &self.addresses
    }

    /// A thread's own part.
    pub fn part(&self) -> Part<'_> {
        Part { builder: self, collected: Collected::default() }
    }

    /// Puts everything in place. `extra` are references beside those of the
    /// parts (statics, loaders, locals of threads), in any order. Progress
    /// counts references.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn finish(
        self,
        origin: Origin,
        roots: Roots,
        notes: Vec<ImportNote>,
        parts: Vec<Collected>,
        mut extra: Vec<(ObjectId, ObjectId)>,
        task: &Task,
    ) -> Result<Heap, Cancelled> {
        extra.sort_by_key(|&(from, _)| from);
        for &(from, _) in &extra {
            self.degrees[from.index()].fetch_add(1, Ordering::Relaxed);
        }
        let mut degrees: Vec<u32> = self.degrees.into_iter().map(AtomicU32::into_inner).collect();
        let positions = Csr::layout(&degrees);
        // From here on the degrees are those of the parts alone: what is extra stands behind them.
        for &(from, _) in &extra {
            degrees[from.index()] -= 1;
        }
        let targets: Vec<AtomicU32> = std::iter::repeat_with(|| AtomicU32::new(0)).take(positions.total()).collect();
        let mut referent_first = Bits::new(degrees.len());
        let mut wide = Vec::new();
        for part in &parts {
            for &row in &part.referents {
                referent_first.insert(row);
            }
            wide.extend_from_slice(&part.wide);
        }
        for group in extra.chunk_by(|a, b| a.0 == b.0) {
            let row = group[0].0.index();
            let first = positions.of(row) + degrees[row] as usize;
            for (k, &(_, to)) in group.iter().enumerate() {
                targets[first + k].store(to.raw(), Ordering::Relaxed);
            }
        }
        parts.into_par_iter().try_for_each(|part| {
            task.checkpoint()?;
            let mut at = 0;
            for &row in &part.rows {
                let own = degrees[row as usize] as usize;
                let first = positions.of(row as usize);
                for (slot, &to) in targets[first..first + own].iter().zip(&part.targets[at..at + own]) {
                    slot.store(to, Ordering::Relaxed);
                }
                at += own;
            }
            task.advance_checked(at as u64)
        })?;
        let plain = |column: Vec<AtomicU32>| column.into_iter().map(AtomicU32::into_inner).collect::<Vec<u32>>();
        Ok(Heap {
            origin,
            classes: self.classes,
            roots,
            notes,
            addresses: self.addresses,
            class_of: plain(self.class_of),
            shallow: Sizes::new(plain(self.shallow), wide),
            places: FilePlaces::new(plain(self.low), self.high.into_iter().map(AtomicU8::into_inner).collect()),
            references: positions.filled(targets),
            referent_first,
        })
    }
}

impl Part<'_> {
    /// Begins an object; the references that follow are its own. Each row may be
    /// begun once, by one thread.
    pub fn object(&mut self, row: u32, class: ClassId, shallow: Bytes, file_offset: u64) {
        self.end_object();
        let builder = self.builder;
        let at = row as usize;
        builder.class_of[at].store(class.raw(), Ordering::Relaxed);
        let narrow = match u32::try_from(shallow.0) {
            Ok(n) if n != Sizes::WIDE => n,
            _ => {
                self.collected.wide.push((row, shallow.0));
                Sizes::WIDE
            }
        };
        builder.shallow[at].store(narrow, Ordering::Relaxed);
        builder.low[at].store(file_offset as u32, Ordering::Relaxed);
        if let Some(high) = builder.high.get(at) {
            high.store((file_offset >> 32) as u8, Ordering::Relaxed);
        }
        self.collected.rows.push(row);
        self.collected.begun = self.collected.targets.len();
    }

    /// A reference of the object begun last. Null is nothing; an address without an object is counted.
    #[inline]
    pub fn reference(&mut self, address: u64) {
        if address == 0 {
            return;
        }
        match self.builder.addresses.row(address) {
            Some(to) => self.collected.targets.push(to),
            None => self.collected.dangling += 1,
        }
    }

    /// The `referent` of the object begun last, before all its other references.
    pub fn referent(&mut self, address: u64) {
        let before = self.collected.targets.len();
        self.reference(address);
        if self.collected.targets.len() > before
            && let Some(&row) = self.collected.rows.last()
        {
            self.collected.referents.push(row);
        }
    }

    fn end_object(&mut self) {
        if let Some(&row) = self.collected.rows.last() {
            let degree = self.collected.targets.len() - self.collected.begun;
            self.builder.degrees[row as usize].store(degree as u32, Ordering::Relaxed);
        }
    }

    /// What was read.
    pub fn finish(mut self) -> Collected {
        self.end_object();
        self.collected.targets.shrink_to_fit();
        self.collected.rows.shrink_to_fit();
        self.collected
    }
}
