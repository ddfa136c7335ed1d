//! Objects at the top of the dominator tree, or directly below one object: which are shared, their
//! descendants, and names of owners.

use rayon::prelude::*;

use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_core::heap::{Analysis, ClassKind, Contents, Heap, ObjectId, ReferenceKind, Subtree};
use heaplens_graph::{Bits, NONE, ranks::Ranks};

/// Number of owners listed in a name.
pub(super) const LISTED: usize = 3;

/// Maximum number of top objects examined on the path back to an owner, to name it.
const LOOKED_AT: usize = 256;
/// Maximum number of retainers examined for each of them.
const RETAINERS: usize = 1_024;
/// Maximum number of levels from a retainer up to the direct child of its owner.
const LEVELS: usize = 4_096;

/// The objects at the top of the dominator tree.
pub(super) struct Top<'a> {
    pub(super) heap: &'a Heap,
    pub(super) analysis: &'a Analysis,
    /// In the order of the tree.
    children: &'a [Subtree],
    /// Their positions in the tree.
    places: Ranks,
    /// By index in `children`: number of a shared object, [`NONE`] for a holder.
    pub(super) number: Vec<u32>,
    /// The shared ones by number, as indices in `children`.
    shared: Vec<u32>,
    /// Objects whose first reference is excluded.
    skip: Option<Bits>,
}

/// What lies directly above each shared object: the children that its retainers are in.
pub(super) struct AboveShared {
    /// End of the part of each shared object.
    ends: Vec<usize>,
    /// Indices of children.
    above: Vec<u32>,
}

impl AboveShared {
    /// Indices of the children above a shared object.
    pub(super) fn of(&self, number: u32) -> &[u32] {
        let begin = (number as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.above[begin..self.ends[number as usize]]
    }
}

impl<'a> Top<'a> {
    /// Looks at the children of `parent`, or at the top of the tree. Its direct references are holders.
    pub(super) fn new(
        heap: &'a Heap,
        analysis: &'a Analysis,
        parent: Option<ObjectId>,
        children: &'a [Subtree],
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(analysis.rules.min_strength);
        let places: Vec<u32> = children.iter().map(|child| child.place).collect();
        let mut is_held = Bits::new(heap.len());
        for &root in analysis.roots().objects().iter().filter(|&&root| (root as usize) < heap.len()) {
            is_held.insert(root);
        }
        let direct = parent.map_or(&[] as &[u32], |parent| heap.references(parent));
        for &held in direct.iter().filter(|&&held| (held as usize) < heap.len()) {
            is_held.insert(held);
        }
        let (mut number, mut shared) = (Vec::with_capacity(children.len()), Vec::new());
        for (at, child) in (0..).zip(children) {
            task.checkpoint()?;
            if is_held.contains(child.object.raw()) || heap.classes.of_object(child.object).is_some() {
                number.push(NONE);
            } else {
                number.push(shared.len() as u32);
                shared.push(at);
            }
        }
        // The first position is the root of the tree.
        Ok(Self { heap, analysis, children, places: Ranks::new(heap.len() + 1, &places), number, shared, skip })
    }

    /// Number of shared objects.
    pub(super) fn len(&self) -> usize {
        self.shared.len()
    }

    /// The child at an index.
    pub(super) fn child(&self, at: u32) -> ObjectId {
        self.children[at as usize].object
    }

    /// The shared object of a number, with what it holds.
    pub(super) fn shared_object(&self, number: u32) -> &Subtree {
        &self.children[self.shared[number as usize] as usize]
    }

    /// What lies above each shared object.
    pub(super) fn above_shared(&self, task: &Task) -> Result<AboveShared, Cancelled> {
        let parts = self.shared.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|part| {
            task.checkpoint()?;
            let (mut lengths, mut above) = (Vec::with_capacity(part.len()), Vec::with_capacity(part.len()));
            let mut of_one = Vec::new();
            for &at in part {
                let object = self.child(at);
                for (looked, &retainer) in self.analysis.retainers(object).iter().enumerate() {
                    task.checkpoint_at(looked)?;
                    of_one.extend(self.above(retainer, object));
                }
                of_one.sort_unstable();
                of_one.dedup();
                lengths.push(of_one.len());
                above.append(&mut of_one);
            }
            task.advance(part.len() as u64);
            Ok((lengths, above))
        });
        let parts = parts.collect::<Result<Vec<_>, Cancelled>>()?;
        let all = parts.iter().map(|(_, above)| above.len()).sum();
        let mut found = AboveShared { ends: Vec::with_capacity(self.shared.len()), above: Vec::with_capacity(all) };
        for (lengths, above) in parts {
            let mut end = found.above.len();
            found.ends.extend(lengths.into_iter().map(|length| {
                end += length;
                end
            }));
            found.above.extend(above);
        }
        Ok(found)
    }

    /// The child that a retainer is in, by index; `None` if its reference to `object` is excluded.
    fn above(&self, retainer: u32, object: ObjectId) -> Option<u32> {
        let retainer = ObjectId::from_raw(retainer)?;
        let place = self.analysis.place(retainer)?;
        if self.skip.as_ref().is_some_and(|skip| skip.contains(retainer.raw()))
            && !self.heap.references(retainer).iter().skip(1).any(|&to| to == object.raw())
        {
            return None;
        }
        self.places.up_to(place).checked_sub(1).map(|at| at as u32)
    }

    /// Names of the first owners of a shared object, with the fields that lead to it.
    pub(super) fn names(
        &self,
        contents: &dyn Contents,
        owners: &[ObjectId],
        object: ObjectId,
        task: &Task,
    ) -> Result<Vec<String>, Cancelled> {
        let (heap, analysis) = (self.heap, self.analysis);
        let mut listed: Vec<(String, ObjectId)> = owners.iter().map(|&o| (short_name(heap, o), o)).collect();
        listed.sort();
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
                if self.number[above as usize] != NONE {
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
                    format!("{name}.{}", field.text)
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
            match self.analysis.immediate_dominator(at)? {
                above if above == owner => return Some(at),
                above => at = above,
            }
        }
        None
    }
}

/// Simple class name; for a class object that of the class it represents.
pub(super) fn short_name(heap: &Heap, object: ObjectId) -> String {
    let class = match heap.classes.of_object(object) {
        Some(class) => heap.classes.get(class),
        None => heap.class(object),
    };
    let name = &*class.name;
    // The name of a hidden class continues after a slash, where dots may follow.
    let plain = name.split('/').next().unwrap_or(name);
    plain.rfind('.').and_then(|dot| name.get(dot + 1..)).unwrap_or(name).to_owned()
}
