//! Leaks between snapshots of one process, as memlab finds them: objects that the target snapshot has and none of the
//! baselines, and that are still alive in the final one. Objects dominated by a leaked one count for it; the others are
//! clustered by their paths ([`super::clusters`]).

use rustc_hash::FxHashMap;

use super::clusters::{LeakedObject, clustered};
use super::{clusters::LeakCluster, object_numbers::ObjectNumbers, path_table::PathTable, rules::Rules};
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{ObjectId, ReferenceName, Totals};

/// Snapshots of one process in the order of time.
#[derive(Clone, Copy)]
pub struct SnapshotLeakQuery<'a> {
    /// Baselines, taken before the action.
    pub baselines: &'a [DumpData<'a>],
    /// Target, taken after the action.
    pub target: DumpData<'a>,
    /// Final snapshot, taken after the action was undone.
    pub last: DumpData<'a>,
    /// Objects of the earlier snapshots by id, in the same order.
    pub before: &'a [ObjectNumbers],
    /// Rules for what is reported.
    pub rules: &'a Rules,
}

/// Number of steps above a leak within which a timer or listener counts as its cause.
const NEAR: usize = 4;

/// Kind of a leak, by its retainers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeakKind {
    /// Nodes detached from the document.
    Detached,
    /// A pending timer.
    Timer,
    /// A listener that was never removed.
    Listener,
    /// A closure with its captured variables.
    Closure,
    /// Variables that a function captures.
    Captured,
    /// An entry of a Map, a Set, an array, or an object used as one.
    Collection,
    /// Any other object.
    Object,
}

impl LeakKind {
    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Detached => "detached",
            Self::Timer => "timer",
            Self::Listener => "listener",
            Self::Closure => "closure",
            Self::Captured => "captured",
            Self::Collection => "collection",
            Self::Object => "object",
        }
    }
}

/// An object of a trace, and the edge from the previous one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// The object.
    pub object: ObjectId,
    /// Edge that leads to it; `None` for the first.
    pub by: Option<ReferenceName>,
}

/// A cluster of leaks with similar paths.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// Class of the leaked objects.
    pub class: String,
    /// Kind of the leak.
    pub kind: LeakKind,
    /// Number of leaked objects that no other leaked one dominates.
    pub objects: u64,
    /// Number including the leaked objects they dominate.
    pub leaked: u64,
    /// Their retained size.
    pub retained: Bytes,
    /// Number of merged paths.
    pub paths: u64,
    /// Path from a root to the object with the largest retained size.
    pub trace: Vec<TraceStep>,
}

/// Result of the leak search.
#[derive(Debug, Default)]
pub struct Leaks {
    /// Clusters, largest retained size first.
    pub clusters: Vec<Cluster>,
    /// Objects new in the target and still alive in the end, including trivial ones.
    pub stayed: Totals,
    /// Number of objects in all clusters.
    pub leaked: u64,
    /// Their retained size.
    pub retained: Bytes,
}

/// Maximum number of steps of a trace: a path may be as long as the heap.
pub(super) fn steps_of_each(traces: usize) -> usize {
    (1_000_000 / traces.max(1)).max(100)
}

/// Finds all leaks.
pub fn find_leaks(question: SnapshotLeakQuery<'_>, task: &Task) -> Result<Leaks, Cancelled> {
    let SnapshotLeakQuery { last, rules, .. } = question;
    let trivial: Vec<bool> = last.heap.classes.all().iter().map(|class| is_trivial(&class.name, rules)).collect();
    let (stayed, totals) = stayed(question, task)?;
    let mut tops: Vec<LeakedObject> = Vec::new();
    let mut end = 0;
    for preorder in 0..last.analysis.shown.objects as u32 {
        if preorder.is_multiple_of(1 << 16) {
            task.checkpoint()?;
        }
        let Some(object) = last.analysis.at_preorder(preorder) else { continue };
        let is_told = stayed.contains(object.raw()) && trivial.get(last.heap.class_id(object).index()) == Some(&false);
        if !is_told {
            continue;
        }
        if preorder >= end {
            end = last.analysis.subtree(object).map_or(preorder + 1, |subtree| subtree.end);
            tops.push(LeakedObject { object, leaked: 0, retained: last.analysis.retained(object) });
        }
        // Objects dominated by the last one follow it.
        tops.last_mut().into_iter().for_each(|top| top.leaked += 1);
    }
    let objects: Vec<ObjectId> = tops.iter().map(|top| top.object).collect();
    let table = PathTable::find(last, &objects, task)?;
    let mut leaks = Leaks { stayed: totals, ..Leaks::default() };
    let clustered = clustered(&tops, &table, task)?;
    let steps = steps_of_each(clustered.len());
    for LeakCluster { path, members, paths: alike } in clustered {
        task.checkpoint()?;
        let retained: Bytes = members.iter().map(|member| member.retained).sum();
        let is_expected = table.steps(path).any(|step| {
            let (edge, class) = (table.text(step.edge), table.text(step.class));
            rules.is_ignored(edge) || rules.is_expected(class) || (step.named && rules.is_expected(edge))
        });
        let Some(example) = members.iter().max_by_key(|of| (of.retained, std::cmp::Reverse(of.object))) else {
            continue;
        };
        let class = last.heap.class(example.object).name.to_string();
        if retained.0 < rules.least_retained || (is_expected && !rules.is_leaking(&class)) {
            continue;
        }
        leaks.leaked += members.iter().map(|member| member.leaked).sum::<u64>();
        leaks.retained += retained;
        leaks.clusters.push(Cluster {
            kind: kind(last, example.object, &table, path),
            class,
            objects: members.len() as u64,
            leaked: members.iter().map(|member| member.leaked).sum(),
            retained,
            paths: alike,
            trace: trace(last, example.object, steps),
        });
    }
    Ok(leaks)
}

