//! Wasted memory by kind, with the objects that waste the most.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::waste as column;
use heaplens_tables::reports::waste;

/// The report.
pub const WASTE: Kind = Kind {
    name: "Waste",
    columns: &[
        Column::naming(column("kind"), "Kind of waste; below it the objects that waste the most", 260.0),
        Column::of(column("objects"), 104.0, 6),
        Column::of(column("wasted_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by kind or class",
    nothing: ("No waste", "No duplicate strings, sparse collections or other known kinds of waste found"),
    subject: Some(TableKind::Waste),
    make: waste::rows,
};
