//! First reading of the sub-records, in parallel: all addresses, classes and
//! roots, and how many objects of each class there are.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::array_ends::ArrayEnds;
use super::flat_objects::{FlatObjects, is_flat};
use super::jvm_layout::samples::{SampleSet, Samples};
use super::problems::{ReadProblem, ReadProblems};
use super::records::Index;
use super::search::RecordSearch;
use super::sizes::{Alignment, ReferenceWidth};
use super::subrecords::{CancelCheck, RawArray, RawClass, RawHeap, RawInstance, RawRoot, StopReason, Visitor, walk};
use super::{android::heaps::HeapRuns, pieces::Piece, tags::BasicType};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{AddressCollector, AddressWorker};

/// Arrays of one class or type.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrayCount {
    pub(super) objects: u64,
    /// Size of the elements as stored in the file, in bytes.
    pub(super) element_bytes: u64,
    /// Size of the elements with each array rounded up to 8 bytes, for references of 4 and of 8 bytes, and for elements
    /// that begin at a multiple of 8 or 4 past one. The actual combination is known only at the end.
    rounded: [[u64; 2]; 2],
}

/// Counts from reading one piece, or all of them.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) roots: Vec<RawRoot>,
    pub(super) classes: Vec<RawClass>,
    /// Instances by class id, and the size of the field values of one, in bytes.
    pub(super) instances: FxHashMap<u64, (u64, usize)>,
    pub(super) object_arrays: FxHashMap<u64, ArrayCount>,
    /// By index in [`BasicType::PRIMITIVES`].
    pub(super) primitive_arrays: [ArrayCount; BasicType::PRIMITIVES.len()],
    pub(super) alignment: Alignment,
    pub(super) width: ReferenceWidth,
    pub(super) problems: ReadProblems,
    /// Offset from which on sub-records are not where the record headers say.
    pub(super) misplaced: Option<u64>,
    /// Lowest and highest address of an instance or array.
    pub(super) span: (u64, u64),
    /// Number of primitive arrays without recorded elements.
    pub(super) unrecorded: u64,
    /// Ends of arrays of bytes and chars, and of other primitive arrays.
    pub(super) ends: [ArrayEnds; 2],
    /// Heaps of Android by file offset.
    pub(super) heaps: HeapRuns,
    /// Objects stored in others.
    pub(super) flat: FlatObjects,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            roots: Vec::new(),
            classes: Vec::new(),
            instances: FxHashMap::default(),
            object_arrays: FxHashMap::default(),
            primitive_arrays: Default::default(),
            alignment: Alignment::default(),
            width: ReferenceWidth::default(),
            problems: ReadProblems::default(),
            misplaced: None,
            span: (u64::MAX, 0),
            unrecorded: 0,
            ends: Default::default(),
            heaps: HeapRuns::default(),
            flat: FlatObjects::default(),
        }
    }
}

impl Tally {
    /// Merges the counts of the following part of the file.
    fn join(mut self, mut next: Self) -> Self {
        self.roots.append(&mut next.roots);
        self.classes.append(&mut next.classes);
        next.instances.drain().for_each(|(class, (objects, bytes))| {
            self.instances.entry(class).or_insert((0, bytes)).0 += objects;
        });
        next.object_arrays.drain().for_each(|(class, count)| self.object_arrays.entry(class).or_default().add(count));
        for (mine, theirs) in self.primitive_arrays.iter_mut().zip(next.primitive_arrays) {
            mine.add(theirs);
        }
        self.alignment.join(next.alignment);
        self.width.join(next.width);
        self.problems.join(next.problems);
        self.misplaced = self.misplaced.into_iter().chain(next.misplaced).min();
        self.span = (self.span.0.min(next.span.0), self.span.1.max(next.span.1));
        self.unrecorded += next.unrecorded;
        self.ends.iter_mut().zip(next.ends).for_each(|(mine, theirs)| mine.join(theirs));
        self.heaps.join(next.heaps);
        self.flat.join(next.flat);
        self
    }

    #[inline]
    fn see(&mut self, address: u64) {
        self.alignment.see(address);
        self.span = (self.span.0.min(address), self.span.1.max(address));
    }
}

impl ArrayCount {
    fn add(&mut self, other: Self) {
        self.objects += other.objects;
        self.element_bytes = self.element_bytes.saturating_add(other.element_bytes);
        for (mine, theirs) in self.rounded.as_flattened_mut().iter_mut().zip(other.rounded.as_flattened()) {
            *mine = mine.saturating_add(*theirs);
        }
    }

    fn one(kind: BasicType, length: u32, element_bytes: u64) -> Self {
        let up = |n: u64| (n + 7) & !7;
        let rounded = [4, 8].map(|reference| {
            let bytes = u64::from(length) * u64::from(kind.bytes(reference));
            [up(bytes), up(bytes + 4) - 4]
        });
        Self { objects: 1, element_bytes, rounded }
    }

    /// Total size if elements begin at `first` and references have `reference_bytes` bytes, with an alignment of 8.
    pub(super) fn bytes(&self, first: u32, reference_bytes: u32) -> u64 {
        let [narrow, wide] = self.rounded;
        let [even, odd] = if reference_bytes == 8 { wide } else { narrow };
        let elements = if first % 8 == 4 { odd } else { even };
        elements.saturating_add(self.objects.saturating_mul(u64::from(first)))
    }
}

