//! Fragments and lifecycles. States are enum constants, identified by the
//! static field that holds them, so they are known in dumps without strings.

use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::ObjectId;

const ANDROIDX: &str = "androidx.fragment.app.Fragment";

/// A fragment of the framework or of the support library, by the class that declares its manager.
pub(super) fn by_manager(scene: &InspectorContext<'_>, fragment: ObjectId, class: &str, to: &mut Remarks) {
    let is_null = scene.phone.is_null(fragment, class, "mFragmentManager");
    to.judge_either(is_null, "Fragment#mFragmentManager is null", "Fragment#mFragmentManager is not null");
    if let Some(tag) = scene.phone.text(fragment, class, "mTag").filter(|tag| !tag.is_empty()) {
        to.label(format!("Fragment.mTag={tag}"));
    }
}

/// The state of a lifecycle; its field was renamed.
fn state(scene: &InspectorContext<'_>, registry: ObjectId) -> Option<String> {
    let field = ["state", "mState"]
        .iter()
        .find_map(|name| scene.phone.object(registry, "androidx.lifecycle.LifecycleRegistry", name));
    scene.phone.constant(field?)
}

pub(super) fn of_androidx(scene: &InspectorContext<'_>, fragment: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if phone.is_null(fragment, ANDROIDX, "mLifecycleRegistry") == Some(true) {
        to.label("Fragment.mLifecycleRegistry = null");
    }
    let registry = phone.object(fragment, ANDROIDX, "mLifecycleRegistry");
    if let Some(state) = registry.and_then(|registry| state(scene, registry)) {
        let label = format!("Fragment.mLifecycleRegistry.state is {state}");
        // From 1.1 on a destroyed fragment is reset to its initial state.
        let is_reset = phone.field(fragment, ANDROIDX, "mMaxState").is_some() && state == "INITIALIZED";
        let has_manager = phone.is_null(fragment, ANDROIDX, "mFragmentManager").map(|is_null| !is_null);
        let was_called = phone.flag(fragment, ANDROIDX, "mCalled");
        match (is_reset, has_manager, was_called) {
            _ if state == "DESTROYED" => to.is_leaking(label),
            (false, ..) => to.is_fine(label),
            (true, Some(true), _) => to.is_fine(format!("{label} and Fragment.mFragmentManager is set")),
            (true, Some(false), Some(true)) => to.is_leaking(
                "Fragment.mLifecycleRegistry.state was reset to INITIALIZED by Fragment#initState() after \
                 Fragment#onDestroy()",
            ),
            (true, Some(false), Some(false)) => to.is_fine(format!("{label} and the fragment was never attached")),
            _ => {}
        }
    }
    if let Some(tag) = phone.text(fragment, ANDROIDX, "mTag").filter(|tag| !tag.is_empty()) {
        to.label(format!("Fragment.mTag = {tag}"));
    }
}

/// Bindings of destroyed views: the fragment should have cleared their fields in `onDestroyView`. A dump
/// records no interfaces, so generated classes are identified by their name.
pub(super) fn bindings(scene: &InspectorContext<'_>, fragment: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if phone.is_null(fragment, ANDROIDX, "mView") != Some(true) {
        return;
    }
    for field in phone.fields(fragment) {
        let Some(binding) = field.value.object() else { continue };
        let class = phone.simple_name(binding);
        if class.ends_with("Binding") && phone.any_field(binding, "rootView").is_some() {
            to.label(format!("{} references {class} although Fragment.mView is null", field.name));
        }
    }
}

pub(super) fn lifecycle(scene: &InspectorContext<'_>, registry: ObjectId, to: &mut Remarks) {
    let Some(state) = state(scene, registry) else { return };
    let label = format!("state is {state}");
    // A fragment references the registry of its view.
    if state == "DESTROYED" {
        to.label(label);
    } else {
        to.is_fine(label);
    }
}

/// A cleared view model belongs to a destroyed screen.
pub(super) fn view_model(scene: &InspectorContext<'_>, model: ObjectId, to: &mut Remarks) {
    const MODEL: &str = "androidx.lifecycle.ViewModel";
    let phone = scene.phone;
    let of_impl = || {
        let inner = phone.object(model, MODEL, "impl")?;
        phone.flag(inner, "androidx.lifecycle.viewmodel.internal.ViewModelImpl", "isCleared")
    };
    match phone.flag(model, MODEL, "mCleared").or_else(of_impl) {
        Some(true) => to.is_leaking("ViewModel is cleared"),
        Some(false) => to.label("ViewModel is not cleared"),
        None => {}
    }
}
