//! What leaks between snapshots of one process, as memlab finds it: objects that the last snapshot before has and none
//! of those before it, and that are still there in the end. Those that a leaked one dominates count for it; the others
//! are clustered by the way that holds them ([`super::clusters`]).

use rustc_hash::FxHashMap;

use super::clusters::{Leaked, clustered};
use super::rules::Rules;
use super::same::ByNumber;
use super::ways::Ways;
use super::{Opened, clusters::Likeness};
use crate::graph::bits::Bits;
use crate::heap::contents::ReferenceName;
use crate::heap::ids::ObjectId;
use crate::heap::totals::Totals;
use crate::task::{Cancelled, Task, Unit};
use crate::units::Bytes;

/// Snapshots of one process in the order of time.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Those before anything happened.
    pub baselines: &'a [Opened<'a>],
    /// The one in which it had happened.
    pub target: Opened<'a>,
    /// The one in which all of it should be gone.
    pub last: Opened<'a>,
    /// Objects of those before the last by their numbers, in the same order.
    pub before: &'a [ByNumber],
    /// What is told of.
    pub rules: &'a Rules,
}

/// Steps up from a leak in which a timer or a listener is what makes it one.
const NEAR: usize = 4;

/// What makes a leak what it is, by what holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeakKind {
    /// Nodes that are in no document any more.
    Detached,
    /// A timer that is still to run.
    Timer,
    /// A listener that was never removed.
    Listener,
    /// A function, with what it captures.
    Closure,
    /// Variables that a function captures.
    Captured,
    /// An entry of a Map, a Set, an array, or an object used as one.
    Collection,
    /// Whatever else.
    Object,
}

impl LeakKind {
    /// The words people and json see.
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

/// One object of a trace, and by what the one before leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    /// The object.
    pub object: ObjectId,
    /// The edge that leads to it; none of the first.
    pub by: Option<ReferenceName>,
}

/// Leaks that are held alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The class of what leaks.
    pub class: String,
    /// What makes it a leak.
    pub kind: LeakKind,
    /// Leaked objects that no other leaked one dominates.
    pub objects: u64,
    /// With those that they dominate.
    pub leaked: u64,
    /// What they keep alive.
    pub retained: Bytes,
    /// How many different ways were found to be alike.
    pub ways: u64,
    /// The way to the object that retains most: from a root down to it.
    pub trace: Vec<TraceStep>,
}

/// All leaks.
#[derive(Debug, Default)]
pub struct Leaks {
    /// By what they retain, most first.
    pub clusters: Vec<Cluster>,
    /// Objects that are new in the target and still there in the end, trivial ones too.
    pub stayed: Totals,
    /// Objects of all clusters.
    pub leaked: u64,
    /// What they keep alive.
    pub retained: Bytes,
}

/// Steps that each of so many traces may have: a way may be as long as the heap.
pub(super) fn steps_of_each(traces: usize) -> usize {
    (1_000_000 / traces.max(1)).max(100)
}

/// Finds them.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn leaks(question: Question<'_>, task: &Task) -> Result<Leaks, Cancelled> {
    let Question { last, rules, .. } = question;
    let trivial: Vec<bool> = last.heap.classes.all().iter().map(|class| is_trivial(&class.name, rules)).collect();
    let (stayed, totals) = stayed(question, task)?;
    let mut tops: Vec<Leaked> = Vec::new();
    let mut end = 0;
    for place in 0..last.analyzed.shown.objects as u32 {
        if place.is_multiple_of(1 << 16) {
            task.checkpoint()?;
        }
        let Some(object) = last.analyzed.at_place(place) else { continue };
        let is_told = stayed.contains(object.raw()) && trivial.get(last.heap.class_id(object).index()) == Some(&false);
        if !is_told {
            continue;
        }
        if place >= end {
            end = last.analyzed.subtree(object).map_or(place + 1, |subtree| subtree.end);
            tops.push(Leaked { object, leaked: 0, retained: last.analyzed.retained(object) });
        }
        // What the last of them dominates stands behind it.
        tops.last_mut().into_iter().for_each(|top| top.leaked += 1);
    }
    let objects: Vec<ObjectId> = tops.iter().map(|top| top.object).collect();
    let ways = Ways::find(last, &objects, task)?;
    let mut found = Leaks { stayed: totals, ..Leaks::default() };
    let clustered = clustered(&tops, &ways, task)?;
    let steps = steps_of_each(clustered.len());
    for Likeness { way, members, ways: alike } in clustered {
        task.checkpoint()?;
        let retained: Bytes = members.iter().map(|member| member.retained).sum();
        let is_expected = ways.steps(way).any(|step| {
            let (edge, class) = (ways.text(step.edge), ways.text(step.class));
            rules.is_ignored(edge) || rules.is_expected(class) || (step.named && rules.is_expected(edge))
        });
        let Some(example) = members.iter().max_by_key(|of| (of.retained, std::cmp::Reverse(of.object))) else {
            continue;
        };
        let class = last.heap.class(example.object).name.to_string();
        if retained.0 < rules.least_retained || (is_expected && !rules.is_leaking(&class)) {
            continue;
        }
        found.leaked += members.iter().map(|member| member.leaked).sum::<u64>();
        found.retained += retained;
        found.clusters.push(Cluster {
            kind: kind(last, example.object, &ways, way),
            class,
            objects: members.len() as u64,
            leaked: members.iter().map(|member| member.leaked).sum(),
            retained,
            ways: alike,
            trace: trace(last, example.object, steps),
        });
    }
    Ok(found)
}

