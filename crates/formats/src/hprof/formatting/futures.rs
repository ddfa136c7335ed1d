//! Results of tasks: completed, failed, cancelled, or not completed.

use crate::hprof::peek::Fields;
use heaplens_heap::class_name::split_class;
use heaplens_heap::{ObjectId, Value};

const NOT_COMPLETED: &str = "not completed";

pub(super) fn completable(fields: Fields<'_>, depth: u32) -> Option<String> {
    let result = fields.get("result")?;
    let Some(object) = result.object() else { return Some(NOT_COMPLETED.to_owned()) };
    if fields.peek.class_name(object) != "java.util.concurrent.CompletableFuture$AltResult" {
        return Some(completed(fields, result, depth));
    }
    Some(match fields.peek.fields(object, "")?.object(&["ex"]) {
        Some(error) => failed(fields, error),
        None => completed(fields, Value::Null, depth),
    })
}

/// A `FutureTask`, by its state; since JDK 7.
pub(super) fn task(fields: Fields<'_>, depth: u32) -> Option<String> {
    let outcome = fields.get("outcome")?;
    Some(match (fields.integer("state")?, outcome) {
        (2, _) => completed(fields, outcome, depth),
        (3, Value::Object(error)) => failed(fields, error),
        (4..=6, _) => "cancelled".to_owned(),
        (0 | 1, _) => {
            let state = if fields.object(&["runner"]).is_some() { "running" } else { NOT_COMPLETED };
            match fields.get("callable")? {
                Value::Null => state.to_owned(),
                work => format!("{state}: {}", fields.peek.shown(work, depth)),
            }
        }
        _ => return None,
    })
}

fn completed(fields: Fields<'_>, value: Value, depth: u32) -> String {
    format!("completed: {}", fields.peek.shown(value, depth))
}

/// Class and message of an exception. That of a stage which depends on another wraps the one of the other.
fn failed(fields: Fields<'_>, error: ObjectId) -> String {
    let peek = fields.peek;
    let cause = |error| peek.fields(error, "java.lang.Throwable")?.object(&["cause"]);
    let is_wrapper = peek.class_name(error) == "java.util.concurrent.CompletionException";
    let error = Some(error).filter(|_| is_wrapper).and_then(cause).unwrap_or(error);
    let class = peek.class_name(error);
    if class == "java.util.concurrent.CancellationException" {
        return "cancelled".to_owned();
    }
    let (_, class) = split_class(class);
    match peek.fields(error, "java.lang.Throwable").and_then(|fields| fields.text(&["detailMessage"])) {
        Some(message) => format!("failed: {class}: {message}"),
        None => format!("failed: {class}"),
    }
}
