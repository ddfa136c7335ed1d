//! Cleaning actions. An action and all it holds stay alive until the cleaner thread runs it, after its referent was
//! collected. A blocked or slow cleaner thread retains all pending actions.

use crate::answers::DumpData;
use std::collections::BTreeMap;

use super::accumulation_point::{self, AccumulationPoint, Shape};
use super::query::LeakQuery;
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, Heap, ObjectId, Value};

/// Classes whose instances cleaners hold, and the field with the action.
const ACTION_FIELDS: [(&str, &str); 3] = [
    ("jdk.internal.ref.CleanerImpl$PhantomCleanableRef", "action"),
    ("jdk.internal.ref.Cleaner", "thunk"),
    ("sun.misc.Cleaner", "thunk"),
];

/// The field that holds the action of an object held by a cleaner.
pub(super) fn action_field(heap: &Heap, object: ObjectId) -> Option<&'static str> {
    ACTION_FIELDS.iter().find(|(class, _)| *class == &*heap.class(object).name).map(|(_, field)| *field)
}

/// Target of a field of an object.
pub(super) fn referred(dump: DumpData<'_>, object: ObjectId, field: &str) -> Option<ObjectId> {
    let fields = dump.contents.fields(dump.heap, object).ok()?;
    fields
        .iter()
        .find(|declared| declared.name == field && !declared.is_static)
        .and_then(|declared| declared.value.object())
}

/// Adds a location per class of actions that together retain enough, and removes the locations within it.
pub(super) fn put_together(
    question: LeakQuery<'_>,
    points: &mut Vec<AccumulationPoint>,
    task: &Task,
) -> Result<(), Cancelled> {
    let DumpData { heap, analysis, .. } = question.namer.dump;
    let classes: Vec<ClassId> = ACTION_FIELDS.iter().filter_map(|(class, _)| heap.classes.named(class)).collect();
    if classes.iter().all(|&class| analysis.class_retained(class) < question.min_bytes) {
        return Ok(());
    }
    let mut actions: BTreeMap<ClassId, Vec<ObjectId>> = BTreeMap::new();
    for object in shown_of(question.namer.dump, |class| classes.contains(&class), task)? {
        task.checkpoint()?;
        let field = action_field(heap, object).unwrap_or_default();
        let action = referred(question.namer.dump, object, field);
        // Objects with other holders do not depend on the cleaner.
        if let Some(action) = action.filter(|&action| analysis.immediate_dominator(action) == Some(object)) {
            actions.entry(heap.class_id(action)).or_default().push(action);
        }
    }
    let groups = actions.into_values().map(|members| (members, Vec::new()));
    accumulation_point::put_together(Shape::Cleaners, groups, question, points, task)
}

/// Number of actions whose referent was collected and that were not run.
pub(super) fn waiting(question: LeakQuery<'_>, point: &AccumulationPoint) -> u64 {
    let DumpData { heap, contents, analysis, .. } = question.namer.dump;
    let is_waiting = |&&action: &&ObjectId| {
        let owner = analysis.immediate_dominator(action);
        let fields = owner.and_then(|owner| contents.fields(heap, owner).ok()).unwrap_or_default();
        fields.iter().any(|field| field.name == "referent" && field.value == Value::Null)
    };
    point.members.iter().filter(is_waiting).count() as u64
}
