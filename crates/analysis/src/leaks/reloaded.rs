//! Class loaders of a reloaded application, noticed by the same static field in several loads of one class.

use super::certainty::certainty;
use super::evidence::Evidence;
use super::finding::{LeakFinding, ReferenceToCut};
use super::kinds::{Group, Kind};
use super::query::LeakQuery;
use crate::structure::{self, ShortName};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Number of loaders that an application may have for a while: of the old version and of the new one.
const AT_ONCE: usize = 2;

/// Turns a finding into a class loader leak if the same static field of several loads of one class holds it. It gets the
/// name of what holds the loaders, since the field itself is right.
pub(super) fn mark(question: LeakQuery<'_>, finding: &mut LeakFinding, task: &Task) -> Result<(), Cancelled> {
    let Some((loaders, twice)) = loaders(question, finding) else { return Ok(()) };
    finding.kind = Kind::ClassLoaders;
    finding.group = Group::Leak;
    finding.evidence.retain(|sign| !sign.is_proof_of_bound());
    finding.evidence.push(Evidence::Loaders {
        count: loaders.len() as u64,
        class: question.namer.heap.class(loaders[0]).name.to_string(),
        twice: Some(twice),
    });
    if loaders.len() > AT_ONCE {
        // The sample is of the first load alone: the others have other ages.
        finding.evidence.retain(|sign| {
            !matches!(
                sign,
                Evidence::Allocated(..) | Evidence::LikelyAllocated(..) | Evidence::Recent(_) | Evidence::NotRecent(_)
            )
        });
        finding.certainty = certainty(&finding.evidence);
    }
    if let Some(name) = holder(question, finding, &loaders, task)? {
        finding.rename(&name);
    }
    Ok(())
}

/// The loaders, in address order, and the class that each defines; `None` if there are not several.
fn loaders(question: LeakQuery<'_>, finding: &LeakFinding) -> Option<(Vec<ObjectId>, String)> {
    let heap = question.namer.heap;
    let class = |cut: &ReferenceToCut| Some(heap.classes.get(heap.classes.of_object(cut.from)?));
    let first = finding.cut.first().and_then(class)?;
    let mut loaders: Vec<ObjectId> = vec![first.loader?];
    for other in finding.cut.iter().skip(1) {
        let other = class(other).filter(|other| other.name == first.name).and_then(|other| other.loader);
        loaders.push(other.filter(|&loader| heap.class_id(loader) == heap.class_id(loaders[0]))?);
    }
    loaders.sort_unstable();
    loaders.dedup();
    (loaders.len() > 1).then(|| (loaders, first.name.to_string()))
}

/// The name of what holds the first object on the path that belongs to one of the loaders, without key or index.
fn holder(
    question: LeakQuery<'_>,
    finding: &LeakFinding,
    loaders: &[ObjectId],
    task: &Task,
) -> Result<Option<ShortName>, Cancelled> {
    let heap = question.namer.heap;
    let is_of_loader = |object: ObjectId| {
        let class = heap.classes.of_object(object).unwrap_or_else(|| heap.class_id(object));
        let loader = heap.classes.get(class).loader;
        loaders.binary_search(&object).is_ok() || loader.is_some_and(|loader| loaders.binary_search(&loader).is_ok())
    };
    let Some(path) = finding.path.as_ref().filter(|path| path.omission.is_none()) else { return Ok(None) };
    let steps = path.steps.iter().map(|step| step.object);
    // The path begins outside, or nothing holds the loader but itself.
    let Some(first) = steps.skip(1).find(|&object| is_of_loader(object)) else { return Ok(None) };
    let name = structure::of_structure(question.namer, first, task)?;
    Ok(name.filter(|name| name.steps.starts_with('[')).map(ShortName::without_steps))
}
