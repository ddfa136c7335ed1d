//! Second pass over the sub-records, in parallel: fills in the row of every object, with its references.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::flat_objects::is_flat;
use super::schema::{Blueprint, Schema};
use super::subrecords::{CancelCheck, RawArray, RawInstance, Visitor, walk};
use super::{jvm_layout::FlatArrays, jvm_layout::StackChunks, pieces::Piece, sizes::ArraySizes, tags::BasicType};
use crate::cursor::Cursor;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, CollectedReferences, HeapColumns, ImportNote, RowWriter, Severity};

/// State shared by all threads that fill the columns.
pub(super) struct Filler<'a> {
    pub(super) file: &'a [u8],
    pub(super) id_bytes: u32,
    pub(super) schema: &'a Schema,
    pub(super) arrays: ArraySizes,
    /// Classes whose instances differ in size.
    pub(super) stack_chunks: Option<StackChunks>,
    /// Arrays of value objects, in a dump that has objects stored in others.
    pub(super) flat_arrays: Option<FlatArrays>,
    /// Size in bytes of the synthetic bootstrap loader at address 0.
    pub(super) bootstrap_loader: Bytes,
    pub(super) columns: &'a HeapColumns<'a>,
    /// Addresses claimed by more than one record.
    pub(super) claimed_twice: &'a FxHashSet<u64>,
}

/// References of all objects, and number of records with an address already in use.
pub(super) struct FillResult {
    pub(super) parts: Vec<CollectedReferences>,
    pub(super) refused: u64,
    pub(super) first_refused: Option<u64>,
    pub(super) misfits: Misfits,
}

/// Number of instances whose values are shorter, and longer, than their class declares; with the offset of the first.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Misfits {
    shorter: (u64, Option<u64>),
    longer: (u64, Option<u64>),
}

impl Misfits {
    #[cold]
    fn add(&mut self, offset: u64, bytes: usize, declared: u32) {
        let one = if bytes < declared as usize { &mut self.shorter } else { &mut self.longer };
        join(one, (1, Some(offset)));
    }

    fn join(&mut self, other: Self) {
        join(&mut self.shorter, other.shorter);
        join(&mut self.longer, other.longer);
    }

    /// Parse warnings.
    pub(super) fn notes(&self) -> impl Iterator<Item = ImportNote> {
        let shorter = "instances with fewer bytes than their class declares: values of their last fields are missing";
        let longer = "instances with more bytes than their class declares: the rest of their values is not described";
        let notes = [(shorter, self.shorter), (longer, self.longer)];
        notes
            .into_iter()
            .filter_map(|(message, (count, first))| ImportNote::if_any(Severity::Error, count, message, first))
    }
}

fn join(one: &mut (u64, Option<u64>), other: (u64, Option<u64>)) {
    *one = (one.0 + other.0, one.1.into_iter().chain(other.1).min());
}

impl Filler<'_> {
    /// Fills all rows. Progress counts bytes.
    pub(super) fn fill(&self, pieces: &[Piece], task: &Task) -> Result<FillResult, Cancelled> {
        let done = pieces.par_iter().with_max_len(1).map(|piece| {
            let mut writer = self.writer(true, task);
            for range in &piece.ranges {
                task.checkpoint()?;
                // Breaks were recorded by the first reading.
                let _noted = walk(self.file, range.clone(), self.id_bytes, &mut writer);
                task.checkpoint()?;
                task.advance(range.end - range.start);
            }
            Ok((writer.part.finish(), writer.deferred, writer.misfits))
        });
        let done: Vec<(CollectedReferences, Vec<_>, Misfits)> = done.collect::<Result<_, Cancelled>>()?;
        let mut deferred: Vec<(u64, u64)> = done.iter().flat_map(|(_, deferred, _)| deferred).copied().collect();
        deferred.sort_unstable();
        let mut misfits = Misfits::default();
        done.iter().for_each(|&(_, _, of_part)| misfits.join(of_part));
        let mut parts: Vec<CollectedReferences> = done.into_iter().map(|(part, ..)| part).collect();
        // Of several records with one address, the first in the file wins, independent of the number of threads.
        let mut writer = self.writer(false, task);
        // Address 0 belongs to the bootstrap loader, regardless of the file.
        let mut taken: FxHashSet<u64> = self.schema.classes.iter().map(|c| c.id).chain([0]).collect();
        let (mut refused, mut first_refused) = (0, None);
        for (offset, id) in deferred {
            task.checkpoint()?;
            if taken.insert(id) {
                writer.until = offset;
                let _stopped = walk(self.file, offset..self.file.len() as u64, self.id_bytes, &mut writer);
            } else {
                refused += 1;
                first_refused.get_or_insert(offset);
            }
        }
        misfits.join(writer.misfits);
        parts.push(writer.part.finish());
        self.classes(&mut parts);
        Ok(FillResult { parts, refused, first_refused, misfits })
    }

    /// Rows of class objects, and of the synthetic bootstrap loader that MAT places at address 0. Their references are
    /// added with the extra ones, since they are few.
    fn classes(&self, parts: &mut Vec<CollectedReferences>) {
        let mut part = self.columns.part();
        let class_of_classes = self.schema.named("java.lang.Class").and_then(|c| self.schema.of(c.id));
        for class in &self.schema.classes {
            let row = self.columns.row(class.id);
            if let (Some(row), Some(of)) = (row, class_of_classes.and_then(ClassId::from_raw)) {
                part.object(row, of, Bytes(class.class_object_size), class.offset);
            }
        }
        let loader = self.schema.named("java.lang.ClassLoader");
        let of = loader.and_then(|l| self.schema.of(l.id)).and_then(ClassId::from_raw);
        if let (Some(of), Some(row)) = (of, self.columns.row(0)) {
            part.object(row, of, self.bootstrap_loader, 0);
        }
        parts.push(part.finish());
    }

    fn writer<'a>(&'a self, first_reading: bool, task: &'a Task) -> Writer<'a> {
        let (part, cancel_check) = (self.columns.part(), CancelCheck::new(task));
        Writer {
            filler: self,
            part,
            cancel_check,
            first_reading,
            until: u64::MAX,
            deferred: Vec::new(),
            misfits: Misfits::default(),
        }
    }
}

