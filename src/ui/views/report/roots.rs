//! GC roots by kind, with the largest of each kind below it.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::roots as column;
use heaplens_tables::reports::roots;

/// The report.
pub const ROOTS: Kind = Kind {
    name: "GC roots",
    columns: &[
        Column::naming(
            column("kind"),
            "Kind of GC root (thread, static field, JNI handle, …); below it the roots with the largest retained size",
            260.0,
        )
        .titled("Type"),
        Column::of(column("count"), 96.0, 6),
        Column::of(column("retained_bytes"), 152.0, 8)
            .about("Bytes freed if all roots of this type were removed; each byte counted once"),
    ],
    sorted: Some((2, true)),
    filter: "Filter by type or class",
    nothing: (
        "No GC roots",
        "Without GC roots, reachability is unknown. The dump may be truncated; take or copy it again",
    ),
    subject: Some(TableKind::Roots),
    make: roots::rows,
};
