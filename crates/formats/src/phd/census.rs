//! First pass over the records: all addresses and classes, and the number of objects of each class.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::pieces::{Piece, pieces};
use super::records::{End, Form, LETTERS, RecordContents, References, element_bytes};
use super::sizes::ReferenceWidth;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{AddressCollector, AddressWorker};

#[derive(Debug, Clone)]
pub(super) struct RawClass {
    pub(super) address: u64,
    pub(super) instance_size: i32,
    pub(super) superclass: u64,
    pub(super) name: Box<str>,
    /// Its first reference, or 0: to its loader, if it has one.
    pub(super) first: u64,
    /// True if one of its references is to its superclass.
    pub(super) names_superclass: bool,
    /// Some references of an array class, including that to the class of its elements.
    pub(super) references: Box<[u64]>,
}

/// Number of references of an array class that are searched for the element class.
const LOOKED_AT: usize = 16;

/// Arrays of one type.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrayCount {
    pub(super) objects: u64,
    /// Total size in bytes of those with a recorded size.
    sized: u64,
    /// The same, each rounded up to 8.
    sized_rounded: u64,
    /// Number of objects without a size, and bytes of their elements: with references of 4 bytes or of 8.
    unsized_objects: u64,
    /// Number of those without elements.
    empty: u64,
    plain: [u64; 2],
    /// The same, rounded up to 8 bytes, for elements that begin at a multiple of 8, or 4 past one.
    rounded: [[u64; 2]; 2],
}

impl ArrayCount {
    fn see(&mut self, size: Option<u64>, length: u64, element: Option<u64>) {
        self.objects += 1;
        if let Some(size) = size {
            self.sized = self.sized.saturating_add(size);
            self.sized_rounded = self.sized_rounded.saturating_add(size.saturating_add(7) & !7);
            return;
        }
        self.unsized_objects += 1;
        self.empty += u64::from(length == 0);
        let up = |n: u64| n.saturating_add(7) & !7;
        for ((plain, rounded), reference) in self.plain.iter_mut().zip(&mut self.rounded).zip([4, 8]) {
            let bytes = length.saturating_mul(element.unwrap_or(reference));
            *plain = plain.saturating_add(bytes);
            let [even, odd] = rounded;
            *even = even.saturating_add(up(bytes));
            *odd = odd.saturating_add(up(bytes.saturating_add(4)) - 4);
        }
    }

    fn add(&mut self, other: &Self) {
        self.objects += other.objects;
        self.sized = self.sized.saturating_add(other.sized);
        self.sized_rounded = self.sized_rounded.saturating_add(other.sized_rounded);
        self.unsized_objects += other.unsized_objects;
        self.empty += other.empty;
        let both = self.plain.iter_mut().chain(self.rounded.as_flattened_mut());
        for (mine, theirs) in both.zip(other.plain.iter().chain(other.rounded.as_flattened())) {
            *mine = mine.saturating_add(*theirs);
        }
    }

    /// Total size with headers of `header` bytes and references of 4 or 8 bytes; `empty` is the size of an array
    /// without elements.
    pub(super) fn bytes(&self, header: u64, reference: u64, empty: u64) -> u64 {
        let at = usize::from(reference == 8);
        let [even, odd] = self.rounded.get(at).copied().unwrap_or_default();
        let elements = if header % 8 == 4 { odd } else { even };
        let headers = self.unsized_objects.saturating_mul(header);
        // The smallest object is larger than a header only if nothing follows it.
        let more = self.empty.saturating_mul(empty.saturating_sub((header + 7) & !7));
        self.sized_rounded.saturating_add(elements).saturating_add(headers).saturating_add(more)
    }

    /// Total size of the elements alone.
    pub(super) fn plain(&self, reference: u64) -> u64 {
        self.sized.saturating_add(self.plain.get(usize::from(reference == 8)).copied().unwrap_or_default())
    }
}

/// Counts from reading one piece, or all of them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) classes: Vec<RawClass>,
    /// Instances by class address.
    pub(super) instances: FxHashMap<u64, u64>,
    /// Object arrays by the address in their records.
    pub(super) object_arrays: FxHashMap<u64, ArrayCount>,
    /// By index in [`LETTERS`].
    pub(super) primitive_arrays: [ArrayCount; LETTERS.len()],
    pub(super) width: ReferenceWidth,
    pub(super) records: u64,
    pub(super) references: u64,
}

