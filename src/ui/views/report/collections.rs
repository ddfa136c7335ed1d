//! Collections by class: number, fill ratio and unused capacity.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::collections as column;
use heaplens_tables::reports::collections;

/// The report.
pub const COLLECTIONS: Kind = Kind {
    name: "Collections",
    columns: &[
        Column::naming(column("class"), "Collection class", 200.0),
        Column::of(column("objects"), 86.0, 6),
        Column::of(column("elements"), 92.0, 5),
        Column::of(column("empty"), 78.0, 4),
        Column::of(column("sparse"), 78.0, 3)
            .about("Collections that use less than a quarter of their capacity, but are not empty"),
        Column::of(column("fill_ratio"), 78.0, 2),
        Column::of(column("shallow_bytes"), 152.0, 1),
        Column::of(column("wasted_bytes"), 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No collections", "The dump contains no collections of a known class"),
    subject: Some(TableKind::Collections),
    make: collections::rows,
};
