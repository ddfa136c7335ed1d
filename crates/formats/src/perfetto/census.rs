//! First pass over the objects of a heap graph: their ids, the number and size of those of each class, and class
//! objects.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::classes::{ClassKey, ClassVariants};
use super::objects::RawObject;
use super::samples::{Part, Sample, tag};
use super::wire::Message;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{AddressCollector, AddressWorker, SizeModel};

/// Objects of the device begin at multiples of this.
const ALIGNMENT: u64 = 8;

/// Size of an object in bytes: as recorded, or as it takes on the device.
#[inline]
pub(super) fn size(recorded: u64, model: SizeModel) -> u64 {
    match model {
        SizeModel::Auto => recorded.checked_next_multiple_of(ALIGNMENT).unwrap_or(recorded),
        SizeModel::Mat | SizeModel::File => recorded,
    }
}

/// A class object.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassObject {
    /// Index of its type, which only this object has.
    pub(super) of: u32,
    pub(super) id: u64,
    /// Offset of its field in the file.
    pub(super) at: u64,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Objects and bytes of each class.
    pub(super) classes: FxHashMap<ClassKey, (u64, u64)>,
    /// In file order.
    pub(super) class_objects: Vec<ClassObject>,
    pub(super) objects: u64,
    /// Objects whose ids are relative to missing ones, and the offset of the first.
    pub(super) without_id: (u64, Option<u64>),
    /// Objects whose number of fields differs from that of references, and the offset of the first.
    pub(super) inconsistent: (u64, Option<u64>),
    /// True if any object is of a known heap.
    pub(super) has_heaps: bool,
}

fn add(to: &mut (u64, Option<u64>), more: (u64, Option<u64>)) {
    to.0 += more.0;
    to.1 = to.1.or(more.1);
}

impl Tally {
    fn join(mut self, next: Self) -> Self {
        // In any order: these are sums.
        next.classes.into_iter().for_each(|(class, (objects, bytes))| self.count(class, objects, bytes));
        self.class_objects.extend(next.class_objects);
        self.objects += next.objects;
        add(&mut self.without_id, next.without_id);
        add(&mut self.inconsistent, next.inconsistent);
        self.has_heaps |= next.has_heaps;
        self
    }

    fn count(&mut self, class: ClassKey, objects: u64, bytes: u64) {
        let counted = self.classes.entry(class).or_default();
        counted.0 += objects;
        counted.1 = counted.1.saturating_add(bytes);
    }
}

/// Counts all objects. Progress counts bytes.
pub(super) fn count(
    file: &[u8],
    sample: &Sample,
    variants: &ClassVariants<'_>,
    model: SizeModel,
    addresses: &AddressCollector,
    task: &Task,
) -> Result<Tally, Cancelled> {
    let parts = sample
        .parts
        .par_iter()
        .with_max_len(1)
        .map(|part| count_part(file, part, variants, model, addresses.worker(), task));
    let tallies: Vec<Tally> = parts.collect::<Result<_, Cancelled>>()?;
    Ok(tallies.into_iter().fold(Tally::default(), Tally::join))
}

fn count_part(
    file: &[u8],
    part: &Part,
    variants: &ClassVariants<'_>,
    model: SizeModel,
    mut addresses: AddressWorker<'_>,
    task: &Task,
) -> Result<Tally, Cancelled> {
    let (mut tally, mut ids, mut seen) = (Tally { has_heaps: part.heap != 0, ..Tally::default() }, part.ids, 0_usize);
    // Objects come in runs of one class.
    let mut run: (Option<ClassKey>, u64, u64) = (None, 0, 0);
    for field in Message::new(file, &part.range) {
        if field.number != tag::OBJECT || field.as_bytes().is_none() || field.is_cut {
            continue;
        }
        seen += 1;
        if seen.is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        let object = RawObject::read(Message::new(file, &field.range()));
        tally.has_heaps |= object.heap.is_some_and(|heap| heap != 0);
        let Some(id) = ids.next(&object) else {
            add(&mut tally.without_id, (1, Some(field.at)));
            continue;
        };
        tally.objects += 1;
        addresses.insert(id);
        if object.is_inconsistent() {
            add(&mut tally.inconsistent, (1, Some(field.at)));
        }
        let (class, bytes, is_class_object) = variants.class_and_size(&object);
        if let (true, Ok(of)) = (is_class_object, class.0) {
            tally.class_objects.push(ClassObject { of, id, at: field.at });
        }
        if run.0 != Some(class) {
            run.0.into_iter().for_each(|last| tally.count(last, run.1, run.2));
            run = (Some(class), 0, 0);
        }
        run.1 += 1;
        run.2 = run.2.saturating_add(size(bytes, model));
    }
    run.0.into_iter().for_each(|last| tally.count(last, run.1, run.2));
    task.advance_checked(part.range.end - part.range.start)?;
    Ok(tally)
}
