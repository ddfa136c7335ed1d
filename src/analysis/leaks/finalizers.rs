//! Objects that wait for their finalizer: nothing else holds them any more, but
//! the thread that runs finalizers is behind, or stuck.

use std::collections::BTreeMap;

use super::Question;
use super::place::{Place, Shape, without};
use crate::analysis::finalizers::{FinalizerState, finalizers};
use crate::analysis::naming::Namer;
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{Cancelled, Task};

/// Adds a place for each class of which many wait, and takes away what is in it.
pub(super) fn put_together(question: Question<'_>, places: &mut Vec<Place>, task: &Task) -> Result<(), Cancelled> {
    let Namer { heap, contents, analyzed, .. } = question.namer;
    let mut waiting: BTreeMap<ClassId, Vec<ObjectId>> = BTreeMap::new();
    for row in finalizers(heap, contents, analyzed, task)? {
        if row.state != FinalizerState::Registered {
            waiting.entry(row.class).or_default().extend(row.objects);
        }
    }
    let (mut taken, mut found) = (Vec::new(), Vec::new());
    for mut members in waiting.into_values() {
        task.checkpoint()?;
        members.sort_unstable();
        if let Some(place) = Place::of_several(Shape::Finalizers, members, analyzed, question.least) {
            taken.extend(&place.members);
            found.push(place);
        }
    }
    without(analyzed, places, &taken);
    places.append(&mut found);
    Ok(())
}
