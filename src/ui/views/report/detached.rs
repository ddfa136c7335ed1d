//! DOM nodes that are not attached to a document, by class and retainer.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::javascript::JavaScriptQuery;
use heaplens_tables::reports::detached;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const DETACHED: Kind = Kind {
    name: "Detached nodes",
    columns: &[
        Column::words("Class", "Class of DOM nodes that are not attached to a document; below it its nodes", 220.0)
            .key("class"),
        Column::words("Retainer", "Nearest object on the path to the nodes that is not a detached node itself", 150.0)
            .fixed(5)
            .key("holder"),
        Column::numbers("Nodes", "Number of detached nodes", 84.0, 5).key("objects"),
        Column::numbers("Shallow size", "Total bytes of the nodes themselves", 104.0, 4).key("shallow_bytes"),
        Column::numbers("Retained size", "Bytes freed if all of these nodes were collected", 152.0, 8)
            .key("retained_bytes"),
    ],
    sorted: Some((4, true)),
    filter: "Filter by node or retainer",
    nothing: ("No detached nodes", "All DOM nodes are attached to a document"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Detached)),
    make: detached::rows,
};
