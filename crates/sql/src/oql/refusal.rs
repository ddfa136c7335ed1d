//! What OQL has and SQL has not: each form with what to write instead.

use super::ast::At;
use crate::error::QueryError;

/// A form that is not translated; `instead` is a sentence.
pub(super) fn refused(form: &str, at: At, instead: impl Into<String>) -> QueryError {
    QueryError::Wrong { message: format!("{form} has no translation"), position: Some(at), advice: instead.into() }
}

/// Words that begin queries of VisualVM, which are JavaScript.
const SCRIPT: [&str; 15] = [
    "heap",
    "map",
    "filter",
    "unique",
    "sort",
    "top",
    "concat",
    "contains",
    "livepaths",
    "reachables",
    "refers",
    "toArray",
    "toHtml",
    "roots",
    "forEachObject",
];

/// True for a function of VisualVM that is not translated.
pub(super) fn is_of_visualvm(function: &str) -> bool {
    SCRIPT.contains(&function) || matches!(function, "root" | "heap" | "forEachClass")
}

/// The error for a query in JavaScript, as VisualVM and jhat have them.
pub(super) fn visualvm(form: &str, at: At) -> QueryError {
    refused(
        &format!("{form} is JavaScript, as in VisualVM and jhat, and"),
        at,
        "Write SQL: SELECT id, class, retained_bytes FROM objects WHERE …, with count(*), sum(…), path(id), incoming(id), \
         outgoing(id) and reachable_from(id) for what JavaScript computes",
    )
}
