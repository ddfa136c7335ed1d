//! Activities, services and what wraps them.

use rustc_hash::FxHashSet;

use super::inspector_context::{InspectorContext, Remarks, nearest};
use crate::android::android_heap::AndroidHeap;
use heaplens_heap::{ObjectId, Value};

const ACTIVITY: &str = "android.app.Activity";
const APPLICATION: &str = "android.app.Application";
const SERVICE: &str = "android.app.Service";
const WRAPPER: &str = "android.content.ContextWrapper";
const CONTEXT: &str = "android.content.Context";
/// Innermost context of a wrapper.
const COMPONENTS: [&str; 4] = [WRAPPER, ACTIVITY, APPLICATION, SERVICE];
/// Maximum nesting of wrappers.
const DEEPEST: usize = 1_000;

/// True if an activity was destroyed; known from Android 4.2 on.
pub(super) fn is_destroyed(phone: &AndroidHeap<'_>, activity: ObjectId) -> Option<bool> {
    phone.flag(activity, ACTIVITY, "mDestroyed")
}

/// Activity, application or service that a context is or wraps.
fn component_of(phone: &AndroidHeap<'_>, context: ObjectId) -> Option<ObjectId> {
    let kind = |context| nearest(phone, phone.heap.class_id(context), &COMPONENTS);
    if kind(context)? != WRAPPER {
        return Some(context);
    }
    let (mut at, mut passed) = (context, FxHashSet::default());
    while passed.insert(at) && passed.len() < DEEPEST {
        let base = phone.object(at, WRAPPER, "mBase")?;
        if kind(base) == Some(ACTIVITY) {
            return Some(base);
        }
        let (wrapper, kind_of_base) = (at, kind(base));
        at = base;
        // The context of a window's frame is that of the application; its window knows the activity.
        let frame = "com.android.internal.policy.DecorContext";
        if phone.is_a(wrapper, frame) {
            let window = phone.object(wrapper, frame, "mPhoneWindow");
            if let Some(context) = window.and_then(|window| phone.object(window, "android.view.Window", "mContext")) {
                if phone.is_a(context, ACTIVITY) {
                    return Some(context);
                }
                at = context;
            }
        }
        if kind_of_base == Some(SERVICE) || kind_of_base == Some(APPLICATION) {
            return Some(base);
        }
        if !phone.is_a(at, WRAPPER) {
            return None;
        }
    }
    None
}

/// The activity that a context is, or wraps.
pub(super) fn activity_of(phone: &AndroidHeap<'_>, context: ObjectId) -> Option<ObjectId> {
    component_of(phone, context).filter(|&component| phone.is_a(component, ACTIVITY))
}

pub(super) fn activity(scene: &InspectorContext<'_>, activity: ObjectId, to: &mut Remarks) {
    if let Some(destroyed) = is_destroyed(scene.phone, activity) {
        to.judge(destroyed, format!("Activity#mDestroyed is {destroyed}"));
    }
}

/// Services listed by the activity thread: all others are stopped.
pub(super) fn running_services(phone: &AndroidHeap<'_>) -> Option<FxHashSet<ObjectId>> {
    const THREAD: &str = "android.app.ActivityThread";
    const MAP: &str = "android.util.ArrayMap";
    let thread = phone.static_field(THREAD, "sCurrentActivityThread")?.object()?;
    let map = phone.object(thread, THREAD, "mServices")?;
    if phone.number(map, MAP, "mSize") == Some(0) {
        return Some(FxHashSet::default());
    }
    let pairs = phone.elements(phone.object(map, MAP, "mArray")?);
    Some(pairs.into_iter().skip(1).step_by(2).filter_map(Value::object).collect())
}

pub(super) fn service(scene: &InspectorContext<'_>, service: ObjectId, to: &mut Remarks) {
    let is_stopped = scene.services.as_ref().map(|running| !running.contains(&service));
    to.judge_either(is_stopped, "Service not held by ActivityThread", "Service held by ActivityThread");
}

/// Labels every field that holds a context.
pub(super) fn in_fields(scene: &InspectorContext<'_>, object: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    for field in phone.fields(object) {
        let Some(context) = field.value.object().filter(|&context| phone.is_a(context, CONTEXT)) else { continue };
        let (name, class) = (&field.name, phone.class_name(context));
        let label = format!("{name} instance of {class}");
        let component = component_of(phone, context);
        to.label(match component {
            None => label,
            Some(component) if phone.is_a(component, ACTIVITY) => {
                let destroyed = is_destroyed(phone, component).map_or("UNKNOWN".to_owned(), |is| is.to_string());
                if component == context {
                    format!("{label} with mDestroyed = {destroyed}")
                } else {
                    let activity = phone.class_name(component);
                    format!("{label}, wrapping activity {activity} with mDestroyed = {destroyed}")
                }
            }
            Some(component) if component == context => label,
            Some(component) => format!("{label}, wrapping {}", phone.class_name(component)),
        });
    }
}

/// A wrapper that is neither activity nor application nor service.
pub(super) fn wrapper(scene: &InspectorContext<'_>, wrapper: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if nearest(phone, phone.heap.class_id(wrapper), &COMPONENTS) != Some(WRAPPER) {
        return;
    }
    let simple = scene.simple(wrapper);
    match component_of(phone, wrapper) {
        Some(component) if phone.is_a(component, ACTIVITY) => match is_destroyed(phone, component) {
            Some(true) => to.is_leaking(format!("{simple} wraps an Activity with Activity.mDestroyed true")),
            // It may have a shorter life than the activity.
            Some(false) => to.label(format!("{simple} wraps an Activity with Activity.mDestroyed false")),
            None => {}
        },
        Some(component) if phone.is_a(component, APPLICATION) => {
            to.label(format!("{simple} wraps an Application context"));
        }
        Some(_) => to.label(format!("{simple} wraps a Service context")),
        None => to.label(format!("{simple} does not wrap a known Android context")),
    }
}

/// Shark's table has `android.app.ApplicationContextManager`, a class that does not exist.
pub(super) fn package_manager(scene: &InspectorContext<'_>, manager: ObjectId, to: &mut Remarks) {
    if let Some(context) = scene.phone.object(manager, "android.app.ApplicationPackageManager", "mContext") {
        outer(scene, context, "ApplicationPackageManager.mContext", to);
    }
}

/// Component that a context was created for.
pub(super) fn outer(scene: &InspectorContext<'_>, context: ObjectId, prefix: &str, to: &mut Remarks) {
    let phone = scene.phone;
    let Some(outer) = phone.object(context, "android.app.ContextImpl", "mOuterContext") else { return };
    let label = format!("{prefix}.mOuterContext is an instance of {}", phone.class_name(outer));
    if phone.is_a(outer, ACTIVITY) {
        match is_destroyed(phone, outer) {
            Some(destroyed) => to.judge(destroyed, format!("{label} with Activity.mDestroyed {destroyed}")),
            None => to.label(label),
        }
    } else if phone.is_a(outer, APPLICATION) {
        to.is_fine(format!("{label} which extends android.app.Application"));
    } else if outer == context {
        to.label(format!("{prefix}.mOuterContext == ContextImpl.this: not tied to any particular lifecycle"));
    } else {
        to.label(label);
    }
}
