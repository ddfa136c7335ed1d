//! First reading of the sub-records, in parallel: all addresses, classes and
//! roots, and how many objects of each class there are.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::pieces::Piece;
use super::sizes::{Alignment, Layout, ReferenceWidth};
use super::subrecords::{Obstacle, Patience, RawArray, RawClass, RawInstance, RawRoot, Visitor, walk};
use super::tags::BasicType;
use super::troubles::{Trouble, Troubles};
use crate::heap::address_collector::{AddressCollector, AddressWorker};
use crate::heap::origin::SizeModel;
use crate::task::{Cancelled, Task};

/// Arrays of one class or type.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ArrayCount {
    pub(super) objects: u64,
    /// Bytes of the elements as they stand in the file.
    pub(super) element_bytes: u64,
    /// Bytes together with references of 4 bytes, and of 8, at an alignment of 8.
    pub(super) narrow_bytes: u64,
    pub(super) wide_bytes: u64,
}

/// What a reading of one piece, or of all, counted.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) roots: Vec<RawRoot>,
    pub(super) classes: Vec<RawClass>,
    /// Instances by class id, and the bytes of values one of them has.
    pub(super) instances: FxHashMap<u64, (u64, usize)>,
    pub(super) object_arrays: FxHashMap<u64, ArrayCount>,
    /// By place in [`BasicType::PRIMITIVES`].
    pub(super) primitive_arrays: [ArrayCount; BasicType::PRIMITIVES.len()],
    pub(super) alignment: Alignment,
    pub(super) width: ReferenceWidth,
    /// Where reading broke off.
    pub(super) troubles: Troubles,
    /// Lowest and highest address of an instance or array.
    pub(super) span: (u64, u64),
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
            troubles: Troubles::default(),
            span: (u64::MAX, 0),
        }
    }
}

impl Tally {
    /// Takes in the count of what follows in the file.
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
        self.troubles.join(next.troubles);
        self.span = (self.span.0.min(next.span.0), self.span.1.max(next.span.1));
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
        self.narrow_bytes = self.narrow_bytes.saturating_add(other.narrow_bytes);
        self.wide_bytes = self.wide_bytes.saturating_add(other.wide_bytes);
    }
}

/// Reads all pieces. Progress counts bytes.
pub(super) fn count(
    file: &[u8],
    pieces: &[Piece],
    id_bytes: u32,
    addresses: &AddressCollector,
    task: &Task,
) -> Result<Tally, Cancelled> {
    let layouts =
        [4, 8].map(|reference_bytes| Layout { model: SizeModel::Mat, id_bytes, reference_bytes, alignment: 8 });
    let counts: Vec<Tally> = pieces
        .par_iter()
        .map(|piece| {
            let (addresses, patience) = (addresses.worker(), Patience::new(task));
            let mut counter = Counter { layouts, addresses, patience, count: Tally::default(), last: None };
            for range in &piece.ranges {
                let ended = walk(file, range.clone(), id_bytes, &mut counter);
                task.checkpoint()?;
                if let Err(at) = ended {
                    let trouble = match at.obstacle {
                        Obstacle::UnknownTag(tag) => Trouble::UnknownObject(tag),
                        Obstacle::UnknownType => Trouble::UnknownType,
                        Obstacle::CutOff | Obstacle::Stopped => Trouble::CutObject,
                    };
                    counter.count.troubles.add(trouble, range.end.saturating_sub(at.offset), at.offset);
                }
                task.advance(range.end - range.start);
            }
            counter.settle();
            Ok(counter.count)
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(counts.into_iter().fold(Tally::default(), Tally::join))
}

struct Counter<'a> {
    /// The sizes of arrays with references of 4 bytes, and of 8: which it is shows only at the end.
    layouts: [Layout; 2],
    addresses: AddressWorker<'a>,
    patience: Patience<'a>,
    count: Tally,
    /// Instances come in runs of one class: class, how many, bytes of values.
    last: Option<(u64, u64, usize)>,
}

impl Counter<'_> {
    fn settle(&mut self) {
        if let Some((class, objects, bytes)) = self.last.take() {
            self.count.instances.entry(class).or_insert((0, bytes)).0 += objects;
        }
    }
}

impl<'a> Visitor<'a> for Counter<'_> {
    #[inline]
    fn goes_on(&mut self, _offset: u64) -> bool {
        self.patience.lasts()
    }

    fn root(&mut self, root: RawRoot) {
        self.count.roots.push(root);
    }

    fn class(&mut self, class: RawClass) {
        // A class may be dumped twice; its address is taken once, when all are known.
        self.count.see(class.id);
        self.count.classes.push(class);
    }

    #[inline]
    fn instance(&mut self, instance: RawInstance<'a>) {
        self.addresses.insert(instance.id);
        self.count.see(instance.id);
        match &mut self.last {
            Some((class, objects, _)) if *class == instance.class => *objects += 1,
            _ => {
                self.settle();
                self.last = Some((instance.class, 1, instance.values.len()));
            }
        }
    }

    #[inline]
    fn array(&mut self, array: RawArray<'a>) {
        self.addresses.insert(array.id);
        self.count.see(array.id);
        let [narrow_bytes, wide_bytes] = self.layouts.map(|layout| layout.array(array.kind, array.length));
        let place = BasicType::PRIMITIVES.iter().position(|&kind| kind == array.kind);
        let count = if let Some(count) = place.and_then(|p| self.count.primitive_arrays.get_mut(p)) {
            count
        } else {
            self.count.width.see(array.id, array.length);
            self.count.object_arrays.entry(array.class).or_default()
        };
        count.add(ArrayCount { objects: 1, element_bytes: array.elements.len() as u64, narrow_bytes, wide_bytes });
    }
}
