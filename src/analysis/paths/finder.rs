//! Finds ways from GC roots to an object, one by one, searching back from the object.
//!
//! The distance column says how far each object is from its root along strong references. With references left out
//! it can only be further: so the search goes first where the way so far and that distance are shortest together
//! (A*), and meets little beside the way itself. Where weaker references count the column says nothing, and the
//! search is breadth-first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use super::ignored::Ignoring;
use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::heap::analyzed::Analyzed;
use crate::heap::classes::Strength;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};

/// Choices that are counted; where there are more, that is all that is said.
pub const CHOICES: usize = 1_000;

/// Finds ways under one set of rules.
pub struct Finder<'a> {
    heap: &'a Heap,
    contents: &'a dyn Contents,
    analyzed: &'a Analyzed,
    weakest: Strength,
    ignoring: &'a Ignoring,
    /// Objects of each class, once they are needed: they hold their class object.
    instances: Option<Csr>,
}

/// Waiting to be looked at.
struct Waiting {
    object: ObjectId,
    /// The place of the one it was found from.
    from: u32,
    /// It is a class object whose own turn has been, and that of its instances is now.
    instances: bool,
}

/// What a search has met: waiting objects, nearest first, those further from the object first among these.
struct Search {
    closed: Bits,
    met: Vec<(ObjectId, u32)>,
    waiting: BTreeMap<(u32, Reverse<u32>), VecDeque<Waiting>>,
}

impl Search {
    fn push(&mut self, bound: u32, steps: u32, waiting: Waiting) {
        self.waiting.entry((bound.saturating_add(steps), Reverse(steps))).or_default().push_back(waiting);
    }

    fn pop(&mut self) -> Option<(u32, Waiting)> {
        let mut first = self.waiting.first_entry()?;
        let Reverse(steps) = first.key().1;
        let next = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        Some((steps, next?))
    }

    /// Root first: from what was met last back to the object.
    fn way(&self) -> Vec<ObjectId> {
        let mut way = Vec::new();
        let mut at = self.met.len().wrapping_sub(1);
        while let Some(&(object, from)) = self.met.get(at) {
            way.push(object);
            at = from as usize;
        }
        way
    }
}

impl<'a> Finder<'a> {
    /// Ways along references no weaker than `weakest` that are not ignored.
    pub fn new(
        heap: &'a Heap,
        contents: &'a dyn Contents,
        analyzed: &'a Analyzed,
        weakest: Strength,
        ignoring: &'a Ignoring,
    ) -> Self {
        Self { heap, contents, analyzed, weakest, ignoring, instances: None }
    }

