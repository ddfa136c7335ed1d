//! DOM nodes that are not attached to a document, by class and retainer.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::detached as column;
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::reports::detached;

/// The report.
pub const DETACHED: Kind = Kind {
    name: "Detached nodes",
    columns: &[
        Column::naming(
            column("class"),
            "Class of DOM nodes that are not attached to a document; below it its nodes",
            220.0,
        ),
        Column::of(column("holder"), 150.0, 5),
        Column::of(column("objects"), 84.0, 5).about("Number of detached nodes").titled("Nodes"),
        Column::of(column("shallow_bytes"), 104.0, 4),
        Column::of(column("retained_bytes"), 152.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by node or retainer",
    nothing: ("No detached nodes", "All DOM nodes are attached to a document"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Detached)),
    make: detached::rows,
};
