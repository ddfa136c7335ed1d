//! Cuts resolved in one heap: the excluded references and their targets.

use std::collections::HashSet;

use rayon::prelude::*;

use super::{cut::Cut, gathered_cuts::GatheredCuts};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ExcludedReferenceList, ExcludedReferences, ObjectId};

/// Cuts resolved in one heap.
#[derive(Default)]
pub(super) struct ResolvedCuts {
    pub(super) excluded: ExcludedReferences,
    /// Reachable targets of cut references, ascending, without objects that are cut themselves.
    pub(super) targets: Vec<ObjectId>,
    /// First and last tree position of all cut objects and targets of cut references.
    pub(super) span: Option<(u32, u32)>,
    /// Names of cut fields.
    pub(super) fields: Vec<Box<str>>,
    pub(super) references: u64,
    pub(super) unread: u64,
}

impl ResolvedCuts {
    pub(super) fn of(of: DumpData<'_>, cuts: &[Cut], task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, analysis, .. } = of;
        let gathered = GatheredCuts::of(of, cuts, task)?;
        let GatheredCuts { mut objects, nodes, mut references, mut stored, mut internal, mut targets, .. } = gathered;
        let led_to = references.every.iter().chain(&references.single).filter_map(|&(_, to)| ObjectId::from_raw(to));
        targets.extend(led_to);
        targets.extend(references.roots.iter().copied().filter_map(ObjectId::from_raw));
        for source in references.sources.iter().copied().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            targets.extend(heap.references(source).iter().copied().filter_map(ObjectId::from_raw));
        }
        targets.retain(|&object| analysis.is_reachable(object) && !objects.contains(object.raw()));
        targets.par_sort_unstable();
        targets.dedup();
        let mut resolved = Self { targets, fields: gathered.fields, unread: gathered.unread, ..Self::default() };
        resolved.count(of, &references, &objects, task)?;
        // Nodes and references of an implementation are not counted.
        for &node in nodes.iter().filter(|&&node| (node as usize) < heap.len()) {
            if objects.has_no_room() {
                objects = Bits::new(heap.len());
            }
            objects.insert(node);
            ObjectId::from_raw(node)
                .and_then(|node| analysis.preorder(node))
                .into_iter()
                .for_each(|at| resolved.extend(at));
        }
        references.every.append(&mut stored);
        internal.sort_unstable();
        internal.dedup();
        references.single.extend(internal.into_iter().map(|(from, to, _)| (from, to)));
        resolved.excluded = ExcludedReferences::new(heap, objects, references);
        Ok(resolved)
    }

    fn extend(&mut self, preorder: u32) {
        let (first, last) = self.span.unwrap_or((preorder, preorder));
        self.span = Some((first.min(preorder), last.max(preorder)));
    }

    /// Counts references and extends the range of affected tree positions.
    fn count(
        &mut self,
        of: DumpData<'_>,
        references: &ExcludedReferenceList,
        objects: &Bits,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let DumpData { heap, contents, analysis, .. } = of;
        let positions: Vec<u32> = self.targets.iter().filter_map(|&object| analysis.preorder(object)).collect();
        positions.into_iter().for_each(|preorder| self.extend(preorder));
        self.references = (references.single.len() + references.referents.len()) as u64;
        self.references += between(of, references.every.clone(), task)?;
        let rows = |rows: &[u32]| rows.iter().copied().filter_map(ObjectId::from_raw).collect::<Vec<ObjectId>>();
        for source in rows(&references.sources) {
            self.references += heap.references(source).len() as u64;
        }
        for root in rows(&references.roots) {
            self.references += analysis.roots().of(root).len() as u64;
        }
        for object in objects.iter().filter_map(ObjectId::from_raw) {
            task.checkpoint()?;
            if let Some(preorder) = analysis.preorder(object) {
                self.extend(preorder);
                let from = analysis.retainers(object).iter().filter_map(|&row| ObjectId::from_raw(row));
                let counts = |from: &ObjectId| !analysis.is_storage_reference(heap, contents, *from, object);
                self.references += from.filter(counts).count() as u64;
            }
        }
        Ok(())
    }
}

/// Number of references between pairs of objects. Each object is read once: an array may have millions.
fn between(of: DumpData<'_>, mut pairs: Vec<(u32, u32)>, task: &Task) -> Result<u64, Cancelled> {
    pairs.sort_unstable();
    pairs.dedup();
    let mut all = 0;
    for of_one in pairs.chunk_by(|one, other| one.0 == other.0) {
        task.checkpoint()?;
        let from = of_one.first().and_then(|&(from, _)| ObjectId::from_raw(from));
        let row = from.map_or(&[] as &[u32], |from| of.heap.references(from));
        let mut is_left: HashSet<u32> = of_one.iter().map(|&(_, to)| to).collect();
        let is_cut = is_left.clone();
        for to in row.iter().filter(|to| is_cut.contains(to)) {
            is_left.remove(to);
            all += 1;
        }
        // A reference of the engine is one that does not retain at present.
        all += is_left.len() as u64;
    }
    Ok(all)
}
