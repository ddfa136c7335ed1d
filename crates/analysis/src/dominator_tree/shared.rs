//! Shared memory: objects at the top of the dominator tree that are no GC roots, because several objects hold them and
//! none dominates them. They are grouped by their owners.
//!
//! An object at the top is either *shared* (neither a GC root nor a class
//! object) or a *holder* (all others). The **owners** of a shared object are the
//! holders that are reached first on all paths backwards along references that
//! count: from the object to its referrers, up to their ancestors
//! at the top, and on from there as long as these are shared themselves. Class
//! objects end the path although no roots, since a static field is something people can
//! change; further back everything is held by one class loader.
//!
//! Objects that reference each other in cycles have the same owners, so sets are found for strongly connected
//! components, in one pass over the references to shared objects. More than [`MOST_OWNERS`] owners are *many*.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;

use super::top::{LISTED, Top, short_name};
use crate::answers::{DumpData, Question};
use crate::rows::joined;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Count, Task, Unit};
use heaplens_graph::{NONE, components::components};
use heaplens_heap::{Analysis, ObjectId, Subtree};

/// An object with more owners than these has *many*.
pub const MOST_OWNERS: usize = 64;
/// Maximum number of stored owners, 4 bytes each: further sets are *many*.
const REMEMBERED: usize = 32 << 20;
/// Number of sets whose owners are named with their fields.
const NAMED: usize = 2_000;
/// Minimum number of objects for a row of shared objects.
const ROW_AT_LEAST: u64 = 2;
/// Number of positions of the tree of which one thread lists the children.
const PART: u32 = 1 << 18;
/// The set of objects that have many owners.
const MANY: u32 = 0;

/// Objects that are shared by the same owners.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedSet {
    /// Owners in address order; `None` for many.
    pub owners: Option<Vec<ObjectId>>,
    /// The first owners by name: class and field, `ImageCache.map`.
    pub names: Vec<String>,
    /// Number of shared objects at the top.
    pub objects: u64,
    /// Sum of their shallow sizes.
    pub shallow: Bytes,
    /// Retained size of all of them.
    pub retained: Bytes,
    /// Number of further objects they retain.
    pub dominated: u64,
}

impl SharedSet {
    /// `ImageCache.map, Request.target and 12 more`.
    pub fn owners_text(&self) -> String {
        let Some(owners) = &self.owners else { return "many owners".to_owned() };
        let listed = self.names.len().min(LISTED);
        let (names, more) = (&self.names[..listed], owners.len().saturating_sub(listed));
        match (names, more) {
            ([], 0) => "unknown owners".to_owned(),
            ([], more) => format!("{} owners", Count(more as u64)),
            (names, 1..) => format!("{} and {} more", names.join(", "), Count(more as u64)),
            ([one], 0) => one.clone(),
            ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        }
    }

    /// The first owner, and the number of the others: `ImageCache.map`, 13.
    pub fn first_owner(&self) -> (String, u64) {
        match (self.names.first(), &self.owners) {
            (Some(first), Some(owners)) => (first.clone(), owners.len() as u64 - 1),
            _ => (self.owners_text(), 0),
        }
    }
}

/// All children of an object in the dominator tree, or those at its top.
pub fn children(analysis: &Analysis, parent: Option<ObjectId>, task: &Task) -> Result<Vec<Subtree>, Cancelled> {
    let list = |preorders| {
        let mut of_part = Vec::new();
        for child in analysis.dominator_subtrees_at(preorders) {
            task.checkpoint()?;
            of_part.push(child);
        }
        Ok(of_part)
    };
    let mut parts = analysis.split_children(parent, PART);
    match parts.pop() {
        // Most objects dominate few others: other threads are not worth waking.
        Some(only) if parts.is_empty() => list(only),
        last => joined(parts.into_par_iter().chain(last).map(list)),
    }
}

/// Which objects at the top of the dominator tree do several owners share? Asked by table, chart and export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedQuestion;

impl Question for SharedQuestion {
    type Answer = Shared;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<Shared, Cancelled> {
        Shared::find(dump, task)
    }

    fn bytes(answer: &Shared) -> usize {
        let owners = |set: &SharedSet| set.owners.as_ref().map_or(0, |owners| size_of_val(owners.as_slice()));
        answer.set_of.len() * 12 + answer.sets.iter().map(|set| size_of::<SharedSet>() + owners(set)).sum::<usize>()
    }
}

/// Shared objects by set of owners.
#[derive(Debug, Default)]
pub struct Shared {
    /// Sets of owners, largest shared size first.
    pub sets: Vec<SharedSet>,
    /// Shared objects by set, in address order within each.
    members: Vec<u32>,
    /// End index of the members of each set.
    ends: Vec<usize>,
    /// Shared objects in address order, each with its set.
    set_of: Vec<(u32, u32)>,
}

impl Shared {
    /// Owner set of an object; `None` if it is not shared.
    pub fn set_of(&self, object: ObjectId) -> Option<u32> {
        let at = self.set_of.binary_search_by_key(&object.raw(), |&(object, _)| object).ok()?;
        Some(self.set_of.get(at)?.1)
    }

