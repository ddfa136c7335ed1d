//! Objects at the top of the dominator tree, or directly below one object: which are shared, their
//! descendants, and names of owners.

use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{Analysis, ClassKind, Contents, Heap, ObjectId, ReferenceKind};
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
    pub(super) objects: Vec<u32>,
    /// Their positions in the tree.
    places: Ranks,
    /// By index in `objects`: number of a shared object, [`NONE`] for a holder.
    pub(super) number: Vec<u32>,
    /// The shared ones by number.
    pub(super) shared: Vec<u32>,
    /// Objects whose first reference is excluded.
    skip: Option<Bits>,
}

impl<'a> Top<'a> {
    /// Objects directly below `parent`, or at the top. Its direct references are holders.
    pub(super) fn below(
        heap: &'a Heap,
        analysis: &'a Analysis,
        parent: Option<ObjectId>,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        let skip = heap.referents_beyond(analysis.rules.min_strength);
        let (objects, number, shared) = (Vec::new(), Vec::new(), Vec::new());
        let mut top = Self { heap, analysis, objects, places: Ranks::default(), number, shared, skip };
        let mut places = Vec::new();
        let mut is_held = Bits::new(heap.len());
        for &root in analysis.roots().objects().iter().filter(|&&root| (root as usize) < heap.len()) {
            is_held.insert(root);
        }
        let direct = parent.map_or(&[] as &[u32], |parent| heap.references(parent));
        for &held in direct.iter().filter(|&&held| (held as usize) < heap.len()) {
            is_held.insert(held);
        }
        for object in analysis.dominator_children(parent) {
            task.checkpoint()?;
            let Some(place) = analysis.place(object) else { continue };
            top.objects.push(object.raw());
            places.push(place);
            if is_held.contains(object.raw()) || heap.classes.of_object(object).is_some() {
                top.number.push(NONE);
            } else {
                top.number.push(top.shared.len() as u32);
                top.shared.push(object.raw());
            }
        }
        // The first position is the root of the tree.
        top.places = Ranks::new(heap.len() + 1, &places);
        Ok(top)
    }

    /// The shared object of a number.
    pub(super) fn object(&self, number: u32) -> Option<ObjectId> {
        self.shared.get(number as usize).copied().and_then(ObjectId::from_raw)
    }

    /// Top ancestor of `retainer`, by index; `None` if its reference to `object` is excluded.
    pub(super) fn above(&self, retainer: u32, object: ObjectId) -> Option<usize> {
        let retainer = ObjectId::from_raw(retainer)?;
        let place = self.analysis.place(retainer)?;
        if self.skip.as_ref().is_some_and(|skip| skip.contains(retainer.raw()))
            && !self.heap.references(retainer).iter().skip(1).any(|&to| to == object.raw())
        {
            return None;
        }
        self.places.up_to(place).checked_sub(1)
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
                let (Some(owner), Some(from)) = (ObjectId::from_raw(self.objects[above]), ObjectId::from_raw(retainer))
                else {
                    continue;
                };
                if self.number[above] != NONE {
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
