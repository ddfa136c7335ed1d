//! Cuts for shared memory: one reference of each owner.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::cut_options::{CutOption, CutOptions, SEVERAL, outside};
use super::{accumulation_point::AccumulationPoint, fingerprint::general};
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::reach::{Holder, holders};
use heaplens_heap::{ExcludedReferences, ObjectId};

/// Owners are cut together only if at least 1/n of the freed bytes is shared.
const SHARED: u64 = 4;
/// Maximum number of levels from a referrer up to its owner.
const LEVELS: usize = 10_000;

/// The references through which owners reach everything they share. Cutting them also frees what each holds alone.
/// `None` if there are too many.
pub(super) fn of_owners(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    task: &Task,
) -> Result<Option<CutOptions>, Cancelled> {
    let analysis = namer.analysis;
    let mut heads: BTreeSet<ObjectId> = BTreeSet::new();
    let mut known: FxHashMap<ObjectId, Option<ObjectId>> = FxHashMap::default();
    let is_member = |object: ObjectId| point.members.binary_search(&object).is_ok();
    let nothing = ExcludedReferences::default();
    for &member in &point.members {
        for holder in holders(namer.heap, namer.contents, analysis, member, &nothing) {
            task.checkpoint()?;
            let Holder::Object(from) = holder else { continue };
            let Some(head) = head(namer, point, from, &mut known) else { return Ok(None) };
            // The retained set of a member is freed with it.
            if !is_member(head) {
                heads.insert(head);
            }
            if heads.len() > SEVERAL {
                return Ok(None);
            }
        }
    }
    // Owners that hold most of it alone are locations of their own.
    let frees = heads.iter().fold(point.held, |all, &head| all.plus(analysis.kept_by(head)));
    if point.held.shallow.0.saturating_mul(SHARED) < frees.shallow.0 {
        return Ok(None);
    }
    let mut options = CutOptions { frees, ..CutOptions::default() };
    for &head_of in &heads {
        if !analysis.roots().of(head_of).is_empty() || namer.heap.classes.of_object(head_of).is_some() {
            return Ok(None);
        }
        let Some(from) = outside(namer, head_of, task)? else { return Ok(None) };
        let from = from.into_iter().filter(|&from| {
            // References from other heads or shared objects are freed with those.
            !heads.iter().any(|&other| other != head_of && analysis.dominates(other, from))
                && !head(namer, point, from, &mut known).is_some_and(is_member)
        });
        let from = from.collect();
        options.listed.push(CutOption { from, to: head_of });
    }
    let is_any = options.listed.iter().any(|option| !option.from.is_empty());
    Ok(is_any.then_some(options))
}

/// Sorted names of the owners of a location, one per name pattern, because owners are ordered by address.
pub(super) fn names(namer: Namer<'_>, point: &AccumulationPoint, task: &Task) -> Result<Vec<String>, Cancelled> {
    let mut names = Vec::with_capacity(point.owners.len());
    for &owner in &point.owners {
        match namer.heap.classes.of_object(owner) {
            Some(class) => names.push(namer.heap.classes.get(class).name.to_string()),
            None => names.extend(namer.name(owner, task)?),
        }
    }
    Ok(one_of_each(names))
}

/// The first of each group of names that differ only in parts that change from dump to dump.
pub(super) fn one_of_each(names: Vec<String>) -> Vec<String> {
    let mut of_each: BTreeMap<String, String> = BTreeMap::new();
    for name in names {
        let first = of_each.entry(general(&name)).or_insert_with(|| name.clone());
        if name < *first {
            *first = name;
        }
    }
    of_each.into_values().collect()
}

/// The object to cut on the path from an owner to `from`: the owner, unless it is a class, thread or loader; else the
/// member that holds it.
fn head(
    namer: Namer<'_>,
    point: &AccumulationPoint,
    from: ObjectId,
    known: &mut FxHashMap<ObjectId, Option<ObjectId>>,
) -> Option<ObjectId> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let (mut at, mut below, mut path) = (from, None, Vec::new());
    let head_found = loop {
        if let Some(&known) = known.get(&at) {
            break known;
        }
        if point.members.binary_search(&at).is_ok() {
            break Some(at);
        }
        if point.owners.binary_search(&at).is_ok() {
            let is_structure = heap.classes.of_object(at).is_some() || !analysis.roots().of(at).is_empty();
            break if is_structure { below } else { Some(at) };
        }
        path.push(at);
        below = Some(at);
        match analysis.immediate_dominator(at) {
            Some(above) if path.len() < LEVELS => at = above,
            _ => break None,
        }
    };
    known.extend(path.into_iter().map(|object| (object, head_found)));
    head_found
}
