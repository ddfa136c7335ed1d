//! Finds paths from GC roots to an object, one by one, searching backwards from the object.
//!
//! The distance column contains the distance of each object from its root along strong references. Excluded references
//! can only increase it: so the search prefers the smallest sum of path length and that distance
//! (A*), and visits little besides the path itself. If weaker references count the column does not apply, and the
//! search is breadth-first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use super::ignored::IgnoredReferences;
use crate::answers::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_graph::{Bits, Csr};
use heaplens_heap::{ObjectId, Strength};

/// Maximum number of counted alternatives; more are reported as "more".
pub const CHOICES: usize = 1_000;

/// Finds paths under one set of rules.
pub struct Finder<'a> {
    dump: DumpData<'a>,
    weakest: Strength,
    ignoring: &'a IgnoredReferences,
    /// Objects of each class, computed on demand: they reference their class object.
    instances: Option<Csr>,
}

/// Queue entry.
struct QueueEntry {
    object: ObjectId,
    /// Index of the entry it was found from.
    from: u32,
    /// A class object that was processed itself; now its instances are due.
    instances: bool,
}

/// State of a search: queue ordered by estimated length, deeper entries first among ties.
struct Search {
    closed: Bits,
    met: Vec<(ObjectId, u32)>,
    waiting: BTreeMap<(u32, Reverse<u32>), VecDeque<QueueEntry>>,
}

impl Search {
    fn push(&mut self, bound: u32, steps: u32, waiting: QueueEntry) {
        self.waiting.entry((bound.saturating_add(steps), Reverse(steps))).or_default().push_back(waiting);
    }

    fn pop(&mut self) -> Option<(u32, QueueEntry)> {
        let mut first = self.waiting.first_entry()?;
        let Reverse(steps) = first.key().1;
        let next = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        Some((steps, next?))
    }

    /// Path with the root first: from the last visited entry back to the object.
    fn path(&self) -> Vec<ObjectId> {
        let mut path = Vec::new();
        let mut at = self.met.len().wrapping_sub(1);
        while let Some(&(object, from)) = self.met.get(at) {
            path.push(object);
            at = from as usize;
        }
        path
    }
}

impl<'a> Finder<'a> {
    /// Finder of paths along references no weaker than `weakest` that are not ignored.
    pub fn new(dump: DumpData<'a>, weakest: Strength, ignoring: &'a IgnoredReferences) -> Self {
        Self { dump, weakest, ignoring, instances: None }
    }

