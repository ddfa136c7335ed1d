//! Objects with a pending finalizer, by class and state.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::finalizers;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const FINALIZERS: Kind = Kind {
    name: "Finalizers",
    columns: &[
        Column::words("Class", "Class with a finalizer; below it its objects", 250.0).key("class"),
        Column::words("State", "Finalizer running, waiting in the queue, or registered (object still alive)", 120.0)
            .fixed(7)
            .key("state"),
        Column::numbers("Objects", "Number of objects", 96.0, 6).key("objects"),
        Column::numbers(
            "Retained size",
            "Bytes freed if all of these objects were collected; each byte counted once",
            152.0,
            8,
        )
        .key("retained_bytes"),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No finalizers", "No object has a pending finalizer"),
    subject: Some(TableKind::Finalizers),
    make: finalizers::rows,
};
