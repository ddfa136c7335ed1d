//! Objects with a pending finalizer, by class and state.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::finalizers as column;
use heaplens_tables::reports::finalizers;

/// The report.
pub const FINALIZERS: Kind = Kind {
    name: "Finalizers",
    columns: &[
        Column::naming(column("class"), "Class with a finalizer; below it its objects", 250.0),
        Column::of(column("state"), 120.0, 7)
            .about("Finalizer running, waiting in the queue, or registered (object still alive)"),
        Column::of(column("objects"), 96.0, 6),
        Column::of(column("retained_bytes"), 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No finalizers", "No object has a pending finalizer"),
    subject: Some(TableKind::Finalizers),
    make: finalizers::rows,
};
