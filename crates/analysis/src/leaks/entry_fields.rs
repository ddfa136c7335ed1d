//! What each of a few large entries holds: the listeners of every hall, the messages of every room. The field of the
//! entries is the one to change, not that of their collection.

use crate::answers::DumpData;
use std::collections::BTreeMap;

use super::accumulation_point::{AccumulationPoint, Shape};
use super::contents::AccumulationContents;
use super::query::LeakQuery;
use crate::naming::{Namer, short_class};
use crate::structure;
use heaplens_base::{Bytes, CHECKPOINT_EVERY, Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

/// More entries than these are what accumulates.
const MOST_ENTRIES: usize = 200;
/// Fewer objects in an entry are its ordinary parts.
const LEAST_IN_EACH: u64 = 16;
/// Maximum number of steps from an entry to what accumulates in it.
const STEPS: usize = 32;

/// The field in which most of the entries of a location hold most of their memory, and the bytes of all of these fields.
pub(super) fn in_each(
    question: LeakQuery<'_>,
    accumulation: &AccumulationPoint,
    inside: &AccumulationContents,
    task: &Task,
) -> Result<Option<(String, Bytes)>, Cancelled> {
    let mut entries = entries(question, accumulation, inside);
    // Entries that others hold, too, are no part of the location, nor is an entry two for being in it twice.
    entries.retain(|&entry| accumulation.tops().iter().any(|&top| question.namer.analysis.dominates(top, entry)));
    entries.sort_unstable();
    entries.dedup();
    if entries.len() < 2 || entries.len() > MOST_ENTRIES {
        return Ok(None);
    }
    let (namer, analysis) = (question.namer, question.namer.analysis);
    let mut fields: BTreeMap<String, (usize, Bytes)> = BTreeMap::new();
    for &entry in &entries {
        let Some(point) = point(question, entry, task)? else { continue };
        let head = structure::head(namer, point, task)?;
        if head == entry || !analysis.dominates(entry, head) {
            continue;
        }
        if let Some(field) = field_of_entry(namer, entry, head) {
            let (times, bytes) = fields.entry(field).or_default();
            (*times, *bytes) = (*times + 1, *bytes + analysis.retained(head));
        }
    }
    let all = accumulation.retained(analysis);
    let most = fields.into_iter().max_by(|(a, x), (b, y)| x.1.cmp(&y.1).then_with(|| b.cmp(a)));
    Ok(most
        .filter(|(_, (times, bytes))| times * 2 >= entries.len() && bytes.0.saturating_mul(2) >= all.0)
        .map(|(field, (_, bytes))| (field, bytes)))
}

/// The entries of a location, if they are all known.
fn entries(question: LeakQuery<'_>, point: &AccumulationPoint, inside: &AccumulationContents) -> Vec<ObjectId> {
    let heap = question.namer.heap;
    match (point.shape, &inside.collection) {
        _ if point.members.len() > MOST_ENTRIES => Vec::new(),
        (Shape::Siblings | Shape::Shared, _) => point.members.clone(),
        (_, Some(collection)) if collection.size == inside.entries.len() as u64 => {
            inside.entries.iter().filter_map(|entry| entry.value.object()).collect()
        }
        (Shape::Array, None) => {
            let elements = heap.references(point.unit).iter().filter_map(|&row| ObjectId::from_raw(row));
            elements.filter(|&element| Some(heap.class_id(element)) == inside.class).collect()
        }
        _ => Vec::new(),
    }
}

/// Class of an entry, and the fields from there to a structure in it: `Hall.seats.listeners`. `None` if no field
/// leads to it.
fn field_of_entry(namer: Namer<'_>, entry: ObjectId, head: ObjectId) -> Option<String> {
    let DumpData { heap, analysis, .. } = namer.dump;
    let up = std::iter::successors(Some(head), |&at| analysis.immediate_dominator(at).filter(|_| at != entry));
    let up: Vec<ObjectId> = up.take(STEPS).collect();
    let text = |above, below| Some(structure::step_text(namer, above, &structure::field_of(namer, above, below)?));
    let mut fields = up.windows(2).rev().filter_map(|pair| text(pair[1], pair[0]));
    let first = fields.next().filter(|_| up.last() == Some(&entry))?;
    let inner: String = fields.collect();
    Some(format!("{}{first}{inner}", short_class(heap, heap.class_id(entry))))
}

/// Where most of an entry accumulates: many objects of one class. `None` if it has no such part.
fn point(question: LeakQuery<'_>, entry: ObjectId, task: &Task) -> Result<Option<ObjectId>, Cancelled> {
    let (heap, analysis) = (question.namer.heap, question.namer.analysis);
    let half = Bytes(analysis.retained(entry).0.div_ceil(2).max(1));
    let mut at = entry;
    for _ in 0..STEPS {
        let mut of_class: BTreeMap<ClassId, u64> = BTreeMap::new();
        let mut next = None;
        for (number, (child, retained)) in analysis.dominator_children_with_retained(Some(at)).enumerate() {
            if number % CHECKPOINT_EVERY == 0 {
                task.checkpoint()?;
            }
            *of_class.entry(heap.class_id(child)).or_default() += 1;
            if retained >= half {
                next = Some(child);
                break;
            }
        }
        match next {
            Some(child) => at = child,
            None => return Ok(of_class.into_values().any(|count| count >= LEAST_IN_EACH).then_some(at)),
        }
    }
    Ok(None)
}
