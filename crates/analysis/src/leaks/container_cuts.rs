//! Cuts for shared objects that few structures hold: the reference to each structure.

use crate::answers::DumpData;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::accumulation_point::AccumulationPoint;
use super::cut_options::{CutOption, CutOptions, SEVERAL, outside};
use crate::naming::{Namer, is_common_shape};
use crate::structure::{self, Origin, ShortName};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Maximum number of structures that name what they hold.
const NAMED: usize = 2;
/// Number of objects whose names are compared.
const SAMPLE: usize = 16;
/// Maximum number of steps of a path to an object that is examined for a field.
const STEPS: usize = 256;

/// The references to the structures that hold some objects, if these hold all of them: cutting them frees the objects
/// and the structures. `None` if other objects hold them, too, or if a structure is a GC root.
pub(super) fn of_containers(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<CutOptions>, Cancelled> {
    let holds_each = point.containers.first().is_some_and(|first| first.holds == first.sampled);
    if !holds_each || !structure::hold_all(namer, &point.containers, &point.members, task)? {
        return Ok(None);
    }
    let mut options = CutOptions { frees: point.held, ..CutOptions::default() };
    for container in &point.containers {
        if !namer.analysis.roots().of(container.head).is_empty() {
            return Ok(None);
        }
        let Some(from) = outside(namer, container.head, task)? else { return Ok(None) };
        // A structure within another goes with it.
        let is_within = point
            .containers
            .iter()
            .any(|other| other.head != container.head && namer.analysis.dominates(other.head, container.head));
        if !is_within {
            options.frees.add(namer.analysis.kept_by(container.head));
            options.listed.push(CutOption { from, to: container.head });
        }
    }
    let is_any = options.listed.iter().any(|option| !option.from.is_empty());
    Ok(is_any.then_some(options))
}

/// `news.Desk.open + news.Feed.listeners`: structures by their names in the source, with the number of objects that each
/// holds; those that hold most first.
pub(super) fn short_name(
    namer: Namer<'_>,
    heads: impl Iterator<Item = (ObjectId, usize)>,
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    let mut names: Vec<(usize, ShortName)> = Vec::new();
    for (head, holds) in heads.take(SEVERAL) {
        let name = structure::of_structure(namer, head, task)?;
        // Parts of one structure may differ in steps that a name leaves out.
        let is_new = |name: &ShortName| names.iter().all(|(_, known)| known.to_string() != name.to_string());
        names.extend(name.filter(is_new).map(|name| (holds, name)));
    }
    names.sort_by_cached_key(|(holds, name)| (Reverse(*holds), name.to_string()));
    names.truncate(NAMED);
    let of_application = names.iter().find(|(_, name)| name.is_of_application());
    let origin = of_application.or(names.first()).map(|(_, name)| (name.origin, name.source.clone()));
    let mut names = names.into_iter().map(|(_, name)| name);
    let (Some(most), Some((origin, source))) = (names.next(), origin) else { return Ok(None) };
    Ok(Some(ShortName { others: names.collect(), origin, source, ..most }))
}

/// The name that most of a sample of the objects have, each by its nearest holder; the member alone if only that is the
/// same.
pub(super) fn name_of_most(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    let sample = structure::sample_by_size(namer, &point.members, SAMPLE);
    let mut names: Vec<ShortName> = Vec::new();
    for &member in &sample {
        names.extend(name_in_source(namer, member, task)?);
    }
    Ok(common_name(&names, sample.len().div_ceil(2)))
}

/// The name that most objects of the class that accumulates in a location have, by a sample of what they hold, and the
/// largest of these: what many objects of the runtime share may have no name itself. `None` if less than two have it.
pub(super) fn name_of_accumulated(
    namer: Namer<'_>,
    (point, class): (&AccumulationPoint, ClassId),
    sample: &[ObjectId],
    task: &Task,
) -> Result<Option<(ShortName, ObjectId)>, Cancelled> {
    // Objects of one shape have nothing in common but the names of their properties.
    if is_common_shape(namer.heap, class) {
        return Ok(None);
    }
    let mut accumulated: Vec<ObjectId> = Vec::new();
    for &object in sample {
        task.checkpoint()?;
        let dominators = std::iter::successors(Some(object), |&at| {
            namer.analysis.immediate_dominator(at).filter(|_| point.members.binary_search(&at).is_err())
        });
        accumulated.extend(dominators.take(STEPS).find(|&at| namer.heap.class_id(at) == class));
    }
    accumulated.sort_unstable();
    accumulated.dedup();
    let step = accumulated.len().div_ceil(SAMPLE).max(1);
    let (mut sampled, mut named) = (0_usize, Vec::new());
    for object in accumulated.into_iter().step_by(step) {
        sampled += 1;
        let name = name_in_source(namer, structure::head(namer, object, task)?, task)?;
        named.extend(name.map(|name| (object, name)));
    }
    let names: Vec<ShortName> = named.iter().map(|(_, name)| name.clone()).collect();
    let name = if sampled < 2 { None } else { common_name(&names, sampled.div_ceil(2)) };
    let Some(name) = name else { return Ok(None) };
    let of_name = named.into_iter().filter(|(_, of_object)| of_object.has_member_of(&name)).map(|(object, _)| object);
    let largest = of_name.max_by_key(|&object| (namer.analysis.retained(object), Reverse(object)));
    // They are the entries.
    Ok(largest.map(|object| (name.of_collection(), object)))
}

/// The name of a structure, unless only the runtime has it.
fn name_in_source(namer: Namer<'_>, head: ObjectId, task: &Task) -> Result<Option<ShortName>, Cancelled> {
    Ok(structure::of_structure(namer, head, task)?.filter(|name| name.origin != Origin::Runtime))
}

/// The innermost field that the shortest paths to most of a sample of the objects share: `java.util.Timer.queue`, of
/// whatever library or part of the runtime. Elements of collections and locals of threads are no fields.
pub(super) fn field_on_most_paths(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    let Namer { dump: DumpData { heap, analysis, .. }, index } = namer;
    let sample = point.members.iter().step_by(point.members.len().div_ceil(SAMPLE).max(1));
    let half = sample.len().div_ceil(2);
    // With the number of paths, the steps from the objects up, and the first of these.
    let mut passed: BTreeMap<(ObjectId, ObjectId), (usize, usize, ObjectId)> = BTreeMap::new();
    for &member in sample {
        let mut below = member;
        for up in 1..=STEPS {
            task.checkpoint()?;
            let Some(above) = analysis.predecessor(heap, below) else { break };
            if !index.is_thread(above) {
                let (paths, steps, _) = passed.entry((above, below)).or_insert((0, 0, member));
                (*paths, *steps) = (*paths + 1, *steps + up);
            }
            below = above;
        }
    }
    let most = passed.into_iter().filter(|(_, (paths, ..))| *paths >= half.max(2));
    let mut most: Vec<_> = most.map(|(reference, (paths, steps, first))| (steps / paths, reference, first)).collect();
    most.sort_unstable();
    // The shortest path may lead through a field that has the objects for another reason.
    let name = |above, below, member| {
        structure::by_field(namer, above, below)?;
        structure::by_field(namer, above, member).or_else(|| structure::by_field(namer, above, below))
    };
    Ok(most.into_iter().find_map(|(_, (above, below), member)| name(above, below, member)))
}

/// The name that at least `least` have, or the member if only the members are the same.
fn common_name(names: &[ShortName], least: usize) -> Option<ShortName> {
    most_of(names, least, ShortName::to_string).cloned().or_else(|| {
        let most = most_of(names, least, |name| name.qualified.clone())?;
        Some(most.clone().without_steps())
    })
}

/// A name of those that are the most alike, if there are at least `least`.
fn most_of(names: &[ShortName], least: usize, part: impl Fn(&ShortName) -> String) -> Option<&ShortName> {
    let times = |name: &ShortName| names.iter().filter(|other| part(other) == part(name)).count();
    let most = names.iter().max_by_key(|name| (times(name), Reverse(part(name))))?;
    (times(most) >= least).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_one_field_have_its_name() {
        let name = |member: &str, steps: &str| {
            let object = ObjectId::from_raw(1).expect("an object");
            let texts = ("Editor".to_owned(), format!("desk.Editor{member}"));
            let name = ShortName::of_itself(object, texts, Origin::Application);
            ShortName { member: member.to_owned(), steps: steps.to_owned(), ..name }
        };
        let undo = |steps: &str| name(".undoStates", steps);
        let text = |names: &[ShortName], least| common_name(names, least).map(|name| name.to_string());
        // Versions of a tree hold its nodes at places that differ.
        let versions = [undo("[…].left"), undo("[…].right"), undo("[…].middle"), name(".diagram", "")];
        assert_eq!(text(&versions, 2).as_deref(), Some("Editor.undoStates"));
        assert_eq!(text(&versions, 4), None);
        let alike = [undo("[…].left"), undo("[…].left"), undo("[…].right")];
        assert_eq!(text(&alike, 2).as_deref(), Some("Editor.undoStates[…].left"));
        assert_eq!(text(&[], 0), None);
    }
}
