//! Objects that await finalization: held only by the finalizer queue, because the finalizer thread is slow or blocked.

use std::collections::BTreeMap;

use super::accumulation_point::{self, AccumulationPoint, Shape};
use super::query::LeakQuery;
use crate::finalizers::{FinalizerState, FinalizersQuestion};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId};

/// Adds a location per class with many waiting objects, and removes the locations within it.
pub(super) fn put_together(
    question: LeakQuery<'_>,
    points: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let mut waiting: BTreeMap<ClassId, Vec<ObjectId>> = BTreeMap::new();
    for row in &*question.namer.intermediate(&FinalizersQuestion, task)? {
        if row.state != FinalizerState::Registered {
            waiting.entry(row.class).or_default().extend(&row.objects);
        }
    }
    let groups = waiting.into_values().map(|members| (members, Vec::new()));
    accumulation_point::put_together(Shape::Finalizers, groups, question, points, task)
}
