//! Shortest ways from a GC root to an object: why it is alive.

use std::collections::VecDeque;

use crate::graph::bits::Bits;
use crate::graph::csr::Csr;
use crate::heap::analyzed::Analyzed;
use crate::heap::classes::Strength;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::roots::RootKind;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task};
use crate::units::Bytes;

/// One object on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct PathStep {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class name.
    pub class: String,
    /// Its label.
    pub label: Option<String>,
    /// Bytes it takes by itself.
    pub shallow: Bytes,
    /// Bytes it keeps alive.
    pub retained: Bytes,
    /// The name by which the step before refers to this one; `None` for the first.
    pub reference: Option<String>,
    /// Whether this step dominates the last: every way there passes it.
    pub dominates: bool,
}

/// Steps in the middle of a long way that are not written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// How many of the steps written out come before it.
    pub after: usize,
    /// How many steps are left out.
    pub steps: usize,
}

/// A way from a root to an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Why the first step is a root.
    pub root_kind: RootKind,
    /// The weakest reference on the steps that are written out.
    pub strength: Strength,
    /// Root first, the object asked for last; of a long way only both ends.
    pub steps: Vec<PathStep>,
    /// Where steps are left out, if any are.
    pub omission: Option<Omission>,
}

impl Path {
    /// Steps of the whole way.
    pub fn length(&self) -> usize {
        self.steps.len() + self.omission.map_or(0, |o| o.steps)
    }
}

/// Which ways are wanted, and how much of each.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// The weakest references a way may take.
    pub weakest: Strength,
    /// Ways at most.
    pub count: usize,
    /// Steps to write out at either end of a way: that to the end of a list of
    /// five million has five million.
    pub ends: usize,
}

/// Ways from roots to `object`, as wished, shortest first. The first is the shortest of all; each further
/// one ends with another retainer of `object`.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn paths(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    wish: Wish,
    task: &Task,
) -> Result<Vec<Path>, Cancelled> {
    let Wish { weakest, count, ends } = wish;
    let mut found = Vec::new();
    let mut used = Vec::new();
    while found.len() < count {
        let way = if found.is_empty() && weakest == Strength::Strong {
            along_the_tree(heap, analyzed, object, task)?
        } else {
            backwards(heap, analyzed, object, weakest, &used, task)?
        };
        let Some(way) = way else { break };
        let before = way.len().checked_sub(2).map(|i| way[i]);
        found.push(written_out(heap, contents, analyzed, &way, ends, task)?);
        match before {
            Some(before) => used.push(before),
            // The object is a root itself: there is nothing before it to vary.
            None => break,
        }
    }
    Ok(found)
}

/// Root first. `None` where strong references alone do not lead.
fn along_the_tree(
    heap: &Heap,
    analyzed: &Analyzed,
    object: ObjectId,
    task: &Task,
) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    if !analyzed.strongly_reachable(object) {
        return Ok(None);
    }
    let mut way = vec![object];
    let mut at = object;
    while let Some(before) = analyzed.before(heap, at) {
        if way.len().is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        way.push(before);
        at = before;
    }
    way.reverse();
    Ok(Some(way))
}

/// Breadth-first from the object back to the nearest root, not through `barred`
/// retainers of the object.
fn backwards(
    heap: &Heap,
    analyzed: &Analyzed,
    object: ObjectId,
    weakest: Strength,
    barred: &[ObjectId],
    task: &Task,
) -> Result<Option<Vec<ObjectId>>, Cancelled> {
    let is_root = |o: ObjectId| !analyzed.roots().of(o).is_empty();
    if barred.is_empty() && is_root(object) {
        return Ok(Some(vec![object]));
    }
    let mut seen = Bits::new(heap.len());
    seen.insert(object.raw());
    // Each found object with the place, in `found`, of the one it was found from.
    let mut found: Vec<(ObjectId, usize)> = vec![(object, usize::MAX)];
    let mut queue = VecDeque::from([0]);
    let mut retainers = Retainers { heap, analyzed, instances: None };
    let mut steps = 0_usize;
    while let Some(place) = queue.pop_front() {
        let (at, _) = found[place];
        for before in retainers.of(at, task)? {
            steps += 1;
            if steps.is_multiple_of(CHECKPOINT_EVERY) {
                task.checkpoint()?;
            }
            if seen.contains(before.raw())
                || (place == 0 && barred.contains(&before))
                || !holds(heap, before, at, weakest)
            {
                continue;
            }
            seen.insert(before.raw());
            found.push((before, place));
            if is_root(before) {
                let mut way = Vec::new();
                let mut next = found.len() - 1;
                while let Some(&(o, from)) = found.get(next) {
                    way.push(o);
                    next = from;
                }
                return Ok(Some(way));
            }
            queue.push_back(found.len() - 1);
        }
    }
    Ok(None)
}

