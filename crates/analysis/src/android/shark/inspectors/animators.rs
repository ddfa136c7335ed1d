//! Animators: listeners, target and state.

use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::{ObjectId, Value};

const OBJECT: &str = "android.animation.ObjectAnimator";
const VALUE: &str = "android.animation.ValueAnimator";

pub(super) fn listeners(scene: &InspectorContext<'_>, animator: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    match phone.field(animator, "android.animation.Animator", "mListeners") {
        Some(Value::Null) => to.label("mListeners = null"),
        Some(Value::Object(list)) => {
            let array =
                ["elementData", "array"].iter().find_map(|name| phone.object(list, "java.util.ArrayList", name));
            let Some(array) = array else { return };
            let all: Vec<ObjectId> = phone.elements(array).into_iter().filter_map(Value::object).collect();
            if all.is_empty() {
                to.label("mListeners is empty");
            }
            all.into_iter().for_each(|listener| to.label(format!("mListeners{}", phone.described(listener))));
        }
        _ => {}
    }
}

pub(super) fn object(scene: &InspectorContext<'_>, animator: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if let Some(name) = phone.text(animator, OBJECT, "mPropertyName") {
        to.label(format!("mPropertyName = {name}"));
    }
    match phone.field(animator, OBJECT, "mProperty") {
        Some(Value::Null) => to.label("mProperty = null"),
        Some(Value::Object(property)) => {
            if let Some(name) = phone.text(property, "android.util.Property", "mName") {
                to.label(format!("mProperty.mName = {name}"));
            }
            if let Some(class) = phone.object(property, "android.util.Property", "mType") {
                to.label(format!("mProperty.mType = {}", phone.class_name(class)));
            }
        }
        _ => {}
    }
    for name in ["mInitialized", "mStarted", "mRunning", "mAnimationEndRequested"] {
        if let Some(flag) = phone.flag(animator, VALUE, name) {
            to.label(format!("{name} = {flag}"));
        }
    }
    for name in ["mDuration", "mStartDelay", "mRepeatCount", "mRepeatMode"] {
        let Some(number) = phone.number(animator, VALUE, name) else { continue };
        let known = match (name, number) {
            ("mRepeatCount", -1) => Some("INFINITE"),
            ("mRepeatMode", 1) => Some("RESTART"),
            ("mRepeatMode", 2) => Some("REVERSE"),
            _ => None,
        };
        match known {
            Some(known) => to.label(format!("{name} = {known} ({number})")),
            None => to.label(format!("{name} = {number}")),
        }
    }
}
