//! Mortar, coordinators, Compose, coroutines, media players.

use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::{ObjectId, Value};

pub(super) fn presenter(scene: &InspectorContext<'_>, presenter: ObjectId, to: &mut Remarks) {
    let is_null = scene.phone.is_null(presenter, "mortar.Presenter", "view");
    to.label_either(is_null, "Presenter#view is null", "Presenter#view is not null");
}

pub(super) fn scope(scene: &InspectorContext<'_>, scope: ObjectId, to: &mut Remarks) {
    const SCOPE: &str = "mortar.MortarScope";
    if let Some(dead) = scene.phone.flag(scope, SCOPE, "dead") {
        let name = scene.phone.text(scope, SCOPE, "name");
        let name = name.map_or(String::new(), |name| format!(" for scope {name}"));
        to.judge(dead, format!("mortar.MortarScope.dead is {dead}{name}"));
    }
}

pub(super) fn coordinator(scene: &InspectorContext<'_>, coordinator: ObjectId, to: &mut Remarks) {
    if let Some(attached) = scene.phone.flag(coordinator, "com.squareup.coordinators.Coordinator", "attached") {
        to.label(format!("Coordinator#attached is {attached}"));
    }
}

pub(super) fn recomposer(scene: &InspectorContext<'_>, recomposer: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    let within = |object: ObjectId| {
        ["_state", "_state$volatile"].iter().find_map(|name| phone.any_field(object, name)).and_then(Value::object)
    };
    let Some(state) = within(recomposer).and_then(within).and_then(|state| phone.constant(state)) else { return };
    let label = format!("Recomposer is in state {state}");
    match &*state {
        "ShutDown" | "ShuttingDown" => to.is_leaking(label),
        "PendingWork" | "Idle" => to.is_fine(label),
        _ => to.label(label),
    }
}

pub(super) fn composition(scene: &InspectorContext<'_>, composition: ObjectId, to: &mut Remarks) {
    const COMPOSITION: &str = "androidx.compose.runtime.CompositionImpl";
    let phone = scene.phone;
    let disposed = phone.flag(composition, COMPOSITION, "disposed");
    to.judge_either(disposed, "Composition disposed", "Composition not disposed");
    match phone.number(composition, COMPOSITION, "state") {
        Some(0) => to.is_fine("Composition running"),
        Some(1) => to.label("Composition deactivated"),
        Some(2) => to.label("Composition inconsistent"),
        Some(3) => to.is_leaking("Composition disposed"),
        _ => {}
    }
}

/// State of a coroutine; after completion it is the result.
pub(super) fn job(scene: &InspectorContext<'_>, job: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    let state =
        ["_state", "_state$volatile"].iter().find_map(|name| phone.object(job, "kotlinx.coroutines.JobSupport", name));
    let Some(state) = state else { return };
    let is = |class: &str| phone.is_a(state, class);
    let is_cancelling =
        || phone.any_field(state, "_rootCause").or_else(|| phone.any_field(state, "_rootCause$volatile"));
    to.label(if is("kotlinx.coroutines.CompletedExceptionally") {
        "Job is cancelled or failed"
    } else if is("kotlinx.coroutines.JobSupport$Finishing") {
        if is_cancelling().and_then(Value::object).is_some() { "Job is cancelling" } else { "Job is completing" }
    } else if is("kotlinx.coroutines.Empty") || is("kotlinx.coroutines.JobNode") || is("kotlinx.coroutines.NodeList") {
        "Job is active"
    } else {
        return;
    });
}

pub(super) fn player(scene: &InspectorContext<'_>, player: ObjectId, to: &mut Remarks) {
    // Release clears the pointer to the native player.
    let native = scene.phone.number(player, "android.media.MediaPlayer", "mNativeContext");
    to.label_either(native.map(|native| native == 0), "MediaPlayer is released", "MediaPlayer is not released");
}
