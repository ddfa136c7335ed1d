//! Shortest ways from a GC root to an object: why it is alive.
//!
//! [`Finder`] finds them one by one, [`ignored`] says which references are to be left out, [`chains`] where a way
//! repeats itself; [`merged`] puts those of many objects into one tree.

pub mod aggregated;
pub mod chains;
pub mod finder;
pub mod ignored;
pub mod merged;

use self::finder::Finder;
use self::ignored::{Ignored, Ignoring};
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
    paths_without(heap, contents, analyzed, object, wish, &[], task)
}

/// As [`paths`], as if the `ignored` references were not there.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn paths_without(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    object: ObjectId,
    wish: Wish,
    ignored: &[Ignored],
    task: &Task,
) -> Result<Vec<Path>, Cancelled> {
    let ignoring = Ignoring::new(heap, ignored);
    let mut finder = Finder::new(heap, contents, analyzed, wish.weakest, &ignoring);
    let (mut found, mut used) = (Vec::new(), Vec::new());
    while found.len() < wish.count {
        let Some(way) = finder.way(object, &used, &[], task)? else { break };
        let before = way.len().checked_sub(2).map(|i| way[i]);
        found.push(written_out(heap, contents, analyzed, &way, wish.ends, task)?);
        match before {
            Some(before) => used.push(before),
            // The object is a root itself: there is nothing before it to vary.
            None => break,
        }
    }
    Ok(found)
}

/// How firmly `from` holds `to`: the strongest of its references.
fn strength_between(heap: &Heap, from: ObjectId, to: ObjectId) -> Strength {
    if heap.class(from).object == Some(to) {
        return Strength::Strong;
    }
    let targets = heap.references(from).iter().enumerate().filter(|&(_, &target)| target == to.raw());
    targets.map(|(position, _)| heap.strength(from, position)).min().unwrap_or(Strength::Strong)
}

/// A way as it is shown, root first; of a long one only `ends` steps at either end.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn written_out(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    way: &[ObjectId],
    ends: usize,
    task: &Task,
) -> Result<Path, Cancelled> {
    let omitted = way.len().saturating_sub(ends.saturating_mul(2));
    let omission = (omitted > 0).then_some(Omission { after: ends, steps: omitted });
    let shown = (0..way.len()).filter(|&i| omitted == 0 || i < ends || i >= ends + omitted);
    let mut strength = Strength::Strong;
    let mut steps = Vec::new();
    for i in shown {
        task.checkpoint()?;
        if let Some(before) = i.checked_sub(1) {
            strength = strength.max(strength_between(heap, way[before], way[i]));
        }
        steps.push(step(heap, contents, analyzed, way, i));
    }
    let root_kind =
        way.first().and_then(|&root| analyzed.roots().of(root).first()).map_or(RootKind::Unknown, |r| r.kind);
    Ok(Path { root_kind, strength, steps, omission })
}

/// The step of a way at place `at`, which it has.
pub fn step(heap: &Heap, contents: &dyn Contents, analyzed: &Analyzed, way: &[ObjectId], at: usize) -> PathStep {
    let (object, last) = (way[at], way[way.len() - 1]);
    let reference = at.checked_sub(1).map(|before| reference_text(heap, contents, way[before], object));
    PathStep {
        object,
        id: heap.id_text(object),
        class: heap.class(object).name.to_string(),
        label: contents.label(heap, object),
        shallow: heap.shallow(object),
        retained: analyzed.retained(object),
        reference,
        dominates: analyzed.dominates(object, last),
    }
}

/// The name by which `from` holds `to`. Of several the strongest explains best why it is kept: it comes first.
fn reference_text(heap: &Heap, contents: &dyn Contents, from: ObjectId, to: ObjectId) -> String {
    contents.reference_names(heap, from, to, 1).pop().map_or_else(|| "<unknown>".to_owned(), |name| name.text)
}

/// The weakest of the references that a way takes; where two hold an object, the stronger counts.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn weakest_of(heap: &Heap, way: &[ObjectId], task: &Task) -> Result<Strength, Cancelled> {
    let mut weakest = Strength::Strong;
    for (at, step) in way.windows(2).enumerate() {
        if at.is_multiple_of(CHECKPOINT_EVERY >> 4) {
            task.checkpoint()?;
        }
        // Looking for a reference in a long array is left to the few that can be weak.
        if let &[from, to] = step
            && heap.has_referent_first(from)
        {
            weakest = weakest.max(strength_between(heap, from, to));
        }
    }
    Ok(weakest)
}
