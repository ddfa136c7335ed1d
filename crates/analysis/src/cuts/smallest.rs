//! The smallest set of references that frees an object if all of them are removed: a minimum cut between what is always
//! alive and the object (maximum flow by shortest augmenting paths, Edmonds and Karp 1972), of all such sets the one
//! nearest to the object.
//!
//! GC roots and classes are always alive: a program changes a static field, not the loader that holds its class. Several
//! references from one object to another count as one.

use std::collections::{HashMap, HashSet};

use super::{cut::Cut, what_if::what_if_with_objects};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_heap::reach::still_holds;
use heaplens_heap::{ExcludedReferences, ObjectId};

/// Maximum number of references of a set.
pub const SMALLEST_LIMIT: usize = 64;
/// Maximum number of objects that one search for a path visits.
const VISITED: usize = 100_000_000;

/// The smallest set of references that frees an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmallestCut {
    /// The references, by address of the holder; empty if the object is unreachable.
    References(Vec<Cut>),
    /// It is a GC root, or a class.
    AlwaysAlive,
    /// The engine of a snapshot holds it, too, whatever the program removes.
    HeldByEngine,
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
    let mut flow = Flow {
        of,
        nothing: ExcludedReferences::default(),
        used: HashSet::new(),
        onward: HashMap::new(),
        visits: Visits::new(of.heap.len()),
    };
    for _ in 0..=SMALLEST_LIMIT {
        match flow.search(object, task)? {
            Searched::Path(path) => path.into_iter().for_each(|step| flow.take(step)),
            Searched::Nothing => {
                let cuts = flow.cut();
                let is_held = of.heap.snapshot().is_some()
                    && !what_if_with_objects(of, &cuts, task)?.freed.contains(of.analysis, object);
                return Ok(if is_held { SmallestCut::HeldByEngine } else { SmallestCut::References(cuts) });
            }
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
    /// There is none: every path to the objects that it visited is free.
    Nothing,
    TooLarge,
}

/// Objects that a search visited, in order, and where a path goes from each. As columns, because it may visit most
/// objects of the heap.
struct Visits {
    /// By row, the row after it on the way to the object plus 1; 0 if it is not visited. The object leads to itself.
    next: Vec<u32>,
    /// Rows from which the step gives up a reference.
    gives_up: HashSet<u32>,
    rows: Vec<u32>,
}

impl Visits {
    fn new(objects: usize) -> Self {
        Self { next: vec![0; objects], gives_up: HashSet::new(), rows: Vec::new() }
    }

    fn clear(&mut self) {
        for row in self.rows.drain(..) {
            self.next[row as usize] = 0;
        }
        self.gives_up.clear();
    }

    fn contains(&self, row: u32) -> bool {
        self.next.get(row as usize).is_some_and(|&next| next != 0)
    }

    /// Visits an object once; false if it has been visited, or a damaged file has no such row.
    fn insert(&mut self, row: u32, next: u32) -> bool {
        let Some(of_row) = self.next.get_mut(row as usize).filter(|next| **next == 0) else { return false };
        *of_row = next + 1;
        self.rows.push(row);
        true
    }

    /// The steps of a path, from its first object.
    fn path_to(&self, first: u32, last: u32) -> Vec<FlowStep> {
        let (mut path, mut at) = (Vec::new(), first);
        while at != last {
            let Some(next) = self.next.get(at as usize).and_then(|next| next.checked_sub(1)) else { break };
            let goes_along = !self.gives_up.contains(&at);
            path.push(if goes_along { (at, next, true) } else { (next, at, false) });
            at = next;
        }
        path
    }
}

/// Paths found so far, none of which shares a reference with another.
struct Flow<'a> {
    of: DumpData<'a>,
    nothing: ExcludedReferences,
    /// References on the paths, as rows of holder and target.
    used: HashSet<(u32, u32)>,
    /// The same by holder.
    onward: HashMap<u32, Vec<u32>>,
    /// Of the last search.
    visits: Visits,
}

impl Flow<'_> {
    /// Breadth-first search for a further path.
    fn search(&mut self, object: ObjectId, task: &Task) -> Result<Searched, Cancelled> {
        let DumpData { heap, contents, analysis, .. } = self.of;
        self.visits.clear();
        self.visits.insert(object.raw(), object.raw());
        let mut at = 0;
        while let Some(&row) = self.visits.rows.get(at) {
            at += 1;
            let Some(to) = ObjectId::from_raw(row) else { continue };
            let mut last = None;
            for &from in analysis.retainers(to) {
                task.checkpoint()?;
                let is_known = last.replace(from) == Some(from) || self.visits.contains(from);
                if is_known || !self.used.is_empty() && self.used.contains(&(from, row)) {
                    continue;
                }
                let Some(holder) = ObjectId::from_raw(from).filter(|&holder| analysis.is_reachable(holder)) else {
                    continue;
                };
                let counts = still_holds(heap, analysis, holder, to, &self.nothing)
                    && !analysis.is_storage_reference(heap, contents, holder, to);
                if !counts || !self.visits.insert(from, row) {
                    continue;
                }
                if is_always_alive(self.of, holder) {
                    return Ok(Searched::Path(self.visits.path_to(from, object.raw())));
                }
            }
            // A path may leave a reference of another path to it, and go on in its stead.
            for &next in self.onward.get(&row).into_iter().flatten() {
                if self.visits.insert(next, row) {
                    self.visits.gives_up.insert(next);
                }
            }
            if self.visits.rows.len() > VISITED {
                return Ok(Searched::TooLarge);
            }
        }
        Ok(Searched::Nothing)
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
    fn cut(&self) -> Vec<Cut> {
        let leads_in = |(from, to): &&(u32, u32)| !self.visits.contains(*from) && self.visits.contains(*to);
        let mut references: Vec<(u32, u32)> = self.used.iter().filter(leads_in).copied().collect();
        references.sort_unstable();
        let object = ObjectId::from_raw;
        let cut = |(from, to)| Some(Cut::Reference { from: object(from)?, to: object(to)? });
        references.into_iter().filter_map(cut).collect()
    }
}