    /// Owner set of an object, if the set has enough objects for a row of its own.
    pub fn row_of(&self, object: ObjectId) -> Option<u32> {
        self.set_of(object).filter(|&set| self.sets.get(set as usize).is_some_and(|set| set.objects >= ROW_AT_LEAST))
    }

    /// All shared objects, in address order.
    pub fn all(&self) -> impl Iterator<Item = ObjectId> {
        self.set_of.iter().filter_map(|&(object, _)| ObjectId::from_raw(object))
    }

    /// Objects shared by a set of owners, in address order.
    pub fn members(&self, set: u32) -> &[u32] {
        let end = |set: usize| self.ends.get(set).copied().unwrap_or(self.members.len());
        let begin = (set as usize).checked_sub(1).map_or(0, end);
        self.members.get(begin..end(set as usize)).unwrap_or(&[])
    }

    /// Computes the shared objects at the top of the tree.
    pub fn find(dump: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let heap = dump.heap;
        // In a JavaScript snapshot nearly everything at the top is shared by the engine itself: such a row
        // would be useless.
        if heap.snapshot().is_some() {
            return Ok(Self::default());
        }
        task.step("Reading the top of the dominator tree", Unit::Objects, 0);
        let children = children(dump.analysis, None, task)?;
        let top = Top::new(dump, None, &children, task)?;
        let SharedAtTop { mut shared, largest, .. } = Self::of_top(&top, Bytes(0), task)?;
        task.step("Naming owners", Unit::Objects, shared.sets.len() as u64);
        let namer = dump.namer(task)?;
        for (at, (set, largest)) in shared.sets.iter_mut().zip(largest).enumerate() {
            let Some(owners) = &set.owners else { continue };
            set.names = if at < NAMED {
                top.names(namer, owners, largest, task)?
            } else {
                owners.iter().take(LISTED).map(|&owner| short_name(heap, owner)).collect()
            };
            task.advance_checked(1)?;
        }
        Ok(shared)
    }

    /// Computes the shared objects among all children of `parent` in the tree: its direct references are the holders
    /// there. Only sets whose objects retain `least` in total are listed, without names. Also returns the members of
    /// each set as indices of children, in address order.
    pub fn among(
        dump: DumpData<'_>,
        (parent, children): (Option<ObjectId>, &[Subtree]),
        least: Bytes,
        task: &Task,
    ) -> Result<(Self, Vec<Vec<u32>>), Cancelled> {
        let top = Top::new(dump, parent, children, task)?;
        let SharedAtTop { shared, numbers, .. } = Self::of_top(&top, least, task)?;
        let begins = std::iter::once(0).chain(shared.ends.iter().copied());
        let of_set = |(begin, &end): (usize, &usize)| top.indices(&numbers[begin..end]).collect();
        let of_sets = begins.zip(&shared.ends).map(of_set).collect();
        Ok((shared, of_sets))
    }

    /// Sets that retain at least `least`.
    fn of_top(top: &Top<'_>, least: Bytes, task: &Task) -> Result<SharedAtTop, Cancelled> {
        let mut sets = Sets::default();
        // `NONE` until the set is found.
        let mut set_of = vec![NONE; top.len()];
        task.step("Finding the owners of shared objects", Unit::Objects, 2 * top.len() as u64);
        let above_shared = top.above_shared(task)?;
        let edge = |node: u32, n: usize| {
            above_shared.of(node).get(n).map(|&above| if top.is_shared(above) { above } else { NONE })
        };
        let mut looked = 0_usize;
        let mut owners = Vec::new();
        let on_component = |part: &[u32]| {
            owners.clear();
            let mut many = false;
            for &above in part.iter().flat_map(|&node| above_shared.of(node)) {
                looked += 1;
                if looked.is_multiple_of(CHECKPOINT_EVERY) {
                    task.checkpoint()?;
                }
                if many {
                    break;
                }
                // Only shared objects have a set.
                match set_of.get(above as usize) {
                    None => owners.push(top.child(above).raw()),
                    // Same component: no further owners.
                    Some(&NONE) => {}
                    Some(&MANY) => many = true,
                    Some(&set) => owners.extend(sets.owners(set)),
                }
                if owners.len() > 4 * MOST_OWNERS {
                    owners.sort_unstable();
                    owners.dedup();
                    many |= owners.len() > MOST_OWNERS;
                }
            }
            task.advance(part.len() as u64);
            let set = if many { MANY } else { sets.of(&mut owners) };
            part.iter().for_each(|&node| set_of[node as usize] = set);
            Ok(())
        };
        components(top.len() as u32, edge, on_component, task)?;
        Self::put_together(top, &sets, &set_of, least, task)
    }

