//! The smallest set of references that frees an object if all of them are removed: a minimum cut between what is always
//! alive and the object (maximum flow by shortest augmenting paths, Edmonds and Karp 1972), of all such sets the one
//! nearest to the object.
//!
//! GC roots and classes are always alive: a program changes a static field, not the loader that holds its class. Several
//! references from one object to another count as one.

use std::collections::{HashMap, HashSet, VecDeque};

use super::cut::Cut;
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::reach::still_holds;
use heaplens_heap::{ExcludedReferences, ObjectId};

/// Maximum number of references of a set.
pub const SMALLEST_LIMIT: usize = 64;
/// Maximum number of objects that one search for a path visits.
const VISITED: usize = 20_000_000;

/// The smallest set of references that frees an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmallestCut {
    /// The references, by address of the holder; empty if the object is unreachable.
    References(Vec<Cut>),
    /// It is a GC root, or a class.
    AlwaysAlive,
    /// More than [`SMALLEST_LIMIT`] references must be removed, or the search is too large.
    TooMany,
}

/// Finds the smallest set of references that frees `object`.
///
/// # Errors
/// If the task is cancelled.
pub fn smallest_cut(of: DumpData<'_>, object: ObjectId, task: &Task) -> Result<SmallestCut, Cancelled> {
    if !of.analysis.is_reachable(object) {
        return Ok(SmallestCut::References(Vec::new()));
    }
    if is_always_alive(of, object) {
        return Ok(SmallestCut::AlwaysAlive);
    }
    task.step("Searching for the smallest set of references", Unit::Objects, of.analysis.shown.objects);
    let mut flow = Flow { of, nothing: ExcludedReferences::default(), used: HashSet::new(), onward: HashMap::new() };
    for _ in 0..=SMALLEST_LIMIT {
        match flow.search(object, task)? {
            Searched::Path(path) => path.into_iter().for_each(|step| flow.take(step)),
            Searched::Nothing(visited) => return Ok(SmallestCut::References(flow.cut(&visited))),
            Searched::TooLarge => break,
        }
    }
    Ok(SmallestCut::TooMany)
}

/// True of GC roots and classes.
fn is_always_alive(DumpData { heap, analysis, .. }: DumpData<'_>, object: ObjectId) -> bool {
    heap.classes.of_object(object).is_some() || !analysis.roots().of(object).is_empty()
}

/// A reference by the rows of its holder and its target, and true if a path goes along it, false if it gives it up.
type FlowStep = (u32, u32, bool);

/// Result of a search from the object against the references.
enum Searched {
    /// Steps of a path from what is always alive.
    Path(Vec<FlowStep>),
    /// There is none: the objects from which every path to the object is free.
    Nothing(HashSet<u32>),
    TooLarge,
}

/// Paths found so far, none of which shares a reference with another.
struct Flow<'a> {
    of: DumpData<'a>,
    nothing: ExcludedReferences,
    /// References on the paths, as rows of holder and target.
    used: HashSet<(u32, u32)>,
    /// The same by holder.
    onward: HashMap<u32, Vec<u32>>,
}

impl Flow<'_> {
    /// Breadth-first search for a further path.
    fn search(&self, object: ObjectId, task: &Task) -> Result<Searched, Cancelled> {
        let DumpData { heap, contents, analysis, .. } = self.of;
        let mut before: HashMap<u32, FlowStep> = HashMap::new();
        let mut visited: HashSet<u32> = HashSet::from([object.raw()]);
        let mut queue = VecDeque::from([object.raw()]);
        while let Some(row) = queue.pop_front() {
            let Some(to) = ObjectId::from_raw(row) else { continue };
            let mut last = None;
            for &from in analysis.retainers(to) {
                task.checkpoint()?;
                if last.replace(from) == Some(from) || visited.contains(&from) || self.used.contains(&(from, row)) {
                    continue;
                }
                let Some(holder) = ObjectId::from_raw(from).filter(|&holder| analysis.is_reachable(holder)) else {
                    continue;
                };
                let counts = still_holds(heap, analysis, holder, to, &self.nothing)
                    && !analysis.is_storage_reference(heap, contents, holder, to);
                if !counts {
                    continue;
                }
                before.insert(from, (from, row, true));
                if is_always_alive(self.of, holder) {
                    return Ok(Searched::Path(path_to(from, object.raw(), &before)));
                }
                visited.insert(from);
                queue.push_back(from);
            }
            // A path may leave a reference of another path to it, and go on in its stead.
            for &next in self.onward.get(&row).into_iter().flatten() {
                if visited.insert(next) {
                    before.insert(next, (row, next, false));
                    queue.push_back(next);
                }
            }
            if visited.len() > VISITED {
                return Ok(Searched::TooLarge);
            }
        }
        Ok(Searched::Nothing(visited))
    }

    /// Adds a step to the paths, or gives up the reference of an earlier one.
    fn take(&mut self, (from, to, goes_along): FlowStep) {
        if goes_along {
            self.used.insert((from, to));
            self.onward.entry(from).or_default().push(to);
        } else {
            self.used.remove(&(from, to));
            self.onward.entry(from).or_default().retain(|&other| other != to);
        }
    }

    /// The used references that lead into the visited objects.
    fn cut(&self, visited: &HashSet<u32>) -> Vec<Cut> {
        let leads_in = |(from, to): &&(u32, u32)| !visited.contains(from) && visited.contains(to);
        let mut references: Vec<(u32, u32)> = self.used.iter().filter(leads_in).copied().collect();
        references.sort_unstable();
        let object = ObjectId::from_raw;
        let cut = |(from, to)| Some(Cut::Reference { from: object(from)?, to: object(to)? });
        references.into_iter().filter_map(cut).collect()
    }
}

/// The steps of a path, from its first object.
fn path_to(first: u32, last: u32, before: &HashMap<u32, FlowStep>) -> Vec<FlowStep> {
    let (mut path, mut at) = (Vec::new(), first);
    while at != last {
        let Some(&step) = before.get(&at) else { break };
        path.push(step);
        let (from, to, goes_along) = step;
        at = if goes_along { to } else { from };
    }
    path
}
