//! Objects at the top of the dominator tree, or directly below one object: which are shared, their
//! descendants, and names of owners.

use std::ops::Range;

use rayon::prelude::*;

use crate::answers::DumpData;
use crate::naming::{Namer, short_class};
use crate::structure::step_text;
use heaplens_base::{Cancelled, Task, storage::prefetch};
use heaplens_graph::{Bits, ranks::Ranks};
use heaplens_heap::{ClassId, ClassKind, Heap, ObjectId, ReferenceKind, Subtree};

/// Number of owners listed in a name.
pub(super) const LISTED: usize = 3;

/// Maximum number of top objects examined on the path back to an owner, to name it.
const LOOKED_AT: usize = 256;
/// Maximum number of retainers examined for each of them.
const RETAINERS: usize = 1_024;
/// Maximum number of levels from a retainer up to the direct child of its owner.
const LEVELS: usize = 4_096;

/// Shared objects for which memory is fetched together, and the retainers of each.
const AT_ONCE: usize = 64;
const PREFETCHED: usize = 8;

/// The objects at the top of the dominator tree.
pub(super) struct Top<'a> {
    pub(super) dump: DumpData<'a>,
    /// In the order of the tree.
    children: &'a [Subtree],
    /// Their positions in the tree.
    ranks: Ranks,
    /// Numbers by index in `children`: those of shared objects come before those of holders.
    number: Vec<u32>,
    /// Indices in `children`, by number.
    numbered: Vec<u32>,
    /// Number of shared objects.
    shared: u32,
    /// Objects whose first reference is excluded.
    skip: Option<Bits>,
}

/// What lies directly above each shared object: the children that its retainers are in.
pub(super) struct AboveShared {
    /// End of the part of each shared object.
    ends: Vec<usize>,
    /// Numbers of the children above, one part for each shared object.
    above: Vec<u32>,
}

impl AboveShared {
    /// Numbers of the children above a shared object.
    pub(super) fn of(&self, number: u32) -> &[u32] {
        let begin = (number as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.above[begin..self.ends[number as usize]]
    }
}

impl<'a> Top<'a> {
    /// Looks at the children of `parent`, or at the top of the tree. Its direct references are holders.
    pub(super) fn new(
        dump: DumpData<'a>,
        parent: Option<ObjectId>,
        children: &'a [Subtree],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let DumpData { heap, analysis, .. } = dump;
        let skip = heap.referents_beyond(analysis.rules.min_strength);
        let preorders: Vec<u32> = children.iter().map(|child| child.preorder).collect();
        let mut is_held = Bits::new(heap.len());
        for &root in analysis.roots().objects().iter().filter(|&&root| (root as usize) < heap.len()) {
            is_held.insert(root);
        }
        let direct = parent.map_or(&[] as &[u32], |parent| heap.references(parent));
        for &held in direct.iter().filter(|&&held| (held as usize) < heap.len()) {
            is_held.insert(held);
        }
        let (mut numbered, mut holders) = (Vec::with_capacity(children.len()), Vec::new());
        for (at, child) in (0..).zip(children) {
            task.checkpoint()?;
            let is_holder = is_held.contains(child.object.raw()) || heap.classes.of_object(child.object).is_some();
            if is_holder { holders.push(at) } else { numbered.push(at) }
        }
        let shared = numbered.len() as u32;
        numbered.append(&mut holders);
        let mut number = vec![0; children.len()];
        (0..).zip(&numbered).for_each(|(of_child, &at)| number[at as usize] = of_child);
        // The first position is the root of the tree.
        let preorders = Ranks::new(heap.len() + 1, &preorders);
        Ok(Self { dump, children, ranks: preorders, number, numbered, shared, skip })
    }

    /// Number of shared objects.
    pub(super) fn len(&self) -> usize {
        self.shared as usize
    }

    /// The child of a number.
    pub(super) fn child(&self, number: u32) -> ObjectId {
        self.subtree(number).object
    }

    /// The child of a number, with what it holds.
    pub(super) fn subtree(&self, number: u32) -> &Subtree {
        &self.children[self.numbered[number as usize] as usize]
    }

    /// True if the child of a number is shared.
    pub(super) fn is_shared(&self, number: u32) -> bool {
        number < self.shared
    }

    /// Indices of children, given their numbers.
    pub(super) fn indices(&self, numbers: &[u32]) -> impl Iterator<Item = u32> {
        numbers.iter().map(|&number| self.numbered[number as usize])
    }

    /// What lies above each shared object.
    pub(super) fn above_shared(&self, task: &Task) -> Result<AboveShared, Cancelled> {
        let parts = task.par_blocks(self.len()).map(|part| {
            let part = part?;
            let (mut lengths, mut above) = (Vec::with_capacity(part.len()), Vec::with_capacity(part.len()));
            let mut of_one = Vec::new();
            for first in part.clone().step_by(AT_ONCE) {
                for (object, retainers) in self.with_retainers(first..part.end.min(first + AT_ONCE)) {
                    for (looked, &retainer) in retainers.iter().enumerate() {
                        task.checkpoint_at(looked)?;
                        of_one.extend(self.above(retainer, object));
                    }
                    of_one.sort_unstable();
                    of_one.dedup();
                    lengths.push(of_one.len());
                    above.append(&mut of_one);
                }
            }
            task.advance(part.len() as u64);
            Ok((lengths, above))
        });
        let parts = parts.collect::<Result<Vec<_>, Cancelled>>()?;
        let all = parts.iter().map(|(_, above)| above.len()).sum();
        let mut shared_above = AboveShared { ends: Vec::with_capacity(self.len()), above: Vec::with_capacity(all) };
        for (lengths, above) in parts {
            let mut end = shared_above.above.len();
            shared_above.ends.extend(lengths.into_iter().map(|length| {
                end += length;
                end
            }));
            shared_above.above.extend(above);
        }
        Ok(shared_above)
    }

