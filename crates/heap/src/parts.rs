//! Retained sizes by part: the share of each heap region, and of native memory. Each is a sum over the dominator tree;
//! that of the largest region is the remainder, so the sums are over few objects.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::native::NativeKind;
use super::native_charges::{self, Charges, MovedCharge, charges};
use super::{
    ClassId, Heap, ObjectId, RegionKind, Totals, dominance::Dominance, sections, shortest_paths::ShortestPaths,
};
use heaplens_base::storage::{MemoryBudget, StoredAnalysis};
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::{Links, SparseSums, sparse_sums::SparseNames};

/// Native memory of less than one part in so many of the heap has no columns.
const LEAST_NATIVE: u64 = 100;

/// A part of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A region of the heap.
    Region(RegionKind),
    /// Native memory, as recorded for objects.
    Native,
}

/// Totals of the shown objects of one region.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionTotals {
    /// Its name in the file.
    pub name: Box<str>,
    /// Number and shallow size of the shown objects.
    pub shown: Totals,
    /// Native memory of the objects.
    pub native: Bytes,
}

/// Tables besides the columns.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PartTables {
    pub(super) regions: Vec<RegionTotals>,
    /// Parts with a column of sums.
    summed: Vec<Part>,
    /// Region with the remainder.
    rest: Option<RegionKind>,
    /// By part and class, combined retained size of its objects.
    classes: Vec<Vec<u64>>,
    /// Native memory that counts elsewhere than at its owner, by row.
    moved: Vec<MovedCharge>,
    /// By class, native memory of its shown objects.
    pub(super) native: Vec<u64>,
}

/// Retained sizes by part, for one analysis.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) tables: PartTables,
    /// As many as `tables.summed`.
    sums: Vec<SparseSums>,
}

impl Parts {
    /// Computes the sums. `None` if the heap has no parts.
    pub(super) fn find(
        heap: &Heap,
        dominance: &Dominance,
        (retainers, paths): (&Links, &ShortestPaths),
        budget: &MemoryBudget,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let mut tables = PartTables::default();
        let has_native = has_much_native(heap, dominance, paths);
        if heap.regions().is_none() && !has_native {
            return Ok(Self::default());
        }
        task.step("Computing sizes per heap", Unit::Objects, heap.len() as u64);
        tables.regions = region_totals(heap, dominance, task)?;
        if let Some(regions) = heap.regions() {
            let mut kinds: Vec<(RegionKind, u64)> = Vec::new();
            for (index, totals) in tables.regions.iter().enumerate().filter(|(_, totals)| totals.shown.objects > 0) {
                let kind = regions.kind_at(index);
                match kinds.iter_mut().find(|(of, _)| *of == kind) {
                    Some((_, objects)) => *objects += totals.shown.objects,
                    None => kinds.push((kind, totals.shown.objects)),
                }
            }
            kinds.sort_unstable();
            tables.rest = kinds.iter().max_by_key(|&&(kind, objects)| (objects, std::cmp::Reverse(kind))).map(|k| k.0);
            tables.summed.extend(kinds.iter().filter(|k| Some(k.0) != tables.rest).map(|k| Part::Region(k.0)));
        }
        tables.summed.extend(has_native.then_some(Part::Native));
        let mut sums = Vec::new();
        for &part in &tables.summed {
            task.checkpoint()?;
            let weights = match part {
                Part::Region(kind) => in_region(heap, dominance, kind),
                Part::Native => {
                    let Charges { weights, moved } = charges(heap, retainers, dominance, paths, task)?;
                    tables.moved = moved;
                    weights
                }
            };
            let sum = dominance.sums_of(weights);
            let mut by_class = dominance.class_sums(&sum, heap, task)?;
            if part == Part::Native {
                let class_of = |object| heap.class_id(object).raw();
                native_charges::add_moved(&mut by_class, &tables.moved, dominance, class_of);
            }
            tables.classes.push(by_class);
            sums.push(sum.keep(budget, names(part)));
        }
        if tables.rest.is_some() {
            let regions = || tables.summed.iter().zip(&tables.classes).filter(|(part, _)| **part != Part::Native);
            let others = |class| regions().map(|(_, by_class)| by_class.get(class).copied().unwrap_or_default()).sum();
            let left = |(class, all): (usize, &u64)| all.saturating_sub(others(class));
            let rest = dominance.class_retained.iter().enumerate().map(left).collect();
            tables.classes.push(rest);
        }
        tables.native = native_by_class(heap, dominance);
        task.advance(heap.len() as u64);
        Ok(Self { tables, sums })
    }

