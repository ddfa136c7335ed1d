//! Functions by where they stand in their scripts: how many closures there are of each, what variables they capture,
//! and what those keep alive.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Opened, most_retaining};
use crate::heap::contents::{Located, ReferenceKind, ReferenceName};
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use crate::units::Bytes;

/// The class of functions.
const FUNCTION: &str = "Function";
/// Edges of a function, and variables of a context, that are read.
const EDGES: usize = 64;
/// Functions that one thread reads in a row.
const PIECE: usize = CHECKPOINT_EVERY >> 6;

/// Closures of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosureRow {
    /// What the function is called.
    pub function: String,
    /// Where it stands, if the file says it.
    pub source: Option<Located>,
    /// How many closures.
    pub closures: u64,
    /// Their bytes.
    pub shallow: Bytes,
    /// What they keep alive together.
    pub retained: Bytes,
    /// What the contexts of their variables keep alive together.
    pub captured: Bytes,
    /// The variables of the context of the closure that retains most, with their values where those are objects.
    pub variables: Vec<(String, ObjectId)>,
    /// The first of the closures, most retained first; there is one at least.
    pub first: Vec<ObjectId>,
}

/// What is known of a function's closures.
#[derive(Default)]
struct Group {
    closures: Vec<ObjectId>,
    contexts: Vec<ObjectId>,
}

type Groups = BTreeMap<(String, Option<Located>), Group>;

/// All functions, most retained first, equal ones by name and place.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn closures(of: Opened<'_>, task: &Task) -> Result<Vec<ClosureRow>, Cancelled> {
    let heap = of.heap;
    let is_function: Vec<bool> = heap.classes.all().iter().map(|class| &*class.name == FUNCTION).collect();
    let is_closure = |&object: &ObjectId| {
        of.analyzed.is_reachable(object) && is_function.get(heap.class_id(object).index()) == Some(&true)
    };
    let all: Vec<ObjectId> = of.objects().filter(is_closure).collect();
    task.step("Reading functions", Unit::Objects, all.len() as u64);
    let pieces = all.par_chunks(PIECE).map(|piece| {
        task.advance_checked(piece.len() as u64)?;
        let mut groups = Groups::new();
        for &closure in piece {
            let Some(edges) = edges_of(of, closure) else { continue };
            let name = of.contents.label(heap, closure).unwrap_or_default();
            let group = groups.entry((name, of.contents.located(heap, closure))).or_default();
            group.closures.push(closure);
            group.contexts.extend(context(of, &edges));
        }
        Ok(groups)
    });
    let groups = pieces.try_reduce(Groups::new, |mut all, more| {
        for (key, mut group) in more {
            let of_key = all.entry(key).or_default();
            of_key.closures.append(&mut group.closures);
            of_key.contexts.append(&mut group.contexts);
        }
        Ok(all)
    })?;
    let mut rows = Vec::with_capacity(groups.len());
    for ((function, source), mut group) in groups {
        task.checkpoint()?;
        group.closures.sort_unstable();
        group.contexts.sort_unstable();
        group.contexts.dedup();
        let first = most_retaining(of, &group.closures);
        let edges = first.first().and_then(|&example| edges_of(of, example));
        let variables =
            edges.and_then(|edges| context(of, &edges)).map(|context| variables(of, context)).unwrap_or_default();
        rows.push(ClosureRow {
            function,
            source,
            closures: group.closures.len() as u64,
            shallow: group.closures.iter().map(|&closure| heap.shallow(closure)).sum(),
            retained: of.analyzed.retained_together(group.closures.iter().copied()),
            captured: of.analyzed.retained_together(group.contexts.iter().copied()),
            variables,
            first,
        });
    }
    // Stable: equal ones go by name and place.
    rows.sort_by_key(|row| std::cmp::Reverse(row.retained));
    Ok(rows)
}

/// The first edges of what is called as functions are; `None` where it is none.
fn edges_of(of: Opened<'_>, closure: ObjectId) -> Option<Vec<(ReferenceName, ObjectId)>> {
    let edges = of.edges(closure, EDGES);
    let is_one = edges.iter().any(|(name, _)| name.kind == ReferenceKind::Internal && name.bare() == "shared");
    is_one.then_some(edges)
}

/// The context of a function among its edges; those of the script and of the engine keep no variables of a call.
fn context(of: Opened<'_>, edges: &[(ReferenceName, ObjectId)]) -> Option<ObjectId> {
    let mut internal = edges.iter().filter(|(name, _)| name.kind == ReferenceKind::Internal);
    let (_, context) = internal.find(|(name, _)| name.bare() == "context")?;
    of.heap.class(*context).name.starts_with("system / Context").then_some(*context)
}

/// The variables that a context has.
fn variables(of: Opened<'_>, context: ObjectId) -> Vec<(String, ObjectId)> {
    let edges = of.edges(context, EDGES).into_iter();
    edges.filter(|(name, _)| name.kind == ReferenceKind::Context).map(|(name, to)| (name.text, to)).collect()
}