    /// Some shared objects with their retainers. What is needed of these is fetched together, so that cache misses overlap.
    fn with_retainers(&self, numbers: Range<usize>) -> Vec<(ObjectId, &'a [u32])> {
        let objects = self.numbered[numbers].iter().map(|&at| self.children[at as usize].object);
        objects.clone().for_each(|object| self.dump.analysis.prefetch_retainers_start(object.raw()));
        let retained = objects.map(|object| (object, self.dump.analysis.retainers(object)));
        let retained: Vec<_> = retained.inspect(|(_, retainers)| prefetch(retainers, 0)).collect();
        for (_, retainers) in &retained {
            retainers.iter().take(PREFETCHED).for_each(|&retainer| self.dump.analysis.prefetch_preorder(retainer));
        }
        retained
    }

    /// Number of the child that a retainer is in; `None` if its reference to `object` is excluded.
    fn above(&self, retainer: u32, object: ObjectId) -> Option<u32> {
        let retainer = ObjectId::from_raw(retainer)?;
        let preorder = self.dump.analysis.preorder(retainer)?;
        if self.skip.as_ref().is_some_and(|skip| skip.contains(retainer.raw()))
            && !self.dump.heap.references(retainer).iter().skip(1).any(|&to| to == object.raw())
        {
            return None;
        }
        self.ranks.up_to(preorder).checked_sub(1).map(|at| self.number[at])
    }

    /// Names of the first owners of a shared object, with the fields that lead to it.
    pub(super) fn names(
        &self,
        namer: Namer<'_>,
        owners: &[ObjectId],
        object: ObjectId,
        task: &Task,
    ) -> Result<Vec<String>, Cancelled> {
        let DumpData { heap, analysis, contents, .. } = self.dump;
        // The runtime leads to much that others hold: its objects come last.
        let is_runtime = |owner: ObjectId| namer.index.is_runtime(class_of(heap, owner));
        let mut listed: Vec<(String, ObjectId)> = owners.iter().map(|&o| (short_name(heap, o), o)).collect();
        listed.sort_by_cached_key(|(name, owner)| (is_runtime(*owner), name.clone(), *owner));
        listed.truncate(LISTED);
        let mut holding: Vec<Option<(ObjectId, ObjectId)>> = vec![None; listed.len()];
        let (mut seen, mut waiting) = (vec![object], 0);
        while let Some(&held) = seen.get(waiting).filter(|_| waiting < LOOKED_AT && holding.contains(&None)) {
            waiting += 1;
            task.checkpoint()?;
            for &retainer in analysis.retainers(held).iter().take(RETAINERS) {
                let Some(above) = self.above(retainer, held) else { continue };
                let Some(from) = ObjectId::from_raw(retainer) else { continue };
                let owner = self.child(above);
                if self.is_shared(above) {
                    if !seen.contains(&owner) && seen.len() < LOOKED_AT {
                        seen.push(owner);
                    }
                } else if let Some(at) = listed.iter().position(|&(_, listed)| listed == owner) {
                    holding[at].get_or_insert((from, held));
                }
            }
        }
        let named = |((name, owner), holding): ((String, ObjectId), Option<(ObjectId, ObjectId)>)| {
            // An array length, or the class name again, adds no information.
            let tells = heap.classes.of_object(owner).is_none() && heap.class(owner).kind == ClassKind::Plain;
            let name = match contents.label(heap, owner).filter(|_| tells) {
                Some(label) => format!("{name} {label}"),
                None => name,
            };
            let held = holding.and_then(|(from, held)| self.first_below(owner, from, held));
            let field = held.and_then(|held| contents.reference_names(heap, owner, held, 1).into_iter().next());
            match field {
                Some(field) if field.kind == ReferenceKind::Element => name + &field.text,
                Some(field) if matches!(field.kind, ReferenceKind::Field | ReferenceKind::Static) => {
                    name + &step_text(namer, owner, &field.text)
                }
                _ => name,
            }
        };
        Ok(listed.into_iter().zip(holding).map(named).collect())
    }

    /// Direct child of an owner on the path to `from`, somewhere below it.
    fn first_below(&self, owner: ObjectId, from: ObjectId, held: ObjectId) -> Option<ObjectId> {
        if owner == from {
            return Some(held);
        }
        let mut at = from;
        for _ in 0..LEVELS {
            match self.dump.analysis.immediate_dominator(at)? {
                above if above == owner => return Some(at),
                above => at = above,
            }
        }
        None
    }
}

/// Name of the class of an object as its source has it; for a class object that of the class it represents.
pub(super) fn short_name(heap: &Heap, object: ObjectId) -> String {
    short_class(heap, class_of(heap, object))
}

/// Class of an object; for a class object the one it represents.
fn class_of(heap: &Heap, object: ObjectId) -> ClassId {
    heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object))
}