    /// A shortest path to `object`, root first, through none of its retainers in `barred` and no object in `avoided`.
    /// Deterministic: retainers are processed by address.
    pub fn next_path(
        &mut self,
        object: ObjectId,
        barred: &[ObjectId],
        avoided: &[ObjectId],
        task: &Task,
    ) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        if barred.is_empty() && !self.dump.analysis.roots().of(object).is_empty() {
            return Ok(Some(vec![object]));
        }
        if barred.is_empty() && self.ignoring.is_empty() && self.weakest == Strength::Strong {
            let path = self.along_the_tree(object, task)?;
            let Some(path) = path else { return Ok(None) };
            if avoided.is_empty() {
                return Ok(Some(path));
            }
            let mut on_it = Bits::new(self.dump.heap.len());
            for step in &path {
                on_it.insert(step.raw());
            }
            if !avoided.iter().any(|step| on_it.contains(step.raw())) {
                return Ok(Some(path));
            }
        }
        self.search(object, barred, avoided, task)
    }

    /// Path that follows the distance column. `None` if strong references alone do not lead there.
    fn along_the_tree(&self, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        if !self.dump.analysis.strongly_reachable(object) {
            return Ok(None);
        }
        let mut path = vec![object];
        let mut at = object;
        while let Some(before) = self.dump.analysis.predecessor(self.dump.heap, at) {
            task.checkpoint()?;
            path.push(before);
            at = before;
        }
        path.reverse();
        Ok(Some(path))
    }

    fn search(
        &mut self,
        object: ObjectId,
        barred: &[ObjectId],
        avoided: &[ObjectId],
        task: &Task,
    ) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        let closed = Bits::new(self.dump.heap.len());
        let mut search = Search { closed, met: Vec::new(), waiting: BTreeMap::new() };
        for step in avoided {
            search.closed.insert(step.raw());
        }
        let mut sorted = barred.to_vec();
        sorted.sort_unstable();
        search.push(0, 0, QueueEntry { object, from: u32::MAX, instances: false });
        while let Some((steps, next)) = search.pop() {
            task.checkpoint()?;
            let is_first = next.from == u32::MAX;
            if next.instances {
                let class = self.dump.heap.classes.of_object(next.object);
                let all = match self.instances.take() {
                    Some(all) => all,
                    None => Csr::by_group(self.dump.heap.class_column(), self.dump.heap.classes.len(), task)?,
                };
                let rows = class.map_or(&[] as &[u32], |class| all.row(class.raw()));
                // `from` is the entry of the class object itself, visited before.
                let barred = if next.from == 0 { &*sorted } else { &[] };
                self.wait_for(&mut search, rows, (next.object, next.from), steps, barred, task)?;
                self.instances = Some(all);
                continue;
            }
            if !search.closed.insert(next.object.raw()) {
                continue;
            }
            let index = search.met.len() as u32;
            search.met.push((next.object, next.from));
            if !is_first && !self.dump.analysis.roots().of(next.object).is_empty() {
                return Ok(Some(search.path()));
            }
            let rows = self.dump.analysis.retainers(next.object);
            let barred = if is_first { &*sorted } else { &[] };
            self.wait_for(&mut search, rows, (next.object, index), steps + 1, barred, task)?;
            if self.dump.heap.classes.of_object(next.object).is_some() {
                // An instance is at most one step nearer to a root than its class: others are processed before.
                let bound = self.bound(next.object).unwrap_or(0).saturating_sub(1);
                search.push(bound, steps + 1, QueueEntry { object: next.object, from: index, instances: true });
            }
        }
        Ok(None)
    }

    /// Queues the retainers of a visited object; they are `steps` from the start of the search.
    fn wait_for(
        &self,
        search: &mut Search,
        retainers: &[u32],
        (object, index): (ObjectId, u32),
        steps: u32,
        barred: &[ObjectId],
        task: &Task,
    ) -> Result<(), Cancelled> {
        let mut before = None;
        for block in retainers.chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            for retainer in block.iter().copied().filter_map(ObjectId::from_raw) {
                let again = before.replace(retainer) == Some(retainer);
                if again || search.closed.contains(retainer.raw()) || barred.binary_search(&retainer).is_ok() {
                    continue;
                }
                let Some(bound) = self.bound(retainer) else { continue };
                if self.is_open(retainer, object) {
                    search.push(bound, steps, QueueEntry { object: retainer, from: index, instances: false });
                }
            }
        }
        Ok(())
    }

    /// Lower bound of the remaining steps to a root; `None` if unreachable.
    fn bound(&self, object: ObjectId) -> Option<u32> {
        let distance = self.dump.analysis.distance(object);
        match self.weakest {
            Strength::Strong => distance.filter(|_| self.dump.analysis.strongly_reachable(object)),
            weakest if weakest <= self.dump.analysis.rules.min_strength => distance.map(|_| 0),
            _ => Some(0),
        }
    }

    /// True if a path may lead from one object to another: not by the engine's storage of a property, which is on a
    /// shorter path by the property itself.
    fn is_open(&self, from: ObjectId, to: ObjectId) -> bool {
        self.ignoring.leaves(self.dump, from, to, self.weakest)
            && !self.dump.analysis.is_storage_reference(self.dump.heap, self.dump.contents, from, to)
    }

    /// Number of objects that hold `object` and are held themselves on a path without `object` and without `after`,
    /// the step after it; counted up to one past [`CHOICES`].
    ///
    /// As exact as the dominator tree: an object with an alternative path only along references weaker than requested
    /// counts too.
    pub fn choices(&self, object: ObjectId, after: Option<ObjectId>, task: &Task) -> Result<usize, Cancelled> {
        let mut count = 0;
        let explicit = self.dump.analysis.retainers(object);
        for block in explicit.chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            count += self.count_leading(block, object, after, CHOICES - count.min(CHOICES));
            if count > CHOICES {
                return Ok(count);
            }
        }
        // Unreachable instances lead nowhere. Most class objects on paths are those of singletons and main classes.
        let class = self.dump.heap.classes.of_object(object);
        if let Some(class) = class.filter(|&class| self.dump.analysis.class_totals(class).objects > 0) {
            let column = self.dump.heap.class_column().slices();
            for block in task.blocks(self.dump.heap.len()) {
                let of_class = block?.filter(|&row| column.get(row) == Some(class.raw())).map(|row| row as u32);
                let instances: Vec<u32> = of_class.filter(|row| explicit.binary_search(row).is_err()).collect();
                count += self.count_leading(&instances, object, after, CHOICES - count.min(CHOICES));
                if count > CHOICES {
                    break;
                }
            }
        }
        Ok(count)
    }

    /// Number of alternatives among the retainers; `most` + 1 means more.
    fn count_leading(&self, retainers: &[u32], object: ObjectId, after: Option<ObjectId>, most: usize) -> usize {
        let mut before = None;
        let leading = retainers.iter().copied().filter_map(ObjectId::from_raw).filter(|&retainer| {
            let again = before.replace(retainer) == Some(retainer);
            if again || retainer == object || after == Some(retainer) {
                return false;
            }
            let nearer = self.dump.analysis.distance(retainer) <= self.dump.analysis.distance(object);
            let leads = self.bound(retainer).is_some() && (nearer || !self.dump.analysis.dominates(object, retainer));
            leads && self.is_open(retainer, object)
        });
        leading.take(most + 1).count()
    }
}