/// Who refers to whom; class objects are referred to by their instances too.
struct Retainers<'a> {
    heap: &'a Heap,
    analyzed: &'a Analyzed,
    /// Objects of each class, once a class object has been met.
    instances: Option<Csr>,
}

impl Retainers<'_> {
    fn of(&mut self, object: ObjectId, task: &Task) -> Result<impl Iterator<Item = ObjectId>, Cancelled> {
        let class = self.heap.classes.of_object(object);
        if class.is_some() && self.instances.is_none() {
            self.instances = Some(Csr::by_group(self.heap.class_column(), self.heap.classes.len(), task)?);
        }
        let instances = class.zip(self.instances.as_ref()).map(|(class, all)| all.row(class.raw()));
        let explicit = self.analyzed.retainers(object);
        Ok(explicit.iter().chain(instances.into_iter().flatten()).filter_map(|&r| ObjectId::from_raw(r)))
    }
}

/// Whether `from` holds `to` by a reference no weaker than `weakest`.
fn holds(heap: &Heap, from: ObjectId, to: ObjectId, weakest: Strength) -> bool {
    heap.class(from).object == Some(to)
        || heap
            .references(from)
            .iter()
            .enumerate()
            .any(|(position, &target)| target == to.raw() && heap.strength(from, position) <= weakest)
}

/// How firmly `from` holds `to`: the strongest of its references.
fn strength_between(heap: &Heap, from: ObjectId, to: ObjectId) -> Strength {
    if heap.class(from).object == Some(to) {
        return Strength::Strong;
    }
    let targets = heap.references(from).iter().enumerate().filter(|&(_, &target)| target == to.raw());
    targets.map(|(position, _)| heap.strength(from, position)).min().unwrap_or(Strength::Strong)
}

fn written_out(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    way: &[ObjectId],
    ends: usize,
    task: &Task,
) -> Result<Path, Cancelled> {
    let last = way[way.len() - 1];
    let omitted = way.len().saturating_sub(ends.saturating_mul(2));
    let omission = (omitted > 0).then_some(Omission { after: ends, steps: omitted });
    let shown = (0..way.len()).filter(|&i| omitted == 0 || i < ends || i >= ends + omitted);
    let mut strength = Strength::Strong;
    let mut steps = Vec::new();
    for i in shown {
        task.checkpoint()?;
        let object = way[i];
        let reference = i.checked_sub(1).map(|i| way[i]).map(|before| {
            strength = strength.max(strength_between(heap, before, object));
            // Of several names, the strongest explains best why the object is kept: it comes first.
            let name = contents.reference_names(heap, before, object, 1).pop();
            name.map_or_else(|| "<unknown>".to_owned(), |n| n.text)
        });
        steps.push(PathStep {
            object,
            id: heap.id_text(object),
            class: heap.class(object).name.to_string(),
            label: contents.label(heap, object),
            shallow: heap.shallow(object),
            retained: analyzed.retained(object),
            reference,
            dominates: analyzed.dominates(object, last),
        });
    }
    let root_kind = analyzed.roots().of(way[0]).first().map_or(RootKind::Unknown, |r| r.kind);
    Ok(Path { root_kind, strength, steps, omission })
}
