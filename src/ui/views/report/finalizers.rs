//! Objects with a pending finalizer, by class and state.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::finalizers;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const FINALIZERS: Kind = Kind {
    name: "Finalizers",
    columns: &[
        Column::words("Class", "Class with a finalizer; below it its objects", 250.0),
        Column::words("State", "Finalizer running, waiting in the queue, or registered (object still alive)", 120.0)
            .fixed(7),
        Column::numbers("Objects", "Number of objects", 96.0, 6),
        Column::numbers(
            "Retained size",
            "Bytes freed if all of these objects were collected; each byte counted once",
            152.0,
            8,
        ),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No finalizers", "No object has a pending finalizer"),
    keys: &["class", "state", "objects", "retained_bytes"],
    subject: Some(TableKind::Finalizers),
    make: finalizers::rows,
};