    /// Loads the stored columns.
    pub(super) fn stored(stored: &StoredAnalysis, tables: PartTables) -> Option<Self> {
        let sums = tables.summed.iter().map(|&part| SparseSums::find(stored, names(part))).collect::<Option<_>>()?;
        Some(Self { tables, sums })
    }

    /// True if a part is not empty.
    pub(super) fn has(&self, part: Part) -> bool {
        self.tables.summed.contains(&part) || self.tables.rest.map(Part::Region) == Some(part)
    }

    /// Splits the combined retained size of each group, which is `totals`, by part.
    pub(super) fn by_group(
        &self,
        dominance: &Dominance,
        totals: &[Bytes],
        group_of: impl Fn(ObjectId) -> u32 + Sync,
        task: &Task,
    ) -> Result<Vec<(Part, Vec<Bytes>)>, Cancelled> {
        let mut parts = Vec::with_capacity(self.sums.len() + 1);
        for (&part, sums) in self.tables.summed.iter().zip(&self.sums) {
            let mut by_group = dominance.group_sums(sums, &group_of, totals.len(), task)?;
            if part == Part::Native {
                native_charges::add_moved(&mut by_group, &self.tables.moved, dominance, &group_of);
            }
            parts.push((part, by_group.into_iter().map(Bytes).collect::<Vec<_>>()));
        }
        if let Some(rest) = self.tables.rest {
            let mut left = totals.to_vec();
            for (_, others) in parts.iter().filter(|(part, _)| *part != Part::Native) {
                left.iter_mut().zip(others).for_each(|(left, other)| left.0 = left.0.saturating_sub(other.0));
            }
            parts.push((Part::Region(rest), left));
        }
        Ok(parts)
    }

    /// Share of the retained size of an object that belongs to `part`.
    pub(super) fn retained(&self, dominance: &Dominance, object: ObjectId, part: Part) -> Bytes {
        let Some(preorders) = dominance.subtree(object) else { return Bytes(0) };
        if let Some(sums) = self.column(part) {
            return Bytes(match part {
                Part::Native => native_charges::retained(sums, &self.tables.moved, dominance, object),
                Part::Region(_) => sums.of(preorders),
            });
        }
        if Part::Region(self.tables.rest.unwrap_or(RegionKind::Other)) != part || self.tables.rest.is_none() {
            return Bytes(0);
        }
        let regions = self.tables.summed.iter().zip(&self.sums).filter(|(part, _)| **part != Part::Native);
        let others: u64 = regions.map(|(_, sums)| sums.of(preorders.clone())).sum();
        Bytes(dominance.retained(object).0.saturating_sub(others))
    }

    fn column(&self, part: Part) -> Option<&SparseSums> {
        self.tables.summed.iter().position(|of| *of == part).and_then(|at| self.sums.get(at))
    }

    /// Share of the retained size of a class that belongs to `part`.
    pub(super) fn class_retained(&self, class: ClassId, part: Part) -> Bytes {
        let at = self.tables.summed.iter().position(|of| *of == part);
        let rest = || (self.tables.rest.map(Part::Region) == Some(part)).then_some(self.tables.summed.len());
        let by_class = at.or_else(rest).and_then(|at| self.tables.classes.get(at));
        Bytes(by_class.and_then(|by_class| by_class.get(class.index())).copied().unwrap_or_default())
    }
}