impl Tally {
    fn join(mut self, mut next: Self) -> Self {
        self.classes.append(&mut next.classes);
        next.instances.drain().for_each(|(class, objects)| *self.instances.entry(class).or_default() += objects);
        next.object_arrays.drain().for_each(|(class, count)| self.object_arrays.entry(class).or_default().add(&count));
        for (mine, theirs) in self.primitive_arrays.iter_mut().zip(&next.primitive_arrays) {
            mine.add(theirs);
        }
        self.width.join(next.width);
        self.records += next.records;
        self.references += next.references;
        self
    }
}

pub(super) struct FirstPass {
    pub(super) tally: Tally,
    pub(super) pieces: Vec<Piece>,
    /// Offset and reason of the end of reading.
    pub(super) end: (u64, End),
}

/// Reads all records from `body` on. Progress counts bytes.
pub(super) fn count(
    file: &[u8],
    form: Form,
    body: u64,
    addresses: &AddressCollector,
    task: &Task,
) -> Result<FirstPass, Cancelled> {
    let tallies = Mutex::new(Vec::new());
    let put = |at: usize, tally: Result<Tally, Cancelled>| {
        tallies.lock().unwrap_or_else(PoisonError::into_inner).push((at, tally));
    };
    let walked = rayon::scope(|scope| {
        let put = &put;
        let each = |piece: Piece| {
            scope.spawn(move |_| put(piece.at, count_piece(file, form, piece, addresses.worker(), task)));
        };
        pieces(file, form, body, each, task)
    });
    let (pieces, offset, end) = walked?;
    let mut tallies = tallies.into_inner().unwrap_or_else(PoisonError::into_inner);
    tallies.sort_unstable_by_key(|&(at, _)| at);
    let mut all = Tally::default();
    for (_, tally) in tallies {
        all = all.join(tally?);
    }
    Ok(FirstPass { tally: all, pieces, end: (offset, end) })
}

fn count_piece(
    file: &[u8],
    form: Form,
    piece: Piece,
    mut addresses: AddressWorker<'_>,
    task: &Task,
) -> Result<Tally, Cancelled> {
    let mut tally = Tally::default();
    // Instances come in runs of one class.
    let (mut run, mut long) = (0, 0_u64);
    let mut walker = piece.walker(file, form);
    while let Ok(record) = walker.next() {
        tally.records += 1;
        if tally.records.is_multiple_of(CHECKPOINT_EVERY as u64) {
            task.checkpoint()?;
        }
        tally.references += record.references.len() as u64;
        addresses.insert(record.address);
        tally.width.see(record.address);
        match record.contents {
            RecordContents::Instance { class } => {
                if class != run && long > 0 {
                    *tally.instances.entry(run).or_default() += std::mem::take(&mut long);
                }
                run = class;
                long += 1;
            }
            RecordContents::Objects { class, length } => {
                let length = length.map_or(record.references.len() as u64, u64::from);
                tally.width.array(record.address, length);
                tally.object_arrays.entry(class).or_default().see(record.size, length, None);
            }
            RecordContents::Primitives { kind, length } => {
                if let Some(count) = tally.primitive_arrays.get_mut(usize::from(kind)) {
                    count.see(record.size, length, Some(element_bytes(kind)));
                }
            }
            RecordContents::Class { instance_size, superclass, name } => {
                tally.classes.push(raw_class(record.address, instance_size, superclass, name, record.references));
            }
        }
    }
    if long > 0 {
        *tally.instances.entry(run).or_default() += long;
    }
    task.advance_checked(piece.bytes())?;
    Ok(tally)
}

fn raw_class(address: u64, instance_size: i32, superclass: u64, name: &[u8], all: References<'_>) -> RawClass {
    let looked_at = if name.starts_with(b"[") { LOOKED_AT } else { 0 };
    RawClass {
        address,
        instance_size,
        superclass,
        name: String::from_utf8_lossy(name).into(),
        first: all.at(0).unwrap_or_default(),
        names_superclass: all.all().any(|to| to == superclass),
        references: all.all().take(looked_at).collect(),
    }
}
