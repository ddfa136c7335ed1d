//! What-if analysis of cut references: the objects a collection would free, and those that other references still hold.
//!
//! Several cuts are evaluated as one set. Only targets of cut references and their subtrees can change, so the search
//! for remaining objects is confined to the subtree of their nearest common dominator. If all cuts lead to one object,
//! no search is needed: any other reference to it decides.

use std::fmt;

use rayon::prelude::*;

use super::freed::FreedObjects;
use super::native_freed::native_freed;
use super::other_holders::{CutTargets, NAMED, OtherHolder};
use super::{cut::Cut, cut_references::CutReferences, resolved_cuts::ResolvedCuts};
use crate::answers::DumpData;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Count, Share, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::reach::{Holder, holders, instances_outside, reached_below};
use heaplens_heap::{Analysis, ExcludedReferenceList, ExcludedReferences, ObjectId, Totals};

/// Result of a set of cuts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhatIf {
    /// Freed objects and bytes.
    pub freed: Totals,
    /// Reachable objects and bytes, for shares.
    pub of: Totals,
    /// Number of cut references. For a cut object or class, all references to it.
    pub references: u64,
    /// Bytes retained by targets that stay alive, each byte once.
    pub still_held: Totals,
    /// Number of other references to targets, from objects that stay alive and are outside their retained sets. Each GC
    /// root of a target counts, too.
    pub other_references: u64,
    /// The first of them, by retained size of the target.
    pub other_holders: Vec<OtherHolder>,
    /// Native memory that is freed, too; it is no part of the freed bytes.
    pub native: Bytes,
    /// Instances whose cut field could not be read, because the dump is missing or damaged, and entries without a known
    /// holder.
    pub unread: u64,
}

impl fmt::Display for WhatIf {
    /// `frees 812 MB (31.0 %), 1,200,000 objects; 40 MB still retained through 2 other references`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let objects = |n: u64| format!("{} {}", Count(n), if n == 1 { "object" } else { "objects" });
        match (self.references, self.freed.objects) {
            (0, 0) => write!(f, "no effect: no such reference is reachable")?,
            (_, 0) => write!(f, "frees nothing")?,
            (_, n) => {
                let Totals { shallow, .. } = self.freed;
                write!(f, "frees {shallow} ({}), {}", Share::of(shallow, self.of.shallow), objects(n))?;
            }
        }
        if self.native > Bytes(0) {
            write!(f, ", and {} outside the heap", self.native)?;
        }
        if self.still_held.shallow > Bytes(0) {
            write!(f, "; {} still retained", self.still_held.shallow)?;
            match self.other_references {
                0 => {}
                1 => write!(f, " through 1 other reference")?,
                other_references => write!(f, " through {} other references", Count(other_references))?,
            }
        }
        if self.unread > 0 {
            write!(f, "; the references of {} cannot be read from this file", objects(self.unread))?;
        }
        Ok(())
    }
}

