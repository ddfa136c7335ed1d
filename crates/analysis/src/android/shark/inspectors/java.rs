//! Inspectors for every program: watched objects, classes, threads.

use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::ObjectId;

/// Objects watched by LeakCanary.
pub(super) fn watched(scene: &InspectorContext<'_>, object: ObjectId, to: &mut Remarks) {
    for watched in scene.watched.get(&object).into_iter().flatten() {
        match watched.description.as_deref().filter(|why| !why.is_empty()) {
            Some(why) => to.is_leaking(format!("ObjectWatcher was watching this because {why}")),
            None => to.is_leaking("ObjectWatcher was watching this"),
        }
        if let Some(key) = &watched.key {
            to.label(format!("key = {key}"));
        }
        if let Some(millis) = watched.since_millis {
            to.label(format!("watchDurationMillis = {millis}"));
        }
        if let Some(millis) = watched.retained_millis {
            to.label(format!("retainedDurationMillis = {millis}"));
        }
    }
}

pub(super) fn loader(_scene: &InspectorContext<'_>, _object: ObjectId, to: &mut Remarks) {
    to.is_fine("A ClassLoader is never leaking");
}

pub(super) fn class(scene: &InspectorContext<'_>, object: ObjectId, to: &mut Remarks) {
    if scene.phone.heap.classes.of_object(object).is_some() {
        to.is_fine("a class is never leaking");
    }
}

/// For an anonymous class the superclass says more. Dumps do not record interfaces.
pub(super) fn anonymous(scene: &InspectorContext<'_>, object: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if phone.heap.classes.of_object(object).is_some() {
        return;
    }
    let class = phone.heap.class(object);
    let number = class.name.rsplit_once('$').filter(|(outer, _)| !outer.is_empty()).map_or("", |(_, number)| number);
    let above = class.superclass.map(|above| phone.name_of(above)).filter(|&above| above != "java.lang.Object");
    if let Some(above) = above.filter(|_| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
        to.label(format!("Anonymous subclass of {above}"));
    }
}

pub(super) fn thread(scene: &InspectorContext<'_>, object: ObjectId, to: &mut Remarks) {
    let Some(name) = scene.phone.contents.label(scene.phone.heap, object) else { return };
    to.label(format!("Thread name: '{name}'"));
    if name == "main" {
        to.is_fine("the main thread always runs");
    }
}
