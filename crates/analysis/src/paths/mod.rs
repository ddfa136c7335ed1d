//! Shortest paths from a GC root to an object: the reason why it is alive.
//!
//! [`Finder`] finds them one by one, [`ignored`] defines excluded references, [`chains`] finds repetitions
//! in a path; [`merged`] merges those of many objects into one tree.

pub mod aggregated;
pub mod chains;
pub mod finder;
pub mod ignored;
pub mod merged;
pub mod text;

use self::finder::Finder;
use self::ignored::{IgnoredReference, IgnoredReferences};
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{Heap, ObjectId, RootKind, Strength};
use serde::{Deserialize, Serialize};

/// One object on a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathStep {
    /// The object.
    pub object: ObjectId,
    /// Its id in the notation of the format.
    pub id: String,
    /// Its class name.
    pub class: String,
    /// Its label.
    pub label: Option<String>,
    /// Shallow size in bytes.
    pub shallow: Bytes,
    /// Retained size in bytes.
    pub retained: Bytes,
    /// Name of the reference from the previous step; `None` for the first.
    pub reference: Option<String>,
    /// True if this step dominates the last one: every path passes it.
    pub dominates: bool,
}

/// Omitted steps in the middle of a long path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omission {
    /// Number of listed steps before them.
    pub after: usize,
    /// Number of omitted steps.
    pub steps: usize,
}

/// A path from a GC root to an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferencePath {
    /// Root kind of the first step.
    pub root_kind: RootKind,
    /// Weakest reference among the listed steps.
    pub strength: Strength,
    /// Steps, root first, target last; only both ends of a long path.
    pub steps: Vec<PathStep>,
    /// Omitted steps, if any.
    pub omission: Option<Omission>,
}

impl ReferencePath {
    /// Number of steps of the whole path.
    pub fn length(&self) -> usize {
        self.steps.len() + self.omission.map_or(0, |o| o.steps)
    }
}

/// Which paths to search for.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PathOptions {
    /// Number of paths, at most: 1 unless set.
    pub count: usize,
    /// Weakest references to follow: strong ones unless set.
    pub min_strength: Strength,
    /// Steps listed at each end of a path, at most: 1,000 unless set. The path to the end of a list of five million entries
    /// has five million.
    pub max_listed_at_end: usize,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self { count: 1, min_strength: Strength::Strong, max_listed_at_end: 1_000 }
    }
}

impl PathOptions {
    /// Searches for so many paths.
    #[must_use]
    pub fn count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// Lists so many steps at each end of a path, at most.
    #[must_use]
    pub fn max_listed_at_end(mut self, steps: usize) -> Self {
        self.max_listed_at_end = steps;
        self
    }

    /// Follows references of this strength, and stronger ones.
    #[must_use]
    pub fn min_strength(mut self, strength: Strength) -> Self {
        self.min_strength = strength;
        self
    }
}

/// Paths from GC roots to `object`, shortest first. The first is the shortest of all; each further
/// one ends with another retainer of `object`.
pub fn paths(
    dump: DumpData<'_>,
    object: ObjectId,
    options: PathOptions,
    task: &Task,
) -> Result<Vec<ReferencePath>, Cancelled> {
    paths_without(dump, object, options, &[], task)
}

/// Like [`paths`], without the `ignored` references.
pub fn paths_without(
    dump: DumpData<'_>,
    object: ObjectId,
    options: PathOptions,
    ignored: &[IgnoredReference],
    task: &Task,
) -> Result<Vec<ReferencePath>, Cancelled> {
    let ignoring = IgnoredReferences::new(dump.heap, ignored);
    let mut finder = Finder::new(dump, options.min_strength, &ignoring);
    let (mut paths, mut used) = (Vec::new(), Vec::new());
    while paths.len() < options.count {
        let Some(objects) = finder.next_path(object, &used, &[], task)? else { break };
        let before = objects.len().checked_sub(2).map(|i| objects[i]);
        paths.push(to_path(dump, &objects, options.max_listed_at_end, task)?);
        match before {
            Some(before) => used.push(before),
            // The object is a root itself: it has no predecessor to vary.
            None => break,
        }
    }
    Ok(paths)
}

/// Strength of the strongest reference from `from` to `to`.
fn strength_between(heap: &Heap, from: ObjectId, to: ObjectId) -> Strength {
    if heap.class(from).object == Some(to) {
        return Strength::Strong;
    }
    let targets = heap.references(from).iter().enumerate().filter(|&(_, &target)| target == to.raw());
    targets.map(|(position, _)| heap.strength(from, position)).min().unwrap_or(Strength::Strong)
}

/// A path for display, root first; a long one with only `max_listed_at_end` steps at each end.
pub fn to_path(
    dump: DumpData<'_>,
    path: &[ObjectId],
    max_listed_at_end: usize,
    task: &Task,
) -> Result<ReferencePath, Cancelled> {
    let omitted = path.len().saturating_sub(max_listed_at_end.saturating_mul(2));
    let omission = (omitted > 0).then_some(Omission { after: max_listed_at_end, steps: omitted });
    let shown = (0..path.len()).filter(|&i| omitted == 0 || i < max_listed_at_end || i >= max_listed_at_end + omitted);
    let mut strength = Strength::Strong;
    let mut steps = Vec::new();
    for i in shown {
        task.checkpoint()?;
        if let Some(before) = i.checked_sub(1) {
            strength = strength.max(strength_between(dump.heap, path[before], path[i]));
        }
        steps.push(step(dump, path, i));
    }
    let root_kind =
        path.first().and_then(|&root| dump.analysis.roots().of(root).first()).map_or(RootKind::Unknown, |r| r.kind);
    Ok(ReferencePath { root_kind, strength, steps, omission })
}

/// Step of a path at index `at`, which must exist.
pub fn step(dump: DumpData<'_>, path: &[ObjectId], at: usize) -> PathStep {
    let heap = dump.heap;
    let (object, last) = (path[at], path[path.len() - 1]);
    let reference = at.checked_sub(1).map(|before| reference_text(dump, path[before], object));
    PathStep {
        object,
        id: heap.id_text(object),
        class: heap.class(object).name.to_string(),
        label: dump.contents.label(heap, object),
        shallow: heap.shallow(object),
        retained: dump.analysis.retained(object),
        reference,
        dominates: dump.analysis.dominates(object, last),
    }
}

/// Name of the reference from `from` to `to`; the strongest if there are several.
fn reference_text(dump: DumpData<'_>, from: ObjectId, to: ObjectId) -> String {
    dump.contents.reference_names(dump.heap, from, to, 1).pop().map_or_else(|| "<unknown>".to_owned(), |name| name.text)
}

/// Weakest reference on a path; between parallel references, the stronger counts.
pub fn weakest_of(heap: &Heap, path: &[ObjectId], task: &Task) -> Result<Strength, Cancelled> {
    let mut weakest = Strength::Strong;
    for step in path.windows(2) {
        task.checkpoint()?;
        // Long arrays are searched only for the few references that can be weak.
        if let &[from, to] = step
            && heap.has_referent_first(from)
        {
            weakest = weakest.max(strength_between(heap, from, to));
        }
    }
    Ok(weakest)
}
