//! State of locks and of other objects that threads wait for.

use crate::hprof::peek::Fields;

/// State of a synchronizer: the number of permits, of times that it is locked, of events to come.
fn state(fields: Fields<'_>) -> Option<i64> {
    fields.inside(&["sync"])?.integer("state")
}

/// Thread that has a `ReentrantLock`.
pub(super) fn lock(fields: Fields<'_>) -> Option<String> {
    let owner = fields.inside(&["sync"])?.object(&["exclusiveOwnerThread"]);
    if state(fields)? == 0 {
        return Some("unlocked".to_owned());
    }
    let name = owner.and_then(|owner| fields.peek.fields(owner, "java.lang.Thread")?.text(&["name"]));
    Some(name.map_or_else(|| "locked".to_owned(), |name| format!("locked by {name:?}")))
}

pub(super) fn semaphore(fields: Fields<'_>) -> Option<String> {
    state(fields).map(|permits| format!("{permits} permits"))
}

pub(super) fn latch(fields: Fields<'_>) -> Option<String> {
    state(fields).map(|count| format!("count {count}"))
}
