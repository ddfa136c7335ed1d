//! Second pass over the objects, in parallel: fills in the row of each, with its references.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::census::size;
use super::class_table::ClassTable;
use super::classes::ClassVariants;
use super::objects::RawObject;
use super::samples::{Part, Sample, tag};
use super::shapes::Meaning;
use super::wire::Message;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::regions::RegionRuns;
use heaplens_heap::{ClassId, CollectedReferences, HeapColumns, ObjectId, RowWriter, SizeModel, Strength};

/// Heaps of Android by their number in the file; 0 is unknown.
const HEAPS: [&str; 4] = ["default", "app", "zygote", "image"];
/// Heaps that are not collected: all their objects are roots.
const UNCOLLECTED: [u64; 2] = [2, 3];

/// State shared by all threads that fill the columns.
pub(super) struct Filler<'a> {
    pub(super) file: &'a [u8],
    pub(super) variants: &'a ClassVariants<'a>,
    pub(super) table: &'a ClassTable,
    pub(super) model: SizeModel,
    pub(super) columns: &'a HeapColumns<'a>,
    /// Ids of several objects.
    pub(super) claimed_twice: &'a FxHashSet<u64>,
    /// By class, position of the referent among the fields of reference objects.
    referents: Vec<Option<usize>>,
    /// Ids of the field with the referent.
    referent_ids: Vec<u64>,
}

/// Rows and references of all objects.
#[derive(Default)]
pub(super) struct FillResult {
    pub(super) parts: Vec<CollectedReferences>,
    /// Heaps by offset in the file.
    pub(super) regions: RegionRuns,
    /// Objects of heaps that are not collected.
    pub(super) uncollected: Vec<ObjectId>,
    /// Sizes in registries of native allocations.
    pub(super) registries: FxHashMap<ObjectId, i64>,
    /// Number of objects with the id of another.
    pub(super) refused: u64,
    pub(super) first_refused: Option<u64>,
}

/// An object with the id of another: id, offset, heap.
type Claim = (u64, u64, u64);

/// What one packet yields.
struct Filled {
    collected: CollectedReferences,
    regions: Vec<(u64, u8)>,
    uncollected: Vec<ObjectId>,
    registries: Vec<(ObjectId, i64)>,
    claims: Vec<Claim>,
}

impl<'a> Filler<'a> {
    pub(super) fn new(
        file: &'a [u8],
        (variants, table): (&'a ClassVariants<'a>, &'a ClassTable),
        model: SizeModel,
        columns: &'a HeapColumns<'a>,
        claimed_twice: &'a FxHashSet<u64>,
    ) -> Self {
        let referent = |class: u32| {
            let is_referent = |field: &super::shapes::FieldName| field.meaning == Meaning::Referent;
            let mut fields = table.shapes.of_class(class).filter(|_| table.strength(class) != Strength::Strong);
            fields.position(|(_, field)| field.is_some_and(is_referent))
        };
        let referents = (0..table.len()).map(referent).collect();
        let referent_ids = table.shapes.ids_of(Meaning::Referent);
        Self { file, variants, table, model, columns, claimed_twice, referents, referent_ids }
    }

    /// Fills all rows. Progress counts bytes.
    pub(super) fn fill(&self, sample: &Sample, task: &Task) -> Result<FillResult, Cancelled> {
        let filled = sample.parts.par_iter().with_max_len(1).map(|part| self.part(part, task));
        let filled: Vec<Filled> = filled.collect::<Result<_, Cancelled>>()?;
        let mut result = FillResult::default();
        result.regions.names = HEAPS.map(Into::into).to_vec();
        let mut first = FxHashSet::default();
        let mut late = Writer::new(self);
        for filled in filled {
            for &(id, at, heap) in &filled.claims {
                if first.insert(id) {
                    RawObject::at(self.file, at).iter().for_each(|object| late.object(id, at, heap, object));
                } else {
                    result.refused += 1;
                    result.first_refused.get_or_insert(at);
                }
            }
            result.add(filled);
        }
        result.add(late.finish());
        Ok(result)
    }

    fn part(&self, part: &Part, task: &Task) -> Result<Filled, Cancelled> {
        let (mut writer, mut ids, mut heap) = (Writer::new(self), part.ids, part.heap);
        let mut begun = None;
        for (seen, field) in Message::new(self.file, &part.range).enumerate() {
            task.checkpoint_at(seen)?;
            if field.number != tag::OBJECT || field.as_bytes().is_none() || field.is_cut {
                continue;
            }
            let object = RawObject::read(Message::new(self.file, &field.range()));
            heap = object.heap.unwrap_or(heap);
            if begun != Some(heap) {
                begun = Some(heap);
                writer.filled.regions.push((field.at, if heap < HEAPS.len() as u64 { heap as u8 } else { 0 }));
            }
            let Some(id) = ids.next(&object) else { continue };
            if self.claimed_twice.contains(&id) {
                // The first one in the file wins, independent of the number of threads.
                writer.filled.claims.push((id, field.at, heap));
            } else {
                writer.object(id, field.at, heap, &object);
            }
        }
        task.advance_checked(part.range.end - part.range.start)?;
        Ok(writer.finish())
    }

    /// Position of the referent among the references of an object.
    #[inline]
    fn referent(&self, object: &RawObject<'_>, class: u32) -> Option<usize> {
        if self.table.strength(class) == Strength::Strong {
            return None;
        }
        if object.field_ids.is_empty() {
            return self.referents.get(class as usize).copied().flatten();
        }
        let at = object.field_ids.iter().position(|id| self.referent_ids.contains(&id));
        at.filter(|_| !object.is_inconsistent())
    }
}

struct Writer<'a> {
    filler: &'a Filler<'a>,
    rows: RowWriter<'a>,
    filled: Filled,
}

impl<'a> Writer<'a> {
    fn new(filler: &'a Filler<'a>) -> Self {
        let filled = Filled {
            collected: CollectedReferences::default(),
            regions: Vec::new(),
            uncollected: Vec::new(),
            registries: Vec::new(),
            claims: Vec::new(),
        };
        Self { filler, rows: filler.columns.part(), filled }
    }

    #[inline]
    fn object(&mut self, id: u64, at: u64, heap: u64, object: &RawObject<'_>) {
        let filler = self.filler;
        let Some(row) = filler.columns.row(id) else { return };
        let (key, bytes, _) = filler.variants.class_and_size(object);
        let Some((class, of)) = filler.table.class(key).and_then(|at| Some((at, ClassId::from_raw(at)?))) else {
            return;
        };
        self.rows.object(row, of, Bytes(size(bytes, filler.model)), at);
        match filler.referent(object, class) {
            Some(index) => {
                object.references().nth(index).into_iter().for_each(|id| self.rows.referent(id));
                let others = object.references().enumerate().filter(|&(at, _)| at != index);
                others.for_each(|(_, id)| self.rows.reference(id));
            }
            None => object.references().for_each(|id| self.rows.reference(id)),
        }
        object.internal.iter().for_each(|id| self.rows.reference(id));
        if let Some(object_id) = ObjectId::from_raw(row) {
            self.filled.uncollected.extend(UNCOLLECTED.contains(&heap).then_some(object_id));
            self.filled.registries.extend(object.registry_size.map(|size| (object_id, size)));
        }
    }

    fn finish(self) -> Filled {
        Filled { collected: self.rows.finish(), ..self.filled }
    }
}

impl FillResult {
    fn add(&mut self, filled: Filled) {
        self.parts.push(filled.collected);
        self.regions.runs.extend(filled.regions);
        self.uncollected.extend(filled.uncollected);
        self.registries.extend(filled.registries);
    }
}
