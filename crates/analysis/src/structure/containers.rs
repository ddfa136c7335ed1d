//! The structures that hold shared objects directly. Objects in two structures, such as listeners in the list of their
//! source and in a registry, are dominated by neither.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::head::head;
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Strength};

/// Maximum number of objects examined, evenly spaced by their sizes.
const SAMPLE: usize = 300;
/// Maximum number of references examined to prove that some structures hold all.
const EXAMINED: u32 = 200_000;
/// Maximum number of referrers examined per object.
const REFERRERS: usize = 64;
/// Maximum number of dominators examined for membership.
const DOMINATORS: usize = 64;

/// A structure that holds shared objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Container {
    /// Its head.
    pub(crate) head: ObjectId,
    /// Number of the sampled objects that it holds.
    pub(crate) holds: usize,
    /// Number of sampled objects.
    pub(crate) sampled: usize,
}

/// The structures that directly hold at least half of some objects (in address order), those that hold most first.
pub(crate) fn containers(namer: Namer<'_>, members: &[ObjectId], task: &Task) -> Result<Vec<Container>, Cancelled> {
    let heap = namer.heap;
    let sample = sample_by_size(namer, members, SAMPLE);
    let mut holds: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for &member in &sample {
        let mut of_member: Vec<ObjectId> = Vec::new();
        for from in referrers(namer, members, member).take(REFERRERS) {
            of_member.push(head(namer, from, task)?);
        }
        of_member.sort_unstable();
        of_member.dedup();
        of_member.into_iter().for_each(|head| *holds.entry(head).or_default() += 1);
    }
    let sampled = sample.len();
    let most = holds.into_iter().filter(|&(_, count)| count * 2 >= sampled);
    let mut containers: Vec<Container> = most.map(|(head, holds)| Container { head, holds, sampled }).collect();
    containers.retain(|container| heap.classes.of_object(container.head).is_none());
    containers.sort_by_key(|container| (std::cmp::Reverse(container.holds), container.head));
    Ok(containers)
}

/// Some of the objects (in address order), at most `most`, evenly spaced by what they retain: those that a few large ones
/// make up most of are represented by these, whatever small ones are among them.
pub(crate) fn sample_by_size(namer: Namer<'_>, members: &[ObjectId], most: usize) -> Vec<ObjectId> {
    // Members may be millions, anywhere in the heap.
    let retained: Vec<u64> = members.par_iter().map(|&member| namer.analysis.retained(member).0).collect();
    let all: u128 = retained.iter().copied().map(u128::from).sum();
    let step = (all / most.max(1) as u128).max(1);
    let (mut passed, mut next) = (0, step / 2);
    let mut is_next = |bytes: u64| {
        passed += u128::from(bytes);
        let is_next = passed > next;
        if is_next {
            next += (passed - next).div_ceil(step) * step;
        }
        is_next
    };
    members.iter().zip(retained).filter(|&(_, bytes)| is_next(bytes)).map(|(&member, _)| member).collect()
}

/// True if some structures hold all references to some objects (in address order) from outside of them. False if there
/// are too many to examine.
pub(crate) fn hold_all(
    namer: Namer<'_>,
    containers: &[Container],
    members: &[ObjectId],
    task: &Task,
) -> Result<bool, Cancelled> {
    let mut left = EXAMINED;
    for &member in members {
        if !namer.analysis.roots().of(member).is_empty() {
            return Ok(false);
        }
        for from in referrers(namer, members, member) {
            left -= 1;
            if left == 0 {
                return Ok(false);
            }
            let head = head(namer, from, task)?;
            if !containers.iter().any(|container| namer.analysis.dominates(container.head, head)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Objects that refer to a member, unless weakly, from outside the members.
fn referrers(namer: Namer<'_>, members: &[ObjectId], member: ObjectId) -> impl Iterator<Item = ObjectId> {
    let from = namer.analysis.referrers(member);
    from.filter(move |&from| {
        namer.analysis.is_reachable(from) && !is_weak(namer, from, member) && !is_within(namer, members, from)
    })
}

/// True if an object is one of the members, or belongs to one.
fn is_within(namer: Namer<'_>, members: &[ObjectId], object: ObjectId) -> bool {
    let up = std::iter::successors(Some(object), |&at| namer.analysis.immediate_dominator(at));
    up.take(DOMINATORS).any(|at| members.binary_search(&at).is_ok())
}

fn is_weak(namer: Namer<'_>, from: ObjectId, to: ObjectId) -> bool {
    let heap = namer.heap;
    heap.has_referent_first(from)
        && heap.class(from).strength != Strength::Strong
        && heap.references(from).first() == Some(&to.raw())
}