/// Reads all pieces. Progress counts bytes. If `samples` are wanted, they are merged piece by piece,
/// since all together would need memory proportional to the file.
pub(super) fn count(
    file: &[u8],
    pieces: &[Piece],
    index: &Index,
    addresses: &AddressCollector,
    samples: Option<&Mutex<Samples>>,
    task: &Task,
) -> Result<Tally, Cancelled> {
    let counts = pieces.par_iter().with_max_len(1).map(|piece| {
        let (addresses, cancel_check) = (addresses.worker(), CancelCheck::new(task));
        let mut counter = Counter {
            addresses,
            id_bytes: index.id_bytes,
            cancel_check,
            count: Tally::default(),
            instances: Vec::new(),
            indexes: FxHashMap::default(),
            last: None,
            arrays: samples.map(|_| Samples::default()),
        };
        for (at, range) in piece.ranges.iter().enumerate() {
            if at > 0 || !piece.continues_segment {
                counter.count.heaps.segment(range.start);
            }
            let ended = walk(file, range.clone(), index.id_bytes, &mut counter);
            task.checkpoint()?;
            if let Err(at) = ended {
                let problem = match at.reason {
                    StopReason::UnknownTag(tag) => ReadProblem::UnknownObject(tag),
                    StopReason::UnknownType => ReadProblem::UnknownType,
                    StopReason::CutOff | StopReason::Stopped => ReadProblem::CutObject,
                };
                counter.count.problems.add(problem, range.end.saturating_sub(at.offset), at.offset);
                let is_truncated = at.reason == StopReason::CutOff && range.end >= file.len() as u64;
                if !is_truncated || RecordSearch::of(file, index).next(at.offset + 1, file.len() as u64).is_some() {
                    counter.count.misplaced.get_or_insert(range.start);
                }
            }
            task.advance(range.end - range.start);
        }
        Ok(counter.finish(samples))
    });
    let counts: Vec<Tally> = counts.collect::<Result<_, Cancelled>>()?;
    Ok(counts.into_iter().fold(Tally::default(), Tally::join))
}

/// Instances of one class.
struct InstanceCount {
    class: u64,
    objects: u64,
    /// Size of the field values of the first, in bytes.
    bytes: usize,
    samples: SampleSet,
}

struct Counter<'a> {
    addresses: AddressWorker<'a>,
    id_bytes: u32,
    cancel_check: CancelCheck<'a>,
    count: Tally,
    instances: Vec<InstanceCount>,
    /// Index into `instances` by class.
    indexes: FxHashMap<u64, usize>,
    /// Cache: last class and its index, since instances come in runs of one class.
    last: Option<(u64, usize)>,
    /// Sampled arrays, if any are needed.
    arrays: Option<Samples>,
}

impl Counter<'_> {
    /// Index of a class other than the last.
    fn index_of(&mut self, class: u64, bytes: usize) -> usize {
        let index = *self.indexes.entry(class).or_insert(self.instances.len());
        if index == self.instances.len() {
            self.instances.push(InstanceCount { class, objects: 0, bytes, samples: SampleSet::of_class() });
        }
        self.last = Some((class, index));
        index
    }

    fn finish(self, all_picked: Option<&Mutex<Samples>>) -> Tally {
        let Self { mut count, instances, arrays, .. } = self;
        let mut samples = arrays.unwrap_or_default();
        for of in instances {
            count.instances.insert(of.class, (of.objects, of.bytes));
            if all_picked.is_some() {
                samples.class(of.class, of.samples);
            }
        }
        if let Some(all) = all_picked {
            all.lock().unwrap_or_else(PoisonError::into_inner).join(samples);
        }
        count
    }
}

impl<'a> Visitor<'a> for Counter<'_> {
    #[inline]
    fn should_continue(&mut self, _offset: u64) -> bool {
        self.cancel_check.is_running()
    }

    fn root(&mut self, root: RawRoot) {
        self.count.roots.push(root);
    }

    fn class(&mut self, class: RawClass) {
        // A class may be dumped twice; its address is collected once, when all are known.
        self.count.see(class.id);
        self.count.classes.push(class);
    }

    fn heap(&mut self, heap: RawHeap) {
        self.count.heaps.heap(heap);
    }

    #[inline]
    fn instance(&mut self, instance: RawInstance<'a>) {
        self.addresses.insert(instance.id);
        self.count.see(instance.id);
        let index = match self.last {
            Some((class, index)) if class == instance.class => index,
            _ => self.index_of(instance.class, instance.values.len()),
        };
        if let Some(of) = self.instances.get_mut(index) {
            of.objects += 1;
            if self.arrays.is_some() {
                if !is_flat(instance.id) {
                    of.samples.see(instance.id, 0);
                }
                self.count.flat.see(instance.id, instance.class, instance.offset);
            }
        }
    }

    #[inline]
    fn array(&mut self, array: RawArray<'a>) {
        self.addresses.insert(array.id);
        self.count.see(array.id);
        if let Some(samples) = &mut self.arrays {
            samples.array(array.kind, array.id, array.length);
            self.count.flat.see(array.id, array.class, array.offset);
        }
        self.count.unrecorded += u64::from(!array.is_recorded() && array.kind != BasicType::Object);
        if array.kind != BasicType::Object && !array.elements.is_empty() {
            ArrayEnds::see(&mut self.count.ends, &array, array.kind.bytes(self.id_bytes));
        }
        let index = BasicType::PRIMITIVES.iter().position(|&kind| kind == array.kind);
        let count = if let Some(count) = index.and_then(|p| self.count.primitive_arrays.get_mut(p)) {
            count
        } else {
            self.count.width.see(array.id, array.length);
            self.count.object_arrays.entry(array.class).or_default()
        };
        let element_bytes = u64::from(array.length) * u64::from(array.kind.bytes(self.id_bytes));
        count.add(ArrayCount::one(array.kind, array.length, element_bytes));
    }
}
