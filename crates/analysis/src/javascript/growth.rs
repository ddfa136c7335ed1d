//! Monotonic growth: objects present in every snapshot whose references never decrease.

use super::leaks::{SnapshotLeakQuery, TraceStep, is_trivial, steps_of_each, trace};
use crate::answers::DumpData;
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Minimum number of additional references.
const LEAST: u64 = 8;

/// A collection or other object that only grew.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowingObject {
    /// The object in the last snapshot.
    pub object: ObjectId,
    /// Its class.
    pub class: String,
    /// References of it and its hash table, by snapshot.
    pub references: Vec<u64>,
    /// Its retained size, by snapshot.
    pub retained: Vec<Bytes>,
    /// Path to it.
    pub trace: Vec<TraceStep>,
}

impl GrowingObject {
    /// Retained size in the last snapshot minus that in the first.
    pub fn more(&self) -> Bytes {
        let of = |retained: Option<&Bytes>| retained.copied().unwrap_or_default().0;
        Bytes(of(self.retained.last()).saturating_sub(of(self.retained.first())))
    }
}

/// Objects of the last snapshot that exist in all others, never have fewer references than before, and more in the end;
/// largest growth of retained size first.
pub fn growing(question: SnapshotLeakQuery<'_>, task: &Task) -> Result<Vec<GrowingObject>, Cancelled> {
    let SnapshotLeakQuery { baselines, target, last, before, rules } = question;
    let all: Vec<DumpData<'_>> = baselines.iter().copied().chain([target, last]).collect();
    let tables: Vec<Vec<u32>> =
        all.iter().map(|of| of.contents.internal_targets("table", task)).collect::<Result<_, Cancelled>>()?;
    let references = |at: usize, object: ObjectId| {
        let (of, table) = (all[at], tables[at].get(object.index()).copied().and_then(ObjectId::from_raw));
        let of_table = table.map_or(0, |table| of.heap.references(table).len());
        (of.heap.references(object).len() + of_table) as u64
    };
    let passed: Vec<bool> = last.heap.classes.all().iter().map(|class| !is_trivial(&class.name, rules)).collect();
    let end = all.len() - 1;
    task.step("Finding monotonic growth", Unit::Objects, last.heap.len() as u64);
    let mut objects = Vec::new();
    for block in task.blocks(last.heap.len()) {
        for object in block?.filter_map(ObjectId::new).filter(|&object| last.analysis.is_reachable(object)) {
            let class = last.heap.class_id(object);
            let in_the_end = references(end, object);
            if in_the_end < LEAST || passed.get(class.index()) != Some(&true) {
                continue;
            }
            let Some(same) = before.iter().map(|of| of.find(last.heap.address(object))).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let same: Vec<ObjectId> = same.into_iter().chain([object]).collect();
            let counts: Vec<u64> = same.iter().enumerate().map(|(at, &object)| references(at, object)).collect();
            let only_grew = counts.is_sorted() && in_the_end >= counts[0].saturating_add(LEAST);
            let is_same = same.iter().zip(&all).all(|(&of, at)| at.heap.class(of).name == last.heap.class(object).name);
            if !only_grew || !is_same {
                continue;
            }
            let retained = same.iter().zip(&all).map(|(&object, of)| of.analysis.retained(object)).collect();
            let class = last.heap.classes.get(class).name.to_string();
            objects.push(GrowingObject { object, class, references: counts, retained, trace: Vec::new() });
        }
    }
    objects.retain(|of| {
        (of.more().0 >= rules.least_retained.max(1) && !rules.is_expected(&of.class)) || rules.is_leaking(&of.class)
    });
    objects.sort_by(|a, b| b.more().cmp(&a.more()).then(a.object.cmp(&b.object)));
    let steps = steps_of_each(objects.len());
    for growing in &mut objects {
        task.checkpoint()?;
        growing.trace = trace(last, growing.object, steps);
    }
    Ok(objects)
}
