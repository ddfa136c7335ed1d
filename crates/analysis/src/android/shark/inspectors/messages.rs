//! Queues of messages, receivers of broadcasts, binders.

use super::inspector_context::{InspectorContext, Remarks};
use heaplens_heap::{ObjectId, Value};

const QUEUE: &str = "android.os.MessageQueue";
const MESSAGE: &str = "android.os.Message";

pub(super) fn queue(scene: &InspectorContext<'_>, queue: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    // Misspelled up to Android 4.
    let quitting = phone.flag(queue, QUEUE, "mQuitting").or_else(|| phone.flag(queue, QUEUE, "mQuiting"));
    if let Some(quitting) = quitting {
        to.judge(quitting, format!("MessageQueue#mQuitting is {quitting}"));
    }
    let thread = || {
        let message = phone.object(queue, QUEUE, "mMessages")?;
        let handler = phone.object(message, MESSAGE, "target")?;
        let looper = phone.object(handler, "android.os.Handler", "mLooper")?;
        phone.contents.label(phone.heap, phone.object(looper, "android.os.Looper", "mThread")?)
    };
    if let Some(name) = thread() {
        to.label(format!("HandlerThread: \"{name}\""));
    }
}

pub(super) fn message(scene: &InspectorContext<'_>, message: ObjectId, to: &mut Remarks) {
    let phone = scene.phone;
    if let Some(what) = phone.number(message, MESSAGE, "what") {
        to.label(format!("Message.what = {what}"));
    }
    if let Some(when) = phone.number(message, MESSAGE, "when") {
        let away = scene.dumped_at.map(|dumped| when.saturating_sub(dumped)).map(|away| {
            let side = if away > 0 { "after" } else { "before" };
            format!(" ({} ms {side} heap dump)", away.unsigned_abs())
        });
        to.label(format!("Message.when = {when}{}", away.unwrap_or_default()));
    }
    for name in ["obj", "callback", "target"] {
        match phone.field(message, MESSAGE, name) {
            Some(Value::Unavailable) | None => {}
            Some(value) => to.label(format!("Message.{name} = {}", phone.written(value))),
        }
    }
}

/// Receivers never unregistered, by context.
pub(super) fn receivers(scene: &InspectorContext<'_>, apk: ObjectId, to: &mut Remarks) {
    const MAP: &str = "android.util.ArrayMap";
    let phone = scene.phone;
    let array = |map: ObjectId| phone.object(map, MAP, "mArray").map(|array| phone.elements(array)).unwrap_or_default();
    let Some(by_context) = phone.object(apk, "android.app.LoadedApk", "mReceivers") else { return };
    let pairs = array(by_context);
    let contexts: Vec<(ObjectId, Option<ObjectId>)> = (pairs.chunks(2))
        .filter_map(|pair| Some((pair.first()?.object()?, pair.get(1).and_then(|map| map.object()))))
        .collect();
    if contexts.is_empty() {
        return;
    }
    to.label("Receivers");
    for (context, receivers) in contexts {
        to.label(format!("..{}", phone.short(context)));
        for receiver in receivers.map(array).unwrap_or_default().iter().step_by(2).filter_map(|value| value.object()) {
            to.label(format!("....{}", phone.short(receiver)));
        }
    }
}

pub(super) fn binder(scene: &InspectorContext<'_>, binder: ObjectId, to: &mut Remarks) {
    let name = scene.simple(binder);
    to.label(format!(
        "{name} is a binder stub. Binder stubs will often be retained long after the associated activity or service is \
         destroyed, as by design stubs are retained until the other side gets GCed. If {name} is not a *static* inner \
         class then that's most likely the root cause of this leak. Make it static. If {name} is an Android Framework \
         class, file a ticket here: https://issuetracker.google.com/issues/new?component=192705"
    ));
}
