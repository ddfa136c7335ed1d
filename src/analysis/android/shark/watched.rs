//! What LeakCanary watches: objects that the application said it is done with.

use crate::analysis::android::phone::{Phone, number};
use crate::heap::contents::Value;
use crate::heap::ids::ObjectId;
use crate::task::{Cancelled, Task};

/// Weak references of LeakCanary: today's, and that of its first version.
const CLASSES: [&str; 2] = ["leakcanary.KeyedWeakReference", "com.squareup.leakcanary.KeyedWeakReference"];

/// An object that should have been gone for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Watched {
    pub(super) object: ObjectId,
    pub(super) key: Option<String>,
    pub(super) description: Option<String>,
    pub(super) since_millis: Option<i64>,
    pub(super) retained_millis: Option<i64>,
}

/// Milliseconds since the device was started, when the dump was taken.
pub(super) fn dumped_at(phone: &Phone<'_>) -> Option<i64> {
    CLASSES.iter().find_map(|class| number(phone.static_field(class, "heapDumpUptimeMillis")?))
}

/// All objects that LeakCanary watches and that did not go in time.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub(super) fn watched(phone: &Phone<'_>, task: &Task) -> Result<Vec<Watched>, Cancelled> {
    let now = dumped_at(phone);
    let mut watched = Vec::new();
    for weak in phone.instances(&CLASSES, task)? {
        let Some(object) = phone.any_field(weak, "referent").and_then(Value::object) else { continue };
        let millis = |name: &str| phone.any_field(weak, name).and_then(number);
        let text = |name: &str| phone.text_of(phone.any_field(weak, name)?.object()?);
        // Its first version knew no times: what it watches was not gone after a collection.
        let retained = millis("retainedUptimeMillis");
        if retained == Some(-1) {
            continue;
        }
        let since = |then: Option<i64>| Some(now?.saturating_sub(then?));
        watched.push(Watched {
            object,
            key: text("key"),
            description: text("description").or_else(|| text("name")),
            since_millis: since(millis("watchUptimeMillis")),
            retained_millis: since(retained),
        });
    }
    Ok(watched)
}
