//! Locations of shared memory: one per set of owners.
//!
//! Objects with more owners than are distinguished are grouped by class. Shared objects that the runtime retains
//! without the application count as runtime memory.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::accumulation_point::{AccumulationPoint, Shape, is_most};
use super::query::LeakQuery;
use crate::{dominator_tree::shared::Shared, naming::Namer, structure::containers};
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{ClassId, ClassKind, ExcludedReferences, ObjectId, Subtree, reach::reached};
use heaplens_graph::Bits;

/// Shared memory.
pub(super) enum SharedPoint {
    /// One object makes up nearly all of it.
    One(ObjectId),
    /// Several objects.
    Place(AccumulationPoint),
}

/// Whether a shared object is left out of the groups.
pub(super) enum Apart {
    /// It is examined already.
    Examined,
    /// It holds unrelated objects.
    Structure,
    /// It belongs to a group.
    No,
}

/// Facts about the whole heap, computed on first use.
#[derive(Default)]
pub(super) struct SharedSearch {
    of_runtime: Option<Bits>,
}

impl SharedSearch {
    /// Shared objects among the children of `parent`, or at the top of the tree. Objects that `apart` names are not
    /// grouped.
    pub(super) fn among(
        &mut self,
        question: LeakQuery<'_>,
        (parent, children): (Option<ObjectId>, &[Subtree]),
        apart: impl Fn(ObjectId) -> Apart + Sync,
        task: &Task,
    ) -> Result<Vec<SharedPoint>, Cancelled> {
        let Namer { heap, analysis, .. } = question.namer;
        let shared = Shared::among(heap, analysis, (parent, children), question.least, task)?;
        let mut found = Vec::new();
        for (at, set) in shared.sets.iter().enumerate() {
            let members = shared.members(at as u32).par_iter().copied().filter_map(ObjectId::from_raw);
            let members: Vec<(ObjectId, Apart)> = members.map(|member| (member, apart(member))).collect();
            let (mut structures, mut of_set) = (Vec::new(), Vec::new());
            for (member, apart) in members {
                match apart {
                    Apart::Examined => {}
                    Apart::Structure => structures.push(member),
                    Apart::No => of_set.push(member),
                }
            }
            let members = of_set;
            let big = structures.into_iter().filter(|&object| analysis.retained(object) >= question.least);
            found.extend(big.map(SharedPoint::One));
            let (runtime, members) = self.of_runtime(question.namer, members, task)?;
            found.extend(place(question, runtime, |place| place.is_of_runtime = true));
            match &set.owners {
                Some(owners) => found.extend(place(question, members, |place| place.owners.clone_from(owners))),
                None => found.extend(medley(question, members)),
            }
        }
        for found in &mut found {
            if let SharedPoint::Place(place) = found {
                place.within = parent;
                place.containers = containers(question.namer, &place.members, task)?;
            }
        }
        Ok(found)
    }

    /// Splits objects into those retained by the runtime and the others.
    fn of_runtime(
        &mut self,
        namer: Namer<'_>,
        members: Vec<ObjectId>,
        task: &Task,
    ) -> Result<(Vec<ObjectId>, Vec<ObjectId>), Cancelled> {
        let of_runtime = match &mut self.of_runtime {
            Some(known) => known,
            none => none.insert(of_runtime(namer, task)?),
        };
        Ok(members.into_iter().partition(|member| of_runtime.contains(member.raw())))
    }
}

/// Locations of objects with many owners, by class.
fn medley(question: LeakQuery<'_>, members: Vec<ObjectId>) -> Vec<SharedPoint> {
    let heap = question.namer.heap;
    let mut classes: BTreeMap<(&str, ClassId), Vec<ObjectId>> = BTreeMap::new();
    for member in members {
        classes.entry((&heap.class(member).name, heap.class_id(member))).or_default().push(member);
    }
    classes.into_values().filter_map(|members| place(question, members, |_| {})).collect()
}

/// The location of some objects, by address, if they retain enough.
fn place(
    question: LeakQuery<'_>,
    members: Vec<ObjectId>,
    also: impl FnOnce(&mut AccumulationPoint),
) -> Option<SharedPoint> {
    let analysis = question.namer.analysis;
    let mut place = AccumulationPoint::of_several(Shape::Shared, members, analysis, question.least)?;
    if is_most(analysis.retained(place.unit), place.retained(analysis)) {
        return Some(SharedPoint::One(place.unit));
    }
    also(&mut place);
    Some(SharedPoint::Place(place))
}

/// Objects reachable without passing any application object or class.
fn of_runtime(namer: Namer<'_>, task: &Task) -> Result<Bits, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let is_application: Vec<bool> =
        heap.classes.iter().map(|(id, class)| class.kind == ClassKind::Plain && !namer.index.is_runtime(id)).collect();
    let mut application = Bits::new(heap.len());
    for (id, class) in heap.classes.iter() {
        if let Some(object) = class.object.filter(|_| is_application.get(id.index()) == Some(&true)) {
            application.insert(object.raw());
        }
    }
    let column = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        for row in block? {
            if column.get(row).is_some_and(|class| is_application.get(class as usize) == Some(&true)) {
                application.insert(row as u32);
            }
        }
    }
    reached(
        heap,
        analysis.roots().objects(),
        analysis.rules.min_strength,
        &ExcludedReferences::objects(application),
        task,
    )
}
