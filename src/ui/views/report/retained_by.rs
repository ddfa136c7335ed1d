//! Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
//! side by side, with the objects of each by class.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::retained_by as column;
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::reports::retained_by;

/// The report.
pub const KEPT_BY: Kind = Kind {
    name: "Retained by",
    columns: &[
        Column::naming(
            column("by"),
            "Kind of retainer; below it, by class, the objects that only this kind retains",
            250.0,
        ),
        Column::of(column("objects"), 96.0, 6).about("Number of objects retained only by this kind of retainer"),
        Column::of(column("shallow_bytes"), 152.0, 8),
        Column::numbers("Retained size", "", 104.0, 4),
        Column::of(column("keepers"), 88.0, 5),
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
