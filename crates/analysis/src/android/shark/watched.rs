//! Objects watched by LeakCanary: the application has finished with them.

use crate::android::android_heap::{AndroidHeap, number};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, Value};

/// LeakCanary's weak references: current class, and that of its first version.
const CLASSES: [&str; 2] = ["leakcanary.KeyedWeakReference", "com.squareup.leakcanary.KeyedWeakReference"];

/// A watched object that was not collected in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WatchedObject {
    pub(super) object: ObjectId,
    pub(super) key: Option<String>,
    pub(super) description: Option<String>,
    pub(super) since_millis: Option<i64>,
    pub(super) retained_millis: Option<i64>,
}

/// Device uptime in milliseconds at the time of the dump.
pub(super) fn dumped_at(phone: &AndroidHeap<'_>) -> Option<i64> {
    CLASSES.iter().find_map(|class| number(phone.static_field(class, "heapDumpUptimeMillis")?))
}

/// All watched objects that were not collected in time.
pub(super) fn watched(phone: &AndroidHeap<'_>, task: &Task) -> Result<Vec<WatchedObject>, Cancelled> {
    let now = dumped_at(phone);
    let mut watched = Vec::new();
    for weak in phone.instances(&CLASSES, task)? {
        let Some(object) = phone.any_field(weak, "referent").and_then(Value::object) else { continue };
        let millis = |name: &str| phone.any_field(weak, name).and_then(number);
        let text = |name: &str| phone.text_of(phone.any_field(weak, name)?.object()?);
        // Its first version has no times: watched objects survived a garbage collection.
        let retained = millis("retainedUptimeMillis");
        if retained == Some(-1) {
            continue;
        }
        let since = |then: Option<i64>| Some(now?.saturating_sub(then?));
        watched.push(WatchedObject {
            object,
            key: text("key"),
            description: text("description").or_else(|| text("name")),
            since_millis: since(millis("watchUptimeMillis")),
            retained_millis: since(retained),
        });
    }
    Ok(watched)
}