/// Objects new in the target and still alive, with their totals.
fn stayed(question: SnapshotLeakQuery<'_>, task: &Task) -> Result<(Bits, Totals), Cancelled> {
    let SnapshotLeakQuery { before, last, .. } = question;
    let Some((target, baselines)) = before.split_last() else { return Ok((Bits::default(), Totals::default())) };
    let (mut stayed, mut totals) = (Bits::new(last.heap.len()), Totals::default());
    task.step("Finding new objects that are still alive", Unit::Objects, last.heap.len() as u64);
    for block in task.blocks(last.heap.len()) {
        for object in block?.filter_map(ObjectId::new).filter(|&object| last.analysis.is_reachable(object)) {
            let id = last.heap.address(object);
            if target.find(id).is_some() && !baselines.iter().any(|of| of.find(id).is_some()) {
                stayed.insert(object.raw());
                totals.add(Totals { objects: 1, shallow: last.heap.shallow(object) });
            }
        }
    }
    Ok((stayed, totals))
}

/// True if objects of a class are trivial by themselves: strings, numbers, internals of the engine.
pub(super) fn is_trivial(class: &str, rules: &Rules) -> bool {
    (class.starts_with('(') || class.starts_with("system / ")) && !rules.is_leaking(class)
}

/// Path from a root to an object; if longer than `most` steps, only its end.
pub(super) fn trace(of: DumpData<'_>, object: ObjectId, most: usize) -> Vec<TraceStep> {
    let (mut trace, mut at) = (Vec::new(), object);
    while let Some(before) = of.analysis.predecessor(of.heap, at).filter(|_| trace.len() < most) {
        let by = of.contents.reference_names(of.heap, before, at, 1).pop();
        trace.push(TraceStep { object: at, by });
        at = before;
    }
    trace.push(TraceStep { object: at, by: None });
    trace.reverse();
    trace
}

/// Kind of a leak, from the nearest meaningful step.
fn kind(of: DumpData<'_>, object: ObjectId, table: &PathTable, path: u32) -> LeakKind {
    let class = &of.heap.class(object).name;
    let is_detached = of.snapshot().is_some_and(|snapshot| snapshot.is_detached(object));
    if is_detached || class.starts_with("Detached ") {
        return LeakKind::Detached;
    }
    let classes: FxHashMap<&str, LeakKind> = FxHashMap::from_iter([
        ("Timeout", LeakKind::Timer),
        ("Immediate", LeakKind::Timer),
        ("TimersList", LeakKind::Timer),
        ("V8EventListener", LeakKind::Listener),
    ]);
    let step = |step: &super::path_table::ClassStep| {
        let edge = table.text(step.edge);
        let listens = ["_events", "<_events>", "listeners", "_listeners"].contains(&edge);
        classes.get(table.text(step.class)).copied().or(listens.then_some(LeakKind::Listener))
    };
    // Some timer holds nearly everything from far up: only one close to the leak explains it.
    if let Some(kind) = table.steps(path).take(NEAR).find_map(step) {
        return kind;
    }
    if &**class == "Function" {
        return LeakKind::Closure;
    }
    let step = |step: &super::path_table::ClassStep| match (table.text(step.edge), table.text(step.class)) {
        ("<context>" | "<previous>", _) => Some(LeakKind::Captured),
        ("[]", _) | (_, "Map" | "Set" | "WeakMap" | "Array") => Some(LeakKind::Collection),
        _ => None,
    };
    table.steps(path).find_map(step).unwrap_or(LeakKind::Object)
}
