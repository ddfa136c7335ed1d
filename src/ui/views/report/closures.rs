//! Functions by source position; below each the variables it captures, and its closures.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::javascript::JavaScriptQuery;
use heaplens_tables::reports::closures;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const CLOSURES: Kind = Kind {
    name: "Closures",
    columns: &[
        Column::words(
            "Function",
            "Function and its source location; below it the variables it captures and its closures",
            260.0,
        )
        .key("function"),
        Column::numbers("Closures", "Number of closures of the function", 92.0, 5).key("closures"),
        Column::numbers(
            "Captured",
            "Retained size of the contexts that contain the captured variables, each byte counted once",
            104.0,
            6,
        )
        .key("captured_bytes"),
        Column::numbers("Retained size", "Bytes freed if all closures of the function were collected", 152.0, 8)
            .key("retained_bytes"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by function, script or variable",
    nothing: ("No functions", "The snapshot contains no functions with source locations"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Closures)),
    make: closures::rows,
};
