//! Objects that await finalization: held only by the finalizer queue, because the finalizer thread is slow or blocked.

use std::collections::BTreeMap;

use super::accumulation_point::{AccumulationPoint, Shape, without};
use super::query::LeakQuery;
use crate::finalizers::{FinalizerState, finalizers};
use crate::naming::Namer;
use heaplens_base::{Cancelled, Task};
use heaplens_core::heap::{ClassId, ObjectId};

/// Adds a location per class with many waiting objects, and removes the locations within it.
pub(super) fn put_together(
    question: LeakQuery<'_>,
    places: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let Namer { heap, contents, analysis, .. } = question.namer;
    let mut waiting: BTreeMap<ClassId, Vec<ObjectId>> = BTreeMap::new();
    for row in finalizers(heap, contents, analysis, task)? {
        if row.state != FinalizerState::Registered {
            waiting.entry(row.class).or_default().extend(row.objects);
        }
    }
    let (mut taken, mut found) = (Vec::new(), Vec::new());
    for mut members in waiting.into_values() {
        task.checkpoint()?;
        members.sort_unstable();
        if let Some(place) = AccumulationPoint::of_several(Shape::Finalizers, members, analysis, question.least) {
            taken.extend(&place.members);
            found.push(place);
        }
    }
    without(analysis, places, &taken);
    places.append(&mut found);
    Ok(())
}
