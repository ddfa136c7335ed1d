//! Views, windows, dialogs, toasts.

use super::contexts::{activity_of, is_destroyed};
use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::{ObjectId, Value};

const VIEW: &str = "android.view.View";
const DECOR: &str = "com.android.internal.policy.DecorView";
/// `WindowManager.LayoutParams.TYPE_TOAST`
const TOAST: i64 = 2005;
/// `View.NO_ID`
const NO_ID: i64 = -1;

/// Topmost view above a view, if another, and whether the hierarchy is in a window.
struct ViewRoot {
    top: Option<ObjectId>,
    is_in_window: bool,
}

fn above(scene: &InspectorContext<'_>, view: ObjectId) -> ViewRoot {
    let phone = scene.phone;
    let (mut top, mut parent) = (None, phone.object(view, VIEW, "mParent"));
    // A damaged dump may contain a cycle of views.
    for _ in 0..10_000 {
        match parent.filter(|&parent| phone.is_a(parent, VIEW)) {
            Some(view) => {
                top = Some(view);
                parent = phone.object(view, VIEW, "mParent");
            }
            None => break,
        }
    }
    let is_in_window = parent.is_some() || top.is_some_and(|top| phone.class_name(top) == DECOR);
    ViewRoot { top, is_in_window }
}

fn has_destroyed_context(scene: &InspectorContext<'_>, view: ObjectId) -> bool {
    let context = scene.phone.object(view, VIEW, "mContext");
    context.and_then(|context| activity_of(scene.phone, context)).and_then(|a| is_destroyed(scene.phone, a))
        == Some(true)
}

pub(super) fn view(scene: &InspectorContext<'_>, view: ObjectId, to: &mut Remarks) {
    look(scene, view, "", to);
}

fn look(scene: &InspectorContext<'_>, view: ObjectId, prefix: &str, to: &mut Remarks) {
    let phone = scene.phone;
    let ViewRoot { top, is_in_window } = above(scene, view);
    let attached = phone.number(view, VIEW, "mWindowAttachCount");
    let is_detached = phone.is_null(view, VIEW, "mAttachInfo");
    if has_destroyed_context(scene, view) {
        to.is_leaking(format!("{prefix}View.mContext references a destroyed activity"));
    } else if is_in_window && attached.is_some_and(|times| times > 0) {
        let of_top = top.filter(|&top| phone.is_null(top, VIEW, "mAttachInfo") == Some(true));
        match (is_detached, of_top) {
            (Some(true), _) => to.is_leaking(format!("{prefix}View detached yet still part of window view hierarchy")),
            (Some(false), Some(top)) => {
                let class = phone.class_name(top);
                to.is_leaking(format!("{prefix}View attached but root view {class} detached (attach disorder)"));
            }
            (Some(false), None) => to.is_fine(format!("{prefix}View attached")),
            (None, _) => {}
        }
    }
    let part = if is_in_window {
        "View is part of a window view hierarchy"
    } else {
        "View not part of a window view hierarchy"
    };
    to.label(format!("{prefix}{part}"));
    if let Some(is_detached) = is_detached {
        let info = if is_detached { "is null (view detached)" } else { "is not null (view attached)" };
        to.label(format!("{prefix}View.mAttachInfo {info}"));
    }
    let number = phone.number(view, VIEW, "mID").filter(|&number| number != NO_ID);
    if let Some(name) = number.and_then(|number| scene.resources.get(&number)) {
        to.label(format!("{prefix}View.mID = R.id.{name}"));
    }
    if let Some(times) = attached {
        to.label(format!("{prefix}View.mWindowAttachCount = {times}"));
    }
}

/// Only the topmost view of a hierarchy is reported: the others are below it.
pub(super) fn is_lost_root(scene: &InspectorContext<'_>, view: ObjectId) -> bool {
    let phone = scene.phone;
    let parent = match phone.field(view, VIEW, "mParent") {
        Some(parent) => parent.object(),
        None => return false,
    };
    if parent.is_some_and(|parent| phone.is_a(parent, VIEW)) {
        return false;
    }
    let was_attached = || phone.number(view, VIEW, "mWindowAttachCount").is_some_and(|times| times > 0);
    let is_detached = || phone.is_null(view, VIEW, "mAttachInfo") == Some(true);
    // A view without a parent may be cached for reuse; one of a window is not.
    let is_of_window = parent.is_some() || phone.class_name(view) == DECOR;
    has_destroyed_context(scene, view) || is_of_window && is_detached() && was_attached()
}

pub(super) fn editor(scene: &InspectorContext<'_>, editor: ObjectId, to: &mut Remarks) {
    if let Some(view) = scene.phone.object(editor, "android.widget.Editor", "mTextView") {
        look(scene, view, "Editor#mTextView: ", to);
    }
}

pub(super) fn edits_lost_root(scene: &InspectorContext<'_>, editor: ObjectId) -> bool {
    let view = scene.phone.object(editor, "android.widget.Editor", "mTextView");
    view.is_some_and(|view| is_lost_root(scene, view))
}

