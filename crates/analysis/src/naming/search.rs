//! The path that gives an object its name: from a static field of the application if one is near, else from a thread,
//! the runtime, or another root. Names break ties, never addresses.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use super::landmarks::Landmark;
use super::namer::Namer;
use super::spelling::Name;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassKind, ObjectId, Strength};

/// Maximum number of references examined per name.
const LOOKED_AT: usize = 20_000;
/// Maximum number of referrers examined per object; of more, only the one on the shortest path.
const RETAINERS: usize = 4_096;
/// Depth beyond which the shortest path is used.
const DEEP: u32 = 500;

/// Cost of a path by its start, added to its length: a path from the application may be this much longer.
const THREAD: u32 = 6;
const RUNTIME_STATIC: u32 = 12;
/// Cost of internal references of a class, such as its loader.
const OF_CLASS: u32 = 16;
const OTHER_ROOT: u32 = 24;
/// Cost of a weak reference.
const WEAK: u32 = 8;

/// A path down to an object.
pub(super) struct PathDown {
    /// Objects from the start of the name to the named object.
    pub(super) objects: Vec<ObjectId>,
    /// The name of the first object, if it is known.
    pub(super) landmark: Option<Name>,
}

/// An object of the upward search.
struct SearchNode {
    cost: u32,
    /// Objects one step nearer to the start of the search.
    below: Vec<ObjectId>,
    done: bool,
}

