//! Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
//! side by side, with the objects of each by class.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::javascript::JavaScriptQuery;
use heaplens_tables::reports::retained_by;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const KEPT_BY: Kind = Kind {
    name: "Retained by",
    columns: &[
        Column::words(
            "Retained by",
            "Kind of retainer; below it, by class, the objects that only this kind retains",
            250.0,
        )
        .key("by"),
        Column::numbers("Objects", "Number of objects retained only by this kind of retainer", 96.0, 6).key("objects"),
        Column::numbers("Shallow size", "Total bytes of these objects themselves", 152.0, 8).key("shallow_bytes"),
        Column::numbers("Retained size", "", 104.0, 4),
        Column::numbers(
            "Retainers",
            "Number of detached nodes, contexts, console references or event listeners of this kind",
            88.0,
            5,
        )
        .key("keepers"),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class",
    nothing: (
        "No such objects",
        "Detached DOM nodes, closure contexts, the console and event listeners exist only in V8 snapshots",
    ),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::RetainedBy)),
    make: retained_by::rows,
};
