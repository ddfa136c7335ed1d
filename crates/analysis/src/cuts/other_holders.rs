//! Targets of cut references that stay alive: the bytes they retain, and the references that still hold them.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{cut::Cut, resolved_cuts::ResolvedCuts};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::reach::{Holder, holders, instances_outside, still_holds};
use heaplens_heap::{Analysis, ExcludedReferences, Heap, ObjectId, ReferenceName};

/// Maximum number of other references listed.
pub(super) const NAMED: usize = 8;
/// Maximum number of names examined per reference.
const NAMES: usize = 16;
/// Number of objects per parallel block.
const PIECE: usize = 1 << 10;

/// Another reference that would still hold an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHolder {
    /// The held object.
    pub object: ObjectId,
    /// The holding object.
    pub holder: Holder,
    /// Name of the reference; `None` if the object is a GC root.
    pub reference: Option<String>,
    /// The cut for this reference. An instance always refers to its class, so the cut covers all instances.
    pub cut: Cut,
}

impl OtherHolder {
    /// `fields` are the names of cut fields: of several references to the object, the remaining one has another name.
    pub(super) fn new(of: DumpData<'_>, fields: &[Box<str>], object: ObjectId, holder: Holder) -> Self {
        match holder {
            Holder::Root(_) => Self { object, holder, reference: None, cut: Cut::Object(object) },
            Holder::Object(from) => {
                let most = if fields.is_empty() { 1 } else { NAMES };
                let names = of.contents.reference_names(of.heap, from, object, most);
                let is_left = |name: &&ReferenceName| !fields.iter().any(|field| **field == *name.text);
                let name = names.iter().find(is_left).or(names.first());
                let reference = Some(name.map_or_else(|| "<unknown>".to_owned(), |name| name.text.clone()));
                Self { object, holder, reference, cut: Cut::Reference { from, to: object } }
            }
        }
    }

    /// An object's reference to its class.
    pub(super) fn of_instance(heap: &Heap, class: ObjectId, of: ObjectId) -> Self {
        let reference = Some("<class>".to_owned());
        Self { object: class, holder: Holder::Object(of), reference, cut: Cut::Class(heap.class_id(of)) }
    }
}

/// Retained sets of the targets of cut references.
pub(super) struct CutTargets<'a> {
    targets: &'a [ObjectId],
    /// Positions in the dominator tree.
    below: Bits,
    /// Objects that the engine holds, and the page no longer.
    held_by_engine: Bits,
}

impl<'a> CutTargets<'a> {
    pub(super) fn below(
        analysis: &Analysis,
        targets: &'a [ObjectId],
        held_by_engine: Bits,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let mut subtrees: Vec<_> =
            targets.par_iter().filter_map(|&object| analysis.subtree(object).map(|s| (s.start, s.end))).collect();
        subtrees.par_sort_unstable();
        let mut below = Bits::new(if targets.is_empty() { 0 } else { analysis.shown.objects as usize + 1 });
        let mut covered = 0;
        for (first, end) in subtrees {
            for preorder in first.max(covered)..end {
                task.checkpoint_at(preorder as usize)?;
                below.insert(preorder);
            }
            covered = covered.max(end);
        }
        Ok(Self { targets, below, held_by_engine })
    }

    pub(super) fn contains(&self, preorder: u32) -> bool {
        self.below.contains(preorder)
    }

    /// Number of other references to the targets, and the first of them. `left` are the objects still reachable within
    /// the affected region.
    pub(super) fn other_references(
        &self,
        of: DumpData<'_>,
        resolved: &ResolvedCuts,
        left: &Bits,
        task: &Task,
    ) -> Result<(u64, Vec<OtherHolder>), Cancelled> {
        let DumpData { heap, contents, analysis, .. } = of;
        // All dominators and holders of a target are in the searched region.
        let is_left = |object: &ObjectId| left.contains(object.raw());
        let is_holding = |holder: &Holder| match holder {
            Holder::Root(_) => true,
            Holder::Object(from) => is_left(from),
        };
        let of_engine = |object: ObjectId| {
            let is_held = self.held_by_engine.contains(object.raw());
            let from = is_held.then(|| heap.engine_holders(analysis, object, &resolved.excluded));
            from.into_iter().flatten().map(Holder::Object)
        };
        let holders = |object: ObjectId| {
            holders(heap, contents, analysis, object, &resolved.excluded).chain(of_engine(object)).filter(is_holding)
        };
        let references_to = |&object: &ObjectId| holders(object).count() as u64;
        let pieces = self.targets.par_chunks(PIECE).with_max_len(1).map(|piece| {
            task.checkpoint()?;
            Ok(piece.iter().filter(|&object| is_left(object)).map(references_to).sum::<u64>())
        });
        let explicit = pieces.try_reduce(|| 0, |a, b| Ok(a + b))?;
        let implicit = self.instances(of, &resolved.excluded, left, task)?;
        if explicit + implicit == 0 {
            return Ok((0, Vec::new()));
        }
        let mut remaining: Vec<ObjectId> = self.targets.iter().copied().filter(is_left).collect();
        let largest = |&object: &ObjectId| (Reverse(analysis.retained(object)), object);
        if remaining.len() > NAMED {
            remaining.select_nth_unstable_by_key(NAMED, largest);
            remaining.truncate(NAMED);
        }
        remaining.sort_unstable_by_key(largest);
        let mut some = Vec::new();
        for object in remaining {
            let room = NAMED - some.len();
            let named = holders(object).take(room);
            some.extend(named.map(|holder| OtherHolder::new(of, &resolved.fields, object, holder)));
            let room = NAMED - some.len();
            let named = instances_outside(heap, analysis, object, &resolved.excluded).filter(is_left).take(room);
            some.extend(named.map(|of| OtherHolder::of_instance(heap, object, of)));
        }
        Ok((explicit + implicit, some))
    }

    /// Number of remaining instances that refer to their class object, which is a target and does not dominate them.
    fn instances(
        &self,
        DumpData { heap, analysis, .. }: DumpData<'_>,
        excluded: &ExcludedReferences,
        left: &Bits,
        task: &Task,
    ) -> Result<u64, Cancelled> {
        // By class: its class object and the tree positions of its retained set.
        let mut inside = vec![None; heap.classes.len()];
        let of_targets = self.targets.iter().filter(|object| left.contains(object.raw()));
        for (class, object) in of_targets.filter_map(|&object| Some((heap.classes.of_object(object)?, object))) {
            let below = analysis.subtree(object).map(|below| (object, below));
            inside.get_mut(class.index()).into_iter().for_each(|inside| inside.clone_from(&below));
        }
        if inside.iter().all(Option::is_none) {
            return Ok(0);
        }
        let (column, preorders) = (heap.class_column().slices(), analysis.preorders());
        let is_holding = |of: &ObjectId| {
            let class = column.get(of.index()).and_then(|class| inside.get(class as usize)?.as_ref());
            class.is_some_and(|(class, below)| {
                preorders.get(of.index()).is_some_and(|preorder| !below.contains(preorder))
                    && !still_holds(heap, analysis, *of, *class, excluded)
            })
        };
        let mut other_references = 0;
        for block in task.blocks(heap.len()) {
            let of_block = block?.filter_map(ObjectId::new).filter(|of| left.contains(of.raw()));
            other_references += of_block.filter(is_holding).count() as u64;
        }
        Ok(other_references)
    }
}
