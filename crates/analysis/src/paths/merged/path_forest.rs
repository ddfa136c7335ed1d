//! The paths to many objects as one forest of predecessors.

use std::collections::{HashMap, VecDeque};

use rayon::prelude::*;

use crate::answers::DumpData;
use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_graph::NONE;
use heaplens_heap::{ObjectId, Strength};

/// Number of objects from which predecessors are computed on several threads.
const MANY: usize = 2_048;

/// Objects on the paths. The requested ones come first, in their order.
pub(super) struct PathForest {
    pub(super) objects: Vec<ObjectId>,
    /// By object, the index of its predecessor; [`NONE`] for roots.
    pub(super) before: Vec<u32>,
}

impl PathForest {
    pub(super) fn gather(
        heap: usize,
        objects: &[ObjectId],
        before: &Predecessors<'_>,
        task: &Task,
    ) -> Result<Self, Cancelled> {
        task.step("Following paths", Unit::Objects, 0);
        let mut position = vec![NONE; heap];
        for (at, object) in (0..).zip(objects) {
            position[object.index()] = at;
        }
        let mut forest = Self { objects: objects.to_vec(), before: Vec::new() };
        let mut waiting = Vec::new();
        while forest.before.len() < forest.objects.len() {
            let level = &forest.objects[forest.before.len()..];
            // A level may be one object of a list of millions, or millions of objects.
            let level = &level[..level.len().min(CHECKPOINT_EVERY << 4)];
            waiting.clear();
            if level.len() > MANY {
                level.par_iter().map(|&object| before.of(object)).collect_into_vec(&mut waiting);
            } else {
                waiting.extend(level.iter().map(|&object| before.of(object)));
            }
            if forest.before.len().is_multiple_of(1 << 6) || level.len() > MANY {
                task.advance_checked(level.len() as u64)?;
            }
            for before in &waiting {
                let Some(before) = before else {
                    forest.before.push(NONE);
                    continue;
                };
                let known = &mut position[before.index()];
                if *known == NONE {
                    *known = forest.objects.len() as u32;
                    forest.objects.push(*before);
                }
                forest.before.push(*known);
            }
        }
        Ok(forest)
    }
}

/// Predecessor of each object on its path.
pub(super) struct Predecessors<'a> {
    dump: DumpData<'a>,
    weakest: Strength,
    /// If not all weaker references count: objects reachable only through those that do, with predecessor and distance.
    loosely: HashMap<u32, (u32, u32)>,
}

impl<'a> Predecessors<'a> {
    pub(super) fn new(dump: DumpData<'a>, weakest: Strength, task: &Task) -> Result<Self, Cancelled> {
        let mut before = Self { dump, weakest, loosely: HashMap::new() };
        if before.counts_some() {
            before.loosely = before.led_to_loosely(task)?;
        }
        Ok(before)
    }

    /// True if some but not all of the weaker references count that were used for the distances.
    fn counts_some(&self) -> bool {
        self.weakest > Strength::Strong && self.weakest < self.dump.analysis.rules.min_strength
    }

    pub(super) fn leads_to(&self, object: ObjectId) -> bool {
        let strongly = self.dump.analysis.strongly_reachable(object);
        strongly
            || (self.weakest >= self.dump.analysis.rules.min_strength && self.dump.analysis.distance(object).is_some())
            || self.loosely.contains_key(&object.raw())
    }

    /// `None` for roots.
    fn of(&self, object: ObjectId) -> Option<ObjectId> {
        match self.loosely.get(&object.raw()) {
            Some(&(before, _)) => ObjectId::from_raw(before),
            None => self.dump.analysis.predecessor(self.dump.heap, object),
        }
    }

    /// Continues beyond strong references, nearest first.
    fn led_to_loosely(&self, task: &Task) -> Result<HashMap<u32, (u32, u32)>, Cancelled> {
        let (heap, analysis) = (self.dump.heap, self.dump.analysis);
        let beyond = heap.referents_beyond(self.weakest).unwrap_or_default();
        let counting = heap.referents_beyond(Strength::Strong).unwrap_or_default().without(&beyond);
        let distance = |row: u32| {
            ObjectId::from_raw(row).filter(|&o| analysis.strongly_reachable(o)).and_then(|o| analysis.distance(o))
        };
        let mut sources: Vec<(u32, u32)> = counting.iter().filter_map(|row| Some((distance(row)?, row))).collect();
        sources.par_sort_unstable();
        let mut sources = sources.into_iter().peekable();
        let mut nearest: HashMap<u32, (u32, u32)> = HashMap::new();
        // Two queues, each nearest first; the nearer head is processed first.
        let mut queue: VecDeque<(u32, u32)> = VecDeque::new();
        loop {
            let is_source = match (sources.peek(), queue.front()) {
                (Some((source, _)), Some((queued, _))) => source <= queued,
                (source, _) => source.is_some(),
            };
            let next = if is_source { sources.next() } else { queue.pop_front() };
            let Some((steps, row)) = next else { return Ok(nearest) };
            task.checkpoint()?;
            let Some(object) = ObjectId::from_raw(row) else { continue };
            let references = heap.references(object);
            // Strong references of a source are already part of the distances.
            let (skip, most) = if is_source { (0, 1) } else { (usize::from(beyond.contains(row)), usize::MAX) };
            let class = heap.class(object).object.map(ObjectId::raw).filter(|_| !is_source);
            for to in references.iter().copied().skip(skip).take(most).chain(class) {
                if distance(to).is_none() && (to as usize) < heap.len() && !nearest.contains_key(&to) {
                    nearest.insert(to, (row, steps + 1));
                    queue.push_back((steps + 1, to));
                }
            }
        }
    }
}