    /// A shortest way to `object`, root first, by none of its retainers in `barred` and by no object in `avoided`.
    /// Which of several is the same every time: retainers take their turns by address.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn way(
        &mut self,
        object: ObjectId,
        barred: &[ObjectId],
        avoided: &[ObjectId],
        task: &Task,
    ) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        if barred.is_empty() && !self.analyzed.roots().of(object).is_empty() {
            return Ok(Some(vec![object]));
        }
        if barred.is_empty() && self.ignoring.is_empty() && self.weakest == Strength::Strong {
            let way = self.along_the_tree(object, task)?;
            let Some(way) = way else { return Ok(None) };
            if avoided.is_empty() {
                return Ok(Some(way));
            }
            let mut on_it = Bits::new(self.heap.len());
            for step in &way {
                on_it.insert(step.raw());
            }
            if !avoided.iter().any(|step| on_it.contains(step.raw())) {
                return Ok(Some(way));
            }
        }
        self.search(object, barred, avoided, task)
    }

    /// The way that the distance column has in mind. `None` where strong references alone do not lead.
    fn along_the_tree(&self, object: ObjectId, task: &Task) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        if !self.analyzed.strongly_reachable(object) {
            return Ok(None);
        }
        let mut way = vec![object];
        let mut at = object;
        while let Some(before) = self.analyzed.before(self.heap, at) {
            if way.len().is_multiple_of(CHECKPOINT_EVERY >> 4) {
                task.checkpoint()?;
            }
            way.push(before);
            at = before;
        }
        way.reverse();
        Ok(Some(way))
    }

    fn search(
        &mut self,
        object: ObjectId,
        barred: &[ObjectId],
        avoided: &[ObjectId],
        task: &Task,
    ) -> Result<Option<Vec<ObjectId>>, Cancelled> {
        let closed = Bits::new(self.heap.len());
        let mut search = Search { closed, met: Vec::new(), waiting: BTreeMap::new() };
        for step in avoided {
            search.closed.insert(step.raw());
        }
        let mut sorted = barred.to_vec();
        sorted.sort_unstable();
        search.push(0, 0, Waiting { object, from: u32::MAX, instances: false });
        let mut looked = 0_usize;
        while let Some((steps, next)) = search.pop() {
            looked += 1;
            if looked.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            let is_first = next.from == u32::MAX;
            if next.instances {
                let class = self.heap.classes.of_object(next.object);
                let all = match self.instances.take() {
                    Some(all) => all,
                    None => Csr::by_group(self.heap.class_column(), self.heap.classes.len(), task)?,
                };
                let rows = class.map_or(&[] as &[u32], |class| all.row(class.raw()));
                // `from` is the place of the class object itself, which was met when its own turn was.
                let barred = if next.from == 0 { &*sorted } else { &[] };
                self.wait_for(&mut search, rows, (next.object, next.from), steps, barred, task)?;
                self.instances = Some(all);
                continue;
            }
            if !search.closed.insert(next.object.raw()) {
                continue;
            }
            let place = search.met.len() as u32;
            search.met.push((next.object, next.from));
            if !is_first && !self.analyzed.roots().of(next.object).is_empty() {
                return Ok(Some(search.way()));
            }
            let rows = self.analyzed.retainers(next.object);
            let barred = if is_first { &*sorted } else { &[] };
            self.wait_for(&mut search, rows, (next.object, place), steps + 1, barred, task)?;
            if self.heap.classes.of_object(next.object).is_some() {
                // An instance is at most one step nearer a root than its class: until then others go first.
                let bound = self.bound(next.object).unwrap_or(0).saturating_sub(1);
                search.push(bound, steps + 1, Waiting { object: next.object, from: place, instances: true });
            }
        }
        Ok(None)
    }

    /// Puts the retainers of an object that was met in the queue; they are `steps` from where the search began.
    fn wait_for(
        &self,
        search: &mut Search,
        retainers: &[u32],
        (object, place): (ObjectId, u32),
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
                    search.push(bound, steps, Waiting { object: retainer, from: place, instances: false });
                }
            }
        }
        Ok(())
    }

    /// Steps that are left at least from a root to the object; `None` where none leads there.
    fn bound(&self, object: ObjectId) -> Option<u32> {
        let distance = self.analyzed.distance(object);
        match self.weakest {
            Strength::Strong => distance.filter(|_| self.analyzed.strongly_reachable(object)),
            weakest if weakest <= self.analyzed.rules.weakest => distance.map(|_| 0),
            _ => Some(0),
        }
    }

    fn is_open(&self, from: ObjectId, to: ObjectId) -> bool {
        self.ignoring.leaves(self.heap, self.contents, from, to, self.weakest)
    }

    /// How many objects hold `object` that themselves are held, by another way than by `object` or through `after`,
    /// the step after it; not further than one past [`CHOICES`].
    ///
    /// Exact as far as the dominator tree is: an object that only references weaker than wished lead to in another
    /// way counts too.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn choices(&self, object: ObjectId, after: Option<ObjectId>, task: &Task) -> Result<usize, Cancelled> {
        let mut count = 0;
        let explicit = self.analyzed.retainers(object);
        for block in explicit.chunks(CHECKPOINT_EVERY) {
            task.checkpoint()?;
            count += self.count_leading(block, object, after, CHOICES - count.min(CHOICES));
            if count > CHOICES {
                return Ok(count);
            }
        }
        if let Some(class) = self.heap.classes.of_object(object) {
            let column = self.heap.class_column();
            for block in task.blocks(self.heap.len()) {
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

    /// How many of the retainers are choices; one more than `most` stands for more.
    fn count_leading(&self, retainers: &[u32], object: ObjectId, after: Option<ObjectId>, most: usize) -> usize {
        let mut before = None;
        let leading = retainers.iter().copied().filter_map(ObjectId::from_raw).filter(|&retainer| {
            let again = before.replace(retainer) == Some(retainer);
            if again || retainer == object || after == Some(retainer) {
                return false;
            }
            let nearer = self.analyzed.distance(retainer) <= self.analyzed.distance(object);
            let leads = self.bound(retainer).is_some() && (nearer || !self.analyzed.dominates(object, retainer));
            leads && self.is_open(retainer, object)
        });
        leading.take(most + 1).count()
    }
}