impl Namer<'_> {
    /// The path to `object`; `None` if it is unreachable.
    pub(super) fn path_down(&self, object: ObjectId, task: &Task) -> Result<Option<PathDown>, Cancelled> {
        let (mut below, mut at) = (vec![], object);
        let mut landmark: Option<Landmark> = None;
        while let Some(before) = self.before_far_down(at) {
            task.checkpoint()?;
            // The name of an object itself may differ from that on the path to another one.
            if landmark.is_none() && at != object {
                landmark = self.index.landmarks.get(at);
            }
            below.push(at);
            if let Some(Landmark { name, .. }) = landmark.take_if(|landmark| landmark.object == at) {
                below.reverse();
                return Ok(Some(PathDown { objects: below, landmark: Some(name) }));
            }
            at = before;
        }
        below.reverse();
        Ok(self.close_path(at, task)?.map(|mut objects| {
            objects.append(&mut below);
            PathDown { objects, landmark: None }
        }))
    }

    /// The predecessor of an object on its path, if the path is too long for a search.
    pub(super) fn before_far_down(&self, object: ObjectId) -> Option<ObjectId> {
        let is_far = self.analysis.distance(object).is_some_and(|distance| distance > DEEP);
        if is_far && !self.index.is_start(object) { self.analysis.predecessor(self.heap, object) } else { None }
    }

    /// The path to an object of small depth.
    pub(super) fn close_path(&self, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        match self.search(object, task)? {
            Some(path) => Ok(Some(path)),
            None => self.shortest(object, task),
        }
    }

    /// The shortest path, whatever its start.
    fn shortest(&self, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        let (mut path, mut at) = (vec![object], object);
        while !self.index.is_start(at) {
            task.checkpoint()?;
            let Some(before) = self.analysis.predecessor(self.heap, at) else { break };
            path.push(before);
            at = before;
        }
        path.reverse();
        let leads = self.index.is_start(at) || !self.analysis.roots().of(at).is_empty();
        Ok(leads.then_some(path))
    }

    /// The cheapest path within the budget of references.
    fn search(&self, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        if self.index.is_start(object) {
            return Ok(Some(vec![object]));
        }
        let start = SearchNode { cost: 0, below: Vec::new(), done: false };
        let mut seen = FxHashMap::from_iter([(object, start)]);
        let mut queue = BinaryHeap::from([Reverse((0, object))]);
        // Candidate starts of the lowest cost, with the object below.
        let mut starts: Vec<(ObjectId, Option<ObjectId>)> = Vec::new();
        let (mut best, mut looked_at) = (u32::MAX, 0);
        let mut offer = |cost: u32, start: ObjectId, below: Option<ObjectId>| {
            if cost < best {
                starts.clear();
                best = cost;
            }
            if cost == best {
                starts.push((start, below));
            }
            best
        };
        let mut limit = u32::MAX;
        while let Some(Reverse((cost, at))) = queue.pop() {
            task.checkpoint()?;
            if cost > limit || looked_at > LOOKED_AT {
                break;
            }
            match seen.get_mut(&at) {
                Some(seen) if !seen.done => seen.done = true,
                _ => continue,
            }
            if !self.analysis.roots().of(at).is_empty() {
                limit = offer(cost + OTHER_ROOT, at, None);
            }
            let all = self.analysis.retainers(at);
            let one = if all.len() > RETAINERS { self.analysis.predecessor(self.heap, at) } else { None };
            let few = if all.len() > RETAINERS { &[] } else { all };
            let mut last = None;
            for before in few.iter().filter_map(|&row| ObjectId::from_raw(row)).chain(one) {
                looked_at += 1;
                let repeated = last.replace(before) == Some(before);
                if repeated || before == at || !self.analysis.is_reachable(before) {
                    continue;
                }
                let cost = cost + 1 + if self.is_weak(before, at) { WEAK } else { 0 };
                if self.index.is_start(before) {
                    let more = self.start_cost(before, at);
                    if cost <= limit {
                        limit = offer(cost.saturating_add(more), before, Some(at));
                    }
                    continue;
                }
                let known = seen.entry(before).or_insert(SearchNode { cost: u32::MAX, below: Vec::new(), done: false });
                if cost < known.cost {
                    known.cost = cost;
                    known.below.clear();
                    queue.push(Reverse((cost, before)));
                }
                if cost == known.cost {
                    known.below.push(at);
                }
            }
        }
        let texts = starts.iter().map(|&(start, below)| {
            self.start_name(start) + &below.map(|below| self.step(start, below)).unwrap_or_default()
        });
        let first = texts.zip(&starts).min_by(|(one, _), (other, _)| one.cmp(other));
        Ok(first.map(|(_, &(start, below))| self.down(start, below, &seen)))
    }

    /// Descends from the start to the named object, by the first names.
    fn down(&self, start: ObjectId, below: Option<ObjectId>, seen: &FxHashMap<ObjectId, SearchNode>) -> Vec<ObjectId> {
        let mut path = vec![start];
        let mut next = below.or_else(|| self.first_below(start, seen));
        // Each step is nearer to the start of the search.
        while let Some(at) = next {
            path.push(at);
            next = self.first_below(at, seen);
        }
        path
    }

    fn first_below(&self, at: ObjectId, seen: &FxHashMap<ObjectId, SearchNode>) -> Option<ObjectId> {
        let below = &seen.get(&at)?.below;
        if below.len() > 1 && self.heap.class(at).kind == ClassKind::ObjectArray {
            // References are in index order.
            let wanted: BTreeSet<u32> = below.iter().map(|object| object.raw()).collect();
            let first = self.heap.references(at).iter().find(|row| wanted.contains(row))?;
            return ObjectId::from_raw(*first);
        }
        match below.as_slice() {
            [one] => Some(*one),
            several => several.iter().map(|&object| (self.step(at, object), object)).min().map(|(_, object)| object),
        }
    }

    fn is_weak(&self, from: ObjectId, to: ObjectId) -> bool {
        self.heap.has_referent_first(from)
            && self.heap.class(from).strength != Strength::Strong
            && self.heap.references(from).first() == Some(&to.raw())
            && !self.heap.references(from).iter().skip(1).any(|&other| other == to.raw())
    }

    fn start_cost(&self, start: ObjectId, below: ObjectId) -> u32 {
        if let Some(cost) = self.index.anchors.cost(start) {
            return cost;
        }
        let Some(class) = self.heap.classes.of_object(start) else { return THREAD };
        match self.static_name(start, below) {
            None => OF_CLASS,
            Some(name) if name.starts_with('<') => OF_CLASS,
            Some(_) if self.index.is_runtime(class) => RUNTIME_STATIC,
            Some(_) => 0,
        }
    }
}