pub(super) fn dialog(scene: &InspectorContext<'_>, dialog: ObjectId, to: &mut Remarks) {
    if let Some(is_null) = scene.phone.is_null(dialog, "android.app.Dialog", "mDecor") {
        to.label(format!("Dialog#mDecor is {}", null(is_null)));
    }
}

/// A dialog of a destroyed activity: Android itself logs a leaked window.
pub(super) fn shown_too_long(scene: &InspectorContext<'_>, dialog: ObjectId, to: &mut Remarks) {
    const DIALOG: &str = "android.app.Dialog";
    let phone = scene.phone;
    let activity = phone.object(dialog, DIALOG, "mContext").and_then(|context| activity_of(phone, context));
    let is_gone = activity.and_then(|activity| is_destroyed(phone, activity)) == Some(true);
    if is_gone && phone.flag(dialog, DIALOG, "mShowing") == Some(true) {
        to.label("Dialog is showing although its activity is destroyed");
    }
}

/// A destroyed web view.
pub(super) fn web_view(scene: &InspectorContext<'_>, view: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    let within = |object: ObjectId, name: &str| phone.any_field(object, name).and_then(Value::object);
    let contents = within(view, "mProvider").and_then(|provider| within(provider, "mAwContents"));
    match contents.and_then(|contents| phone.any_field(contents, "mIsDestroyed")) {
        Some(Value::Bool(true)) => to.label("WebView is destroyed"),
        Some(Value::Bool(false)) => to.label("WebView is not destroyed"),
        _ => {}
    }
}

/// Observers of an adapter: the lists that show it.
pub(super) fn adapter(scene: &InspectorContext<'_>, adapter: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    let within = |object: ObjectId, name: &str| phone.any_field(object, name).and_then(Value::object);
    let list = within(adapter, "mObservable").and_then(|observable| within(observable, "mObservers"));
    match list.and_then(|list| phone.number(list, "java.util.ArrayList", "size")) {
        Some(0) => to.label("Adapter has no observers"),
        Some(1) => to.label("Adapter has 1 observer"),
        Some(many) => to.label(format!("Adapter has {many} observers")),
        None => {}
    }
}

fn null(is_null: bool) -> &'static str {
    if is_null { "null" } else { "not null" }
}

/// The root of a window's views.
pub(super) fn root(scene: &InspectorContext<'_>, root: ObjectId, to: &mut Remarks) {
    const ROOT: &str = "android.view.ViewRootImpl";
    const PARAMS: &str = "android.view.WindowManager$LayoutParams";
    let phone = scene.phone;
    match phone.is_null(root, ROOT, "mView") {
        Some(true) => to.is_leaking("ViewRootImpl#mView is null"),
        Some(false) => {
            to.label("ViewRootImpl#mView is not null");
            // Up to Android 6 it has no own context.
            let context = phone.object(root, ROOT, "mContext").and_then(|context| activity_of(phone, context));
            if context.and_then(|activity| is_destroyed(phone, activity)) == Some(true) {
                to.is_leaking(
                    "ViewRootImpl.mContext references a destroyed activity, did you forget to cancel toasts or dismiss \
                     dialogs?",
                );
            }
        }
        None => {}
    }
    let Some(attributes) = phone.object(root, ROOT, "mWindowAttributes") else { return };
    match phone.field(attributes, PARAMS, "mTitle").map(Value::object) {
        Some(Some(title)) => {
            if let Some(title) = phone.text_of(title) {
                to.label(format!("mWindowAttributes.mTitle = \"{title}\""));
            }
        }
        Some(None) => to.label("mWindowAttributes.mTitle is null"),
        None => {}
    }
    if let Some(kind) = phone.number(attributes, PARAMS, "type") {
        let known = if kind == TOAST { " (Toast)" } else { "" };
        to.label(format!("mWindowAttributes.type = {kind}{known}"));
    }
}

pub(super) fn window(scene: &InspectorContext<'_>, window: ObjectId, to: &mut Remarks) {
    match scene.phone.flag(window, "android.view.Window", "mDestroyed") {
        Some(true) => to.is_leaking("Window#mDestroyed is true"),
        // It may have been removed nevertheless.
        Some(false) => to.label("Window#mDestroyed is false"),
        None => {}
    }
}

pub(super) fn toast(scene: &InspectorContext<'_>, toast: ObjectId, to: &mut Remarks) {
    const INNER: &str = "android.widget.Toast$TN";
    let phone = scene.phone;
    let Some(inner) = phone.object(toast, "android.widget.Toast", "mTN") else { return };
    // It has no window manager before it is shown.
    if phone.is_null(inner, INNER, "mWM") != Some(false) {
        return;
    }
    to.judge_either(
        phone.is_null(inner, INNER, "mView"),
        "This toast is done showing (Toast.mTN.mWM != null && Toast.mTN.mView == null)",
        "This toast is showing (Toast.mTN.mWM != null && Toast.mTN.mView != null)",
    );
}