/// What is new in the target and still there, and how much that is.
fn stayed(question: Question<'_>, task: &Task) -> Result<(Bits, Totals), Cancelled> {
    let Question { before, last, .. } = question;
    let Some((target, baselines)) = before.split_last() else { return Ok((Bits::default(), Totals::default())) };
    let (mut stayed, mut totals) = (Bits::new(last.heap.len()), Totals::default());
    task.step("Finding new objects that are still alive", Unit::Objects, last.heap.len() as u64);
    for block in task.blocks(last.heap.len()) {
        for object in block?.filter_map(ObjectId::new).filter(|&object| last.analyzed.is_reachable(object)) {
            let id = last.heap.address(object);
            if target.find(id).is_some() && !baselines.iter().any(|of| of.find(id).is_some()) {
                stayed.insert(object.raw());
                totals.add(Totals { objects: 1, shallow: last.heap.shallow(object) });
            }
        }
    }
    Ok((stayed, totals))
}

/// Whether objects of a class say nothing by themselves: texts, numbers, what belongs to the engine.
pub(super) fn is_trivial(class: &str, rules: &Rules) -> bool {
    (class.starts_with('(') || class.starts_with("system / ")) && !rules.is_leaking(class)
}

/// The way to an object, from a root; of one with more than `most` steps the end alone.
pub(super) fn trace(of: Opened<'_>, object: ObjectId, most: usize) -> Vec<TraceStep> {
    let (mut trace, mut at) = (Vec::new(), object);
    while let Some(before) = of.analyzed.before(of.heap, at).filter(|_| trace.len() < most) {
        let by = of.contents.reference_names(of.heap, before, at, 1).pop();
        trace.push(TraceStep { object: at, by });
        at = before;
    }
    trace.push(TraceStep { object: at, by: None });
    trace.reverse();
    trace
}

/// What makes a leak what it is: the word nearest to it that says something.
fn kind(of: Opened<'_>, object: ObjectId, ways: &Ways, way: u32) -> LeakKind {
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
    let step = |step: &super::ways::WayStep| {
        let edge = ways.text(step.edge);
        let listens = ["_events", "<_events>", "listeners", "_listeners"].contains(&edge);
        classes.get(ways.text(step.class)).copied().or(listens.then_some(LeakKind::Listener))
    };
    // Far up nearly all that a program has is held by some timer: only one close to the leak says why it is there.
    if let Some(kind) = ways.steps(way).take(NEAR).find_map(step) {
        return kind;
    }
    if &**class == "Function" {
        return LeakKind::Closure;
    }
    let step = |step: &super::ways::WayStep| match (ways.text(step.edge), ways.text(step.class)) {
        ("<context>" | "<previous>", _) => Some(LeakKind::Captured),
        ("[]", _) | (_, "Map" | "Set" | "WeakMap" | "Array") => Some(LeakKind::Collection),
        _ => None,
    };
    ways.steps(way).find_map(step).unwrap_or(LeakKind::Object)
}