/// True if native memory is worth columns of its own: the runtime registers it, or the objects have a hundredth of the heap
/// or more. Nearly every Java virtual machine has a small direct buffer.
fn has_much_native(heap: &Heap, dominance: &Dominance, paths: &ShortestPaths) -> bool {
    let reachable = heap.native_bytes().all().filter(|owned| dominance.is_reachable(owned.object));
    let live = reachable.filter(|owned| native_charges::is_live(owned.kind, paths.strength(owned.object.raw())));
    let (mut bytes, mut is_registered) = (0_u64, false);
    for owned in live {
        bytes = bytes.saturating_add(owned.bytes.0);
        is_registered |= owned.kind == NativeKind::Registered;
    }
    let all = dominance.bytes_at(0..dominance.tree.size()).0;
    is_registered || (bytes > 0 && bytes >= all / LEAST_NATIVE)
}

fn names(part: Part) -> SparseNames {
    match part {
        Part::Region(kind) => sections::REGION_SUMS[kind as usize],
        Part::Native => sections::NATIVE_SUMS,
    }
}

/// Positions of the shown objects in a kind of region, with their sizes.
fn in_region(heap: &Heap, dominance: &Dominance, kind: RegionKind) -> Vec<(u32, u64)> {
    let Some(regions) = heap.regions() else { return Vec::new() };
    let is_meant: Vec<bool> = (0..regions.names().len()).map(|preorder| regions.kind_at(preorder) == kind).collect();
    let (of, shallow) = (regions.regions(), heap.shallow.reading());
    let is_meant = |row: usize| of.get(row).is_some_and(|region| is_meant.get(region as usize) == Some(&true));
    let blocks = dominance.preorders().par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().flat_map_iter(
        |(block, preorders)| {
            let rows =
                (block * CHECKPOINT_EVERY..).zip(preorders).filter(|&(row, &preorder)| preorder != 0 && is_meant(row));
            rows.map(|(row, &preorder)| (preorder, shallow.get(row as u32).0))
        },
    );
    blocks.collect()
}

fn region_totals(heap: &Heap, dominance: &Dominance, task: &Task) -> Result<Vec<RegionTotals>, Cancelled> {
    let Some(regions) = heap.regions() else { return Ok(Vec::new()) };
    let (of, shallow) = (regions.regions(), heap.shallow.reading());
    let blocks =
        dominance.preorders().par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, preorders)| {
            task.checkpoint()?;
            let mut totals = vec![Totals::default(); regions.names().len()];
            for (row, _) in (block * CHECKPOINT_EVERY..).zip(preorders).filter(|&(_, &preorder)| preorder != 0) {
                let region = of.get(row).and_then(|preorder| totals.get_mut(preorder as usize));
                let one = Totals { objects: 1, shallow: shallow.get(row as u32) };
                region.into_iter().for_each(|region| region.add(one));
            }
            Ok(totals)
        });
    let shown = blocks.try_reduce(
        || vec![Totals::default(); regions.names().len()],
        |mut all, more| {
            all.iter_mut().zip(more).for_each(|(all, more)| all.add(more));
            Ok(all)
        },
    )?;
    let named = regions.names().iter().zip(shown);
    let mut totals: Vec<RegionTotals> =
        named.map(|(name, shown)| RegionTotals { name: name.clone(), shown, native: Bytes(0) }).collect();
    for (object, bytes) in heap.native_bytes().objects().filter(|&(object, _)| dominance.is_reachable(object)) {
        totals.get_mut(regions.region_of(object)).into_iter().for_each(|region| region.native += bytes);
    }
    Ok(totals)
}

fn native_by_class(heap: &Heap, dominance: &Dominance) -> Vec<u64> {
    let mut by_class = Vec::new();
    for (object, bytes) in heap.native_bytes().objects().filter(|&(object, _)| dominance.is_reachable(object)) {
        by_class.resize(heap.classes.len(), 0_u64);
        let of_class = by_class.get_mut(heap.class_id(object).index());
        of_class.into_iter().for_each(|sum| *sum = sum.saturating_add(bytes.0));
    }
    by_class
}