struct Writer<'a> {
    filler: &'a Filler<'a>,
    part: RowWriter<'a>,
    cancel_check: CancelCheck<'a>,
    /// True if records with duplicate addresses are deferred.
    first_reading: bool,
    /// Offset of the last sub-record to read.
    until: u64,
    /// Offset and address of deferred records.
    deferred: Vec<(u64, u64)>,
    misfits: Misfits,
}

impl Writer<'_> {
    /// Row of an object that is to be read now.
    #[inline]
    fn row(&mut self, id: u64, offset: u64) -> Option<u32> {
        let filler = self.filler;
        if self.first_reading && !filler.claimed_twice.is_empty() && filler.claimed_twice.contains(&id) {
            self.deferred.push((offset, id));
            return None;
        }
        filler.columns.row(id)
    }
}

impl<'a> Visitor<'a> for Writer<'_> {
    #[inline]
    fn should_continue(&mut self, offset: u64) -> bool {
        offset <= self.until && self.cancel_check.is_running()
    }

    #[inline]
    fn instance(&mut self, instance: RawInstance<'a>) {
        let Some(row) = self.row(instance.id, instance.offset) else { return };
        let schema = self.filler.schema;
        let Some(class) = schema.of(instance.class) else { return };
        let (Some(id), Some(Blueprint { reference_offsets, referent, instance_size, value_bytes, .. })) =
            (ClassId::from_raw(class), schema.get(class))
        else {
            return;
        };
        if let Some(declared) = *value_bytes
            && declared as usize != instance.values.len()
        {
            self.misfits.add(instance.offset, instance.values.len(), declared);
        }
        let size = match &self.filler.stack_chunks {
            Some(chunks) if chunks.class == class => chunks.size(*instance_size, instance.values),
            // Its bytes are part of its holder.
            _ if self.filler.flat_arrays.is_some() && is_flat(instance.id) => 0,
            _ => *instance_size,
        };
        self.part.object(row, id, Bytes(size), instance.offset);
        let reference = |offset: u32| Cursor::new(instance.values, u64::from(offset)).id(self.filler.id_bytes);
        if let Some(address) = referent.and_then(reference) {
            self.part.referent(address);
        }
        for &offset in reference_offsets {
            // An instance shorter than its class declares ends early; the existing part is used. Offsets ascend, and a
            // malformed class may have millions of them: trying the rest would take too long.
            let Some(address) = reference(offset) else { break };
            self.part.reference(address);
        }
    }

    #[inline]
    fn array(&mut self, array: RawArray<'a>) {
        let Some(row) = self.row(array.id, array.offset) else { return };
        let schema = self.filler.schema;
        let class = match array.kind {
            BasicType::Object => schema.of(array.class),
            kind => schema.primitive_array(kind),
        };
        let element = self.filler.flat_arrays.as_ref().and_then(|flat| flat.element(class?));
        let Some(class) = class.and_then(ClassId::from_raw) else { return };
        let size = self.filler.arrays.size(element.unwrap_or(array.kind), array.length);
        self.part.object(row, class, Bytes(size), array.offset);
        if array.kind == BasicType::Object {
            if self.filler.id_bytes == 8 {
                for id in array.elements.as_chunks::<8>().0 {
                    self.part.reference(u64::from_be_bytes(*id));
                }
            } else {
                for id in array.elements.as_chunks::<4>().0 {
                    self.part.reference(u64::from(u32::from_be_bytes(*id)));
                }
            }
        }
    }
}
