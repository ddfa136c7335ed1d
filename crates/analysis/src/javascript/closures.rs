//! Functions by script location: number of closures, captured variables, and bytes retained by those.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::most_retaining;
use crate::answers::DumpData;
use crate::captured_variables::source_variables;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task, Unit};
use heaplens_heap::{ObjectId, ReferenceKind, ReferenceName, SourceVariable, contents::ScriptLocation};

/// The class of functions.
const FUNCTION: &str = "Function";
/// Maximum number of edges read per function, and of variables per context.
const EDGES: usize = 64;
/// Functions read by one thread in a row.
const PIECE: usize = CHECKPOINT_EVERY >> 6;

/// Closures of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosureRow {
    /// Function name.
    pub function: String,
    /// Script location, if the file contains it.
    pub source: Option<ScriptLocation>,
    /// Number of closures.
    pub closures: u64,
    /// Their bytes.
    pub shallow: Bytes,
    /// Retained size of all of them.
    pub retained: Bytes,
    /// Retained size of the contexts with their captured variables.
    pub captured: Bytes,
    /// Variables in the context of the closure with the largest retained size, with their values if objects.
    pub variables: Vec<(String, ObjectId)>,
    /// Example closures, largest retained size first; at least one.
    pub first: Vec<ObjectId>,
}

/// Sums of a function's closures.
#[derive(Default)]
struct Group {
    closures: Vec<ObjectId>,
    contexts: Vec<ObjectId>,
}

type Groups = BTreeMap<(String, Option<ScriptLocation>), Group>;

/// All functions, largest retained size first, ties by name and location.
pub fn closures(of: DumpData<'_>, task: &Task) -> Result<Vec<ClosureRow>, Cancelled> {
    let heap = of.heap;
    let is_function: Vec<bool> = heap.classes.all().iter().map(|class| &*class.name == FUNCTION).collect();
    let is_closure = |&object: &ObjectId| {
        of.analysis.is_reachable(object) && is_function.get(heap.class_id(object).index()) == Some(&true)
    };
    let all: Vec<ObjectId> = of.objects().filter(is_closure).collect();
    task.step("Reading functions", Unit::Objects, all.len() as u64);
    let pieces = all.par_chunks(PIECE).with_max_len(1).map(|piece| {
        task.advance_checked(piece.len() as u64)?;
        let mut groups = Groups::new();
        for &closure in piece {
            let Some(edges) = edges_of(of, closure) else { continue };
            let name = of.contents.label(heap, closure).unwrap_or_default();
            let group = groups.entry((name, of.contents.script_location(heap, closure))).or_default();
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
    // Many functions share a context.
    let mut sources = BTreeMap::new();
    for ((function, source), mut group) in groups {
        task.checkpoint()?;
        group.closures.sort_unstable();
        group.contexts.sort_unstable();
        group.contexts.dedup();
        let first = most_retaining(of, &group.closures);
        let edges = first.first().and_then(|&example| edges_of(of, example));
        let variables = edges
            .and_then(|edges| context(of, &edges))
            .map(|context| variables(of, context, &mut sources))
            .unwrap_or_default();
        rows.push(ClosureRow {
            function,
            source,
            closures: group.closures.len() as u64,
            shallow: group.closures.iter().map(|&closure| heap.shallow(closure)).sum(),
            retained: of.analysis.retained_together(group.closures.iter().copied()),
            captured: of.analysis.retained_together(group.contexts.iter().copied()),
            variables,
            first,
        });
    }
    // Stable: ties go by name and location.
    rows.sort_by_key(|row| std::cmp::Reverse(row.retained));
    Ok(rows)
}

/// First edges of an object with the class name of functions; `None` if it is not a function.
fn edges_of(of: DumpData<'_>, closure: ObjectId) -> Option<Vec<(ReferenceName, ObjectId)>> {
    let edges = of.edges(closure, EDGES);
    let is_one = edges.iter().any(|(name, _)| name.kind == ReferenceKind::Internal && name.bare() == "shared");
    is_one.then_some(edges)
}

/// Context of a function among its edges; script and engine contexts hold no captured variables.
fn context(of: DumpData<'_>, edges: &[(ReferenceName, ObjectId)]) -> Option<ObjectId> {
    let mut internal = edges.iter().filter(|(name, _)| name.kind == ReferenceKind::Internal);
    let (_, context) = internal.find(|(name, _)| name.bare() == "context")?;
    of.heap.class(*context).name.starts_with("system / Context").then_some(*context)
}

/// Variables of a context, by their names in the source as far as they are known.
fn variables(
    of: DumpData<'_>,
    context: ObjectId,
    sources: &mut BTreeMap<ObjectId, BTreeMap<String, SourceVariable>>,
) -> Vec<(String, ObjectId)> {
    let sources = sources.entry(context).or_insert_with(|| source_variables(of, context));
    let name = |text: String| sources.get(&text).map_or(text, |variable| variable.name.clone());
    let edges = of.edges(context, EDGES).into_iter();
    edges.filter(|(name, _)| name.kind == ReferenceKind::Context).map(|(of, to)| (name(of.text), to)).collect()
}