    /// Sorts the sets by shared size, and lists the objects of each.
    fn put_together(
        top: &Top<'_>,
        sets: &Sets,
        set_of: &[u32],
        least: Bytes,
        task: &Task,
    ) -> Result<SharedAtTop, Cancelled> {
        let mut sums = vec![SetSums::default(); sets.len() as usize];
        for block in task.blocks(set_of.len()) {
            for at in block? {
                if let Some(sums) = sums.get_mut(set_of[at] as usize) {
                    let shared = top.subtree(at as u32);
                    sums.add(shared, top.dump.heap.shallow(shared.object));
                }
            }
        }
        let large = sums.par_iter().enumerate().filter(|(_, sums)| sums.retained >= least);
        let ordered = large.filter_map(|(set, sums)| Some((Reverse(sums.retained), sums.first?, set)));
        let mut order: Vec<(Reverse<Bytes>, ObjectId, usize)> = ordered.collect();
        order.par_sort_unstable();
        let mut index_of_set = vec![NONE; sums.len()];
        (0..).zip(&order).for_each(|(at, &(.., set))| index_of_set[set] = at);
        task.checkpoint()?;
        let numbered = set_of.par_iter().enumerate().filter_map(|(number, &set)| {
            let index_of_set = index_of_set.get(set as usize).copied().filter(|&index_of_set| index_of_set != NONE)?;
            let number = number as u32;
            Some((top.child(number).raw(), index_of_set, number))
        });
        let mut numbered: Vec<(u32, u32, u32)> = numbered.collect();
        task.checkpoint()?;
        numbered.par_sort_unstable();
        task.checkpoint()?;
        let mut ends: Vec<usize> = vec![0; order.len()];
        numbered.iter().for_each(|&(_, set, _)| ends[set as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let (mut members, mut numbers) = (vec![0; numbered.len()], vec![0; numbered.len()]);
        for &(object, set, number) in &numbered {
            let end = &mut ends[set as usize];
            (members[*end], numbers[*end]) = (object, number);
            *end += 1;
        }
        let set_of = numbered.into_iter().map(|(object, set, _)| (object, set)).collect();
        let owners = |set: usize| sets.owners(set as u32).iter().copied().filter_map(ObjectId::from_raw).collect();
        let listed = order.iter().map(|&(.., set)| {
            let SetSums { objects, shallow, retained, dominated, .. } = sums[set];
            let owners = (set != MANY as usize).then(|| owners(set));
            SharedSet { owners, names: Vec::new(), objects, shallow, retained, dominated }
        });
        let shared = Self { sets: listed.collect(), members, ends, set_of };
        let largest = order.iter().filter_map(|&(.., set)| Some(sums[set].largest?.1.0)).collect();
        Ok(SharedAtTop { shared, largest, numbers })
    }
}

/// Shared objects, and their numbers in [`Top`].
struct SharedAtTop {
    shared: Shared,
    /// The largest object of each set.
    largest: Vec<ObjectId>,
    /// Number of each member.
    numbers: Vec<u32>,
}

/// Sums over the objects of a set.
#[derive(Debug, Clone, Copy, Default)]
struct SetSums {
    objects: u64,
    shallow: Bytes,
    retained: Bytes,
    dominated: u64,
    /// The first object by address, and the largest one.
    first: Option<ObjectId>,
    largest: Option<(Bytes, Reverse<ObjectId>)>,
}

impl SetSums {
    fn add(&mut self, shared: &Subtree, shallow: Bytes) {
        self.objects += 1;
        self.shallow += shallow;
        self.retained += shared.retained;
        self.dominated += u64::from(shared.dominated);
        self.first = Some(self.first.map_or(shared.object, |first| first.min(shared.object)));
        self.largest = self.largest.max(Some((shared.retained, Reverse(shared.object))));
    }
}

/// Sets of owners, each once.
struct Sets {
    /// Last set by hash, and for each set the previous one with the same hash, so that equal sets are stored once.
    last: HashMap<u64, u32>,
    before: Vec<u32>,
    hasher: RandomState,
    owners: Vec<u32>,
    ends: Vec<usize>,
}

impl Default for Sets {
    fn default() -> Self {
        let (last, hasher) = (HashMap::new(), RandomState::new());
        Self { last, before: vec![MANY], hasher, owners: Vec::new(), ends: vec![0] }
    }
}

impl Sets {
    fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The owners of a set; none for [`MANY`].
    fn owners(&self, set: u32) -> &[u32] {
        let end = self.ends.get(set as usize).copied().unwrap_or(0);
        let begin = (set as usize).checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.owners.get(begin..end).unwrap_or(&[])
    }

    /// The number of a set. Empties `owners`.
    fn of(&mut self, owners: &mut Vec<u32>) -> u32 {
        owners.sort_unstable();
        owners.dedup();
        let hash = self.hasher.hash_one(&*owners);
        let last = self.last.get(&hash).copied().unwrap_or(MANY);
        let mut known = last;
        while known != MANY && self.owners(known) != owners.as_slice() {
            known = self.before.get(known as usize).copied().unwrap_or(MANY);
        }
        if known != MANY || owners.len() > MOST_OWNERS || self.owners.len() + owners.len() > REMEMBERED {
            return known;
        }
        let number = self.len();
        self.owners.append(owners);
        self.ends.push(self.owners.len());
        self.before.push(last);
        self.last.insert(hash, number);
        number
    }
}