/// What making all of `cuts` frees; exact.
pub fn what_if(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<WhatIf, Cancelled> {
    Ok(what_if_with_objects(of, cuts, task)?.what)
}

/// What cuts free, with the objects and references that it counts.
pub struct CutResult {
    /// The sums.
    pub what: WhatIf,
    /// The freed objects.
    pub freed: FreedObjects,
    /// The cut references.
    pub excluded: ExcludedReferences,
}

/// What making all of `cuts` frees, with the objects and references that it counts.
///
/// # Errors
/// If the task is cancelled.
pub fn what_if_with_objects(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<CutResult, Cancelled> {
    let resolved = ResolvedCuts::of(of, cuts, task)?;
    let (mut what, freed) = freed_by(of, &resolved, task)?;
    what.native = native_freed(of, &freed, &resolved.excluded, task)?;
    Ok(CutResult { what, freed, excluded: resolved.excluded })
}

fn freed_by(of: DumpData<'_>, resolved: &ResolvedCuts, task: &Task) -> Result<(WhatIf, FreedObjects), Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let answer =
        WhatIf { of: analysis.shown, references: resolved.references, unread: resolved.unread, ..WhatIf::default() };
    let Some((first, last)) = resolved.span else { return Ok((answer, FreedObjects::default())) };
    if first == last {
        return of_one(of, resolved, answer, task);
    }
    task.step("Marking remaining objects", Unit::Objects, analysis.shown.objects);
    let above = above_all(analysis, first, last, task)?;
    let mut left = reached_below(heap, analysis, above, &resolved.excluded, task)?;
    let held_by_engine = held_by_engine(of, above, &left, &resolved.excluded, task)?;
    left.extend(held_by_engine.iter());
    let region = above.and_then(|above| analysis.subtree(above)).unwrap_or(0..u32::MAX);
    task.step("Counting freed objects", Unit::Objects, heap.len() as u64);
    let held = CutTargets::below(analysis, &resolved.targets, held_by_engine, task)?;
    let (other_references, other_holders) = held.other_references(of, resolved, &left, task)?;
    let region = FreedObjects::outside(region, left);
    let freed = count(of, task, |row, preorder| region.is_at(row, preorder))?;
    let still_held = count(of, task, |row, preorder| held.contains(preorder) && !region.is_at(row, preorder))?;
    Ok((WhatIf { freed, still_held, other_references, other_holders, ..answer }, region))
}

/// References and objects excluded by cuts, for [`heaplens_heap::Heap::without`].
pub fn excluded_references(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<ExcludedReferences, Cancelled> {
    Ok(ResolvedCuts::of(of, cuts, task)?.excluded)
}

/// Shortcut for cuts that all lead to one object: its whole retained set is freed, or nothing.
fn of_one(
    of: DumpData<'_>,
    resolved: &ResolvedCuts,
    answer: WhatIf,
    task: &Task,
) -> Result<(WhatIf, FreedObjects), Cancelled> {
    let DumpData { heap, contents, analysis, .. } = of;
    let Some(object) = resolved.span.and_then(|(preorder, _)| analysis.at_preorder(preorder)) else {
        return Ok((answer, FreedObjects::default()));
    };
    let retained = analysis.kept_by(object);
    let (mut other_references, mut other_holders) = (0_u64, Vec::new());
    for holder in holders(heap, contents, analysis, object, &resolved.excluded) {
        task.checkpoint()?;
        if other_holders.len() < NAMED {
            other_holders.push(OtherHolder::new(of, &resolved.fields, object, holder));
        }
        other_references += 1;
    }
    for instance in instances_outside(heap, analysis, object, &resolved.excluded) {
        if other_holders.len() < NAMED {
            other_holders.push(OtherHolder::of_instance(heap, object, instance));
        }
        other_references += 1;
    }
    if other_references > 0 {
        let answer = WhatIf { still_held: retained, other_references, other_holders, ..answer };
        return Ok((answer, FreedObjects::default()));
    }
    let below = analysis.subtree(object).unwrap_or_default();
    if heap.snapshot().is_none() {
        return Ok((WhatIf { freed: retained, ..answer }, FreedObjects::below(below)));
    }
    let mut freed = Bits::new(heap.len());
    freed.extend(below.clone().filter_map(|preorder| analysis.at_preorder(preorder)).map(ObjectId::raw));
    let held = heap.held_by_engine(analysis, &freed, &resolved.excluded, task)?;
    let rows = held.iter().filter_map(ObjectId::from_raw).map(|object| heap.shallow(object));
    let remaining = Totals { objects: held.count() as u64, shallow: rows.fold(Bytes(0), |all, bytes| all + bytes) };
    let freed = Totals { objects: retained.objects - remaining.objects, shallow: retained.shallow - remaining.shallow };
    if !held.contains(object.raw()) {
        return Ok((WhatIf { freed, ..answer }, FreedObjects::outside(below, held)));
    }
    let from = heap.engine_holders(analysis, object, &resolved.excluded);
    let from = from.into_iter().filter(|from| !freed_with(analysis, object, *from) || held.contains(from.raw()));
    let from: Vec<ObjectId> = from.collect();
    let named = from.iter().take(NAMED).map(|&from| OtherHolder::new(of, &[], object, Holder::Object(from)));
    let other_holders = named.collect();
    let answer = WhatIf { freed, still_held: remaining, other_references: from.len() as u64, other_holders, ..answer };
    Ok((answer, FreedObjects::outside(below, held)))
}

/// True if an object is in the retained set of another.
fn freed_with(analysis: &Analysis, retainer: ObjectId, object: ObjectId) -> bool {
    let preorder = analysis.preorder(object);
    analysis.subtree(retainer).zip(preorder).is_some_and(|(below, preorder)| below.contains(&preorder))
}

/// Objects below `above` that are not `left`, but held by the engine.
fn held_by_engine(
    of: DumpData<'_>,
    above: Option<ObjectId>,
    left: &Bits,
    excluded: &ExcludedReferences,
    task: &Task,
) -> Result<Bits, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    if heap.snapshot().is_none() {
        return Ok(Bits::default());
    }
    let region = above.and_then(|above| analysis.subtree(above)).unwrap_or(1..u32::MAX);
    let mut freed = Bits::new(heap.len());
    for rows in task.blocks(heap.len()) {
        let is_inside = |row: u32| analysis.preorders().get(row as usize).is_some_and(|at| region.contains(at));
        freed.extend(rows?.map(|row| row as u32).filter(|&row| is_inside(row) && !left.contains(row)));
    }
    heap.held_by_engine(analysis, &freed, excluded, task)
}

/// Nearest common dominator of all objects between two tree positions, outside of them. `None` if it is the top of the
/// tree.
fn above_all(analysis: &Analysis, first: u32, last: u32, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    // Tree positions are in preorder: an object that dominates the first and the last dominates all.
    let mut at = analysis.at_preorder(first).and_then(|object| analysis.immediate_dominator(object));
    while let Some(above) = at.filter(|&above| analysis.subtree(above).is_none_or(|below| !below.contains(&last))) {
        task.checkpoint()?;
        at = analysis.immediate_dominator(above);
    }
    Ok(at)
}

/// Counts reachable objects with their tree positions.
fn count(of: DumpData<'_>, task: &Task, counts: impl Fn(u32, u32) -> bool + Sync) -> Result<Totals, Cancelled> {
    let blocks =
        of.analysis.preorders().par_chunks(CHECKPOINT_EVERY).with_max_len(1).enumerate().map(|(block, preorders)| {
            task.advance_checked(preorders.len() as u64 / 2)?;
            let mut totals = Totals::default();
            for (row, &preorder) in ((block * CHECKPOINT_EVERY) as u32..).zip(preorders) {
                if preorder != 0 && counts(row, preorder) {
                    let shallow = ObjectId::from_raw(row).map_or(Bytes(0), |object| of.heap.shallow(object));
                    totals.add(Totals { objects: 1, shallow });
                }
            }
            Ok(totals)
        });
    blocks.try_reduce(Totals::default, |mut all, more| {
        all.add(more);
        Ok(all)
    })
}

/// Lower bound of the freed bytes without a search: the retained sets of targets without other referrers. Cuts that do not
/// name a single reference, object or class are ignored; [`what_if()`] is exact. None for snapshots of JavaScript engines. Takes time in proportion to the incoming references of the
/// targets.
pub fn frees_at_least(of: DumpData<'_>, cuts: &[Cut]) -> Bytes {
    let DumpData { heap, contents, analysis, .. } = of;
    // References of the engine into the retained sets may hold what the program releases.
    if heap.snapshot().is_some() {
        return Bytes(0);
    }
    let excluded = of_single(of, cuts);
    let led_to = cuts.iter().filter_map(|cut| match cut {
        Cut::Reference { to: object, .. } | Cut::Object(object) => Some(*object),
        _ => None,
    });
    let goes = |&object: &ObjectId| {
        holders(heap, contents, analysis, object, &excluded).next().is_none()
            && instances_outside(heap, analysis, object, &excluded).next().is_none()
    };
    let single = analysis.retained_together(led_to.filter(goes));
    let classes = cuts.iter().filter_map(|cut| match cut {
        Cut::Class(class) => Some(analysis.class_retained(*class)),
        _ => None,
    });
    classes.fold(single, Bytes::max)
}

/// The excluded references of those cuts that name a single reference or object; others exclude none.
fn of_single(of: DumpData<'_>, cuts: &[Cut]) -> ExcludedReferences {
    let heap = of.heap;
    let (mut objects, mut references) = (Bits::new(heap.len()), ExcludedReferenceList::default());
    for cut in cuts {
        match cut {
            Cut::Reference { from, to } => {
                let CutReferences { cut, stored } = CutReferences::between(of, *from, *to);
                references.every.extend(cut.into_iter().chain(stored));
            }
            Cut::Object(object) if object.index() < heap.len() => {
                objects.insert(object.raw());
            }
            _ => {}
        }
    }
    ExcludedReferences::new(heap, objects, references)
}
