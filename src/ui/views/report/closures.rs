//! Functions by source position; below each the variables it captures, and its closures.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::closures as column;
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::reports::closures;

/// The report.
pub const CLOSURES: Kind = Kind {
    name: "Closures",
    columns: &[
        Column::naming(
            column("function"),
            "Function and its source location; below it the variables it captures and its closures",
            260.0,
        ),
        Column::of(column("closures"), 92.0, 5),
        Column::of(column("captured_bytes"), 104.0, 6),
        Column::of(column("retained_bytes"), 152.0, 8)
            .about("Bytes freed if all closures of the function were collected"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by function, script or variable",
    nothing: ("No functions", "The snapshot contains no functions with source locations"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Closures)),
    make: closures::rows,
};
