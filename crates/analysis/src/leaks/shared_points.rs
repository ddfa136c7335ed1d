//! Locations of shared memory: one per set of owners.
//!
//! Objects with more owners than are distinguished are grouped by class. Shared objects that the runtime retains
//! without the application count as runtime memory.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::accumulation_point::{AccumulationPoint, Shape, is_most};
use super::query::LeakQuery;
use crate::{dominator_tree::shared::Shared, naming::Namer, structure::containers};
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassId, ClassKind, ExcludedReferences, ObjectId, Subtree, reach::reached};

/// Shared memory.
pub(super) enum SharedPoint {
    /// One object makes up nearly all of it.
    One(ObjectId),
    /// Several objects.
    Several(AccumulationPoint),
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
        let (shared, of_sets) = Shared::among(question.namer.dump, (parent, children), question.min_bytes, task)?;
        let mut points = Vec::new();
        for (set, members) in shared.sets.iter().zip(of_sets) {
            let PartitionedMembers { structures, of_runtime, others } =
                self.partition(question.namer, children, &members, &apart, task)?;
            let of_some = |members| Members { children, members };
            let big = structures.into_iter().map(|at| children[at as usize]);
            let big = big.filter(|structure| structure.retained >= question.min_bytes);
            points.extend(big.map(|structure| SharedPoint::One(structure.object)));
            points.extend(shared_point(question, of_some(of_runtime), |point| point.is_of_runtime = true));
            match &set.owners {
                Some(owners) => {
                    points.extend(shared_point(question, of_some(others), |point| point.owners.clone_from(owners)));
                }
                None => points.extend(medley(question, &of_some(others))),
            }
        }
        for points in &mut points {
            if let SharedPoint::Several(point) = points {
                point.within = parent;
                point.containers = containers(question.namer, &point.members, task)?;
            }
        }
        Ok(points)
    }

    /// Partitions the members of a set, given as indices of `children`.
    fn partition(
        &mut self,
        namer: Namer<'_>,
        children: &[Subtree],
        members: &[u32],
        apart: impl Fn(ObjectId) -> Apart + Sync,
        task: &Task,
    ) -> Result<PartitionedMembers, Cancelled> {
        let of_runtime = match &mut self.of_runtime {
            Some(known) => known,
            none => none.insert(of_runtime(namer, task)?),
        };
        let parts = members.par_chunks(CHECKPOINT_EVERY).with_max_len(1).map(|part| {
            task.checkpoint()?;
            let mut points = PartitionedMembers::default();
            for &at in part {
                let object = children[at as usize].object;
                match apart(object) {
                    Apart::Examined => {}
                    Apart::Structure => points.structures.push(at),
                    Apart::No if of_runtime.contains(object.raw()) => points.of_runtime.push(at),
                    Apart::No => points.others.push(at),
                }
            }
            Ok(points)
        });
        let mut all = PartitionedMembers::default();
        for part in parts.collect::<Result<Vec<_>, Cancelled>>()? {
            all.structures.extend(part.structures);
            all.of_runtime.extend(part.of_runtime);
            all.others.extend(part.others);
        }
        Ok(all)
    }
}

/// Members of a set, as indices of children.
#[derive(Default)]
struct PartitionedMembers {
    /// Objects that hold unrelated ones.
    structures: Vec<u32>,
    /// Retained by the runtime.
    of_runtime: Vec<u32>,
    others: Vec<u32>,
}

/// Some children of an object, by index, in address order.
struct Members<'a> {
    children: &'a [Subtree],
    members: Vec<u32>,
}

/// Locations of objects with many owners, by class.
fn medley(question: LeakQuery<'_>, of_set: &Members<'_>) -> Vec<SharedPoint> {
    let heap = question.namer.heap;
    let mut by_class: BTreeMap<ClassId, Vec<u32>> = BTreeMap::new();
    for &member in &of_set.members {
        by_class.entry(heap.class_id(of_set.children[member as usize].object)).or_default().push(member);
    }
    let mut by_class: Vec<(ClassId, Vec<u32>)> = by_class.into_iter().collect();
    by_class.sort_by_key(|&(class, _)| (&*heap.classes.get(class).name, class));
    let of_class = |(_, members)| shared_point(question, Members { members, ..*of_set }, |_| {});
    by_class.into_iter().filter_map(of_class).collect()
}

/// The location of some objects, by address, if they retain enough.
fn shared_point(
    question: LeakQuery<'_>,
    Members { children, members }: Members<'_>,
    also: impl FnOnce(&mut AccumulationPoint),
) -> Option<SharedPoint> {
    let analysis = question.namer.analysis;
    let subtrees = members.iter().map(|&at| children[at as usize]);
    let mut point = AccumulationPoint::of_subtrees(Shape::Shared, subtrees, question.min_bytes)?;
    if is_most(analysis.retained(point.unit), point.retained(analysis)) {
        return Some(SharedPoint::One(point.unit));
    }
    also(&mut point);
    Some(SharedPoint::Several(point))
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
