//! Heap without some of its references, with everything derived from it. Columns are shared with the original heap.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Analysis, ClassId, ExcludedReferences, Heap, ObjectId, Rules, reach::reached, roots::Roots, sections};
use heaplens_base::storage::{MemoryBudget, out_of_memory::room_for};
use heaplens_base::{Cancelled, Task, Unit, threads::in_own_pool};
use heaplens_graph::{Bits, Csr, Links, NONE};

/// References of a block of objects.
#[derive(Default)]
struct Block {
    /// Number per object.
    degrees: Vec<u32>,
    targets: Vec<u32>,
    /// Objects whose first one is a `referent`.
    referents: Vec<u32>,
}

/// Objects that no other reference holds after the exclusions, and those of them that the engine holds.
#[derive(Default)]
struct EngineHeld {
    freed: Bits,
    held: Bits,
}

impl Heap {
    /// Derives a heap without the excluded references, in a pool of its own. Unreachable objects that were included
    /// before remain so.
    pub fn without(
        &self,
        analysis: &Analysis,
        left_out: &ExcludedReferences,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, Analysis), Cancelled> {
        in_own_pool(|| self.reduced(analysis, left_out, budget, task))
    }

    fn reduced(
        &self,
        analysis: &Analysis,
        left_out: &ExcludedReferences,
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<(Self, Analysis), Cancelled> {
        task.step("Excluding references", Unit::Objects, self.len() as u64);
        let engine_held = self.engine_held(analysis, left_out, task)?;
        let first = self.referents();
        let blocks = task.par_blocks(self.len()).map(|rows| {
            let rows = rows?;
            task.advance_checked(rows.len() as u64)?;
            Ok(self.block_without(rows, left_out, &first, &engine_held))
        });
        let blocks: Vec<Block> = blocks.collect::<Result<_, Cancelled>>()?;
        let referents: Vec<u32> = blocks.iter().flat_map(|block| &block.referents).copied().collect();
        let (degrees, targets) = blocks.into_iter().map(|block| (block.degrees, block.targets)).unzip();
        let (degrees, targets) = (together(degrees), together(targets));
        let references = Arc::new(Csr::new(&degrees, targets));
        drop(degrees);

        let classes = self.classes.without(|hub| left_out.has(hub));
        let hubs = classes.hubs();
        let has_hub = |class: ClassId| hubs.get(class.index()).is_some_and(|&hub| hub != NONE);
        let column = self.class_column().slices();
        let refers = |&row: &usize| column.get(row).and_then(ClassId::from_raw).is_some_and(has_hub);
        let to_classes = (0..self.len()).into_par_iter().filter(refers).count() as u64;
        let roots = analysis.roots().all().iter().copied().filter(|root| !left_out.has_root(root.object.raw()));
        // Remaining synthetic references are still the last ones.
        let left_of = |&(row, _): &(u32, u32)| {
            let object = ObjectId::from_raw(row)?;
            let (own, all) = (self.own_reference_count(object), self.references(object));
            let left = left_out.left(self, object, all);
            let left = left.filter(|&(index, to)| index >= own && (to as usize) < self.len()).count();
            (left > 0).then_some((row, left as u32))
        };
        let made = self.made.iter().filter_map(left_of).collect();
        let heap = Self {
            roots: Roots::new(roots.collect()),
            references: Links::keep(references.clone(), budget, sections::REFERENCES).into(),
            to_classes,
            made,
            referent_first: Arc::new(referents.into()),
            freed: Some(Arc::default()),
            classes,
            ..self.clone()
        };
        // Roots added for unreachable objects are roots of this heap.
        let rules = Rules { keep_unreachable: false, ..analysis.rules };
        let mut derived = Analysis::derive(&heap, references, rules, budget, task)?;
        let mut freed = Bits::new(self.len());
        let rows = (0_u32..).zip(analysis.preorders().iter().zip(derived.preorders()));
        freed.extend(rows.filter(|(_, (was, is))| **was != 0 && **is == 0).map(|(row, _)| row));
        freed.extend(self.freed.iter().flat_map(|freed| freed.iter()));
        // What the removals free is not there any more: it is no garbage of the program.
        derived.unreachable = analysis.unreachable;
        Ok((Self { freed: Some(Arc::new(freed)), ..heap }, derived))
    }

    fn engine_held(
        &self,
        analysis: &Analysis,
        left_out: &ExcludedReferences,
        task: &Task,
    ) -> Result<EngineHeld, Cancelled> {
        if self.snapshot().is_none() {
            return Ok(EngineHeld::default());
        }
        let left = reached(self, analysis.roots().objects(), analysis.rules.min_strength, left_out, task)?;
        let mut freed = Bits::new(self.len());
        for rows in task.blocks(self.len()) {
            let is_freed = |&row: &u32| {
                !left.contains(row) && analysis.preorders().get(row as usize).is_some_and(|&preorder| preorder != 0)
            };
            freed.extend(rows?.map(|row| row as u32).filter(is_freed));
        }
        let held = self.held_by_engine(analysis, &freed, left_out, task)?;
        Ok(if held.is_empty() { EngineHeld::default() } else { EngineHeld { freed, held } })
    }

    fn block_without(
        &self,
        rows: std::ops::Range<usize>,
        left_out: &ExcludedReferences,
        first: &Bits,
        EngineHeld { freed, held }: &EngineHeld,
    ) -> Block {
        let mut block = Block { degrees: room_for(rows.len()), ..Block::default() };
        let changes_any = left_out.has_objects() || !held.is_empty();
        let mut walk = self.references.walk_from(rows.start as u32);
        for object in rows.filter_map(ObjectId::new) {
            let (before, row) = (block.targets.len(), walk.row(object.raw()));
            let mut has_first = false;
            // In a damaged file, targets may be invalid.
            let is_valid = |to: u32| (to as usize) < self.len();
            if !changes_any && !left_out.touches(object.raw()) && row.iter().all(|&to| is_valid(to)) {
                block.targets.extend_from_slice(row);
                has_first = !row.is_empty();
            } else {
                let is_of_engine = held.contains(object.raw());
                for (index, to) in left_out.left(self, object, row) {
                    has_first |= index == 0;
                    if is_valid(to) && (!is_of_engine || freed.contains(to)) {
                        block.targets.push(to);
                    }
                }
            }
            if let Some(snapshot) = self.snapshot().filter(|_| !held.is_empty()) {
                let holds = |to: &u32| held.contains(*to) && !left_out.excludes(object.raw(), *to);
                block.targets.extend(snapshot.engine_edges(object).filter(holds));
            }
            block.degrees.push((block.targets.len() - before) as u32);
            if has_first && first.contains(object.raw()) {
                block.referents.push(object.raw());
            }
        }
        block
    }
}

/// The parts one after the other, copied by all threads.
fn together(parts: Vec<Vec<u32>>) -> Vec<u32> {
    let mut all = vec![0; parts.iter().map(Vec::len).sum()];
    let (mut areas, mut rest) = (Vec::with_capacity(parts.len()), &mut all[..]);
    for part in &parts {
        let (area, after) = rest.split_at_mut(part.len());
        areas.push(area);
        rest = after;
    }
    areas.into_par_iter().zip(parts).for_each(|(area, part)| area.copy_from_slice(&part));
    all
}
