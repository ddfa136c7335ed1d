//! Wasted memory by kind, with the objects that waste the most.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::waste;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const WASTE: Kind = Kind {
    name: "Waste",
    columns: &[
        Column::words("Kind", "Kind of waste; below it the objects that waste the most", 260.0).key("kind"),
        Column::numbers("Objects", "Number of objects with waste or that are duplicates", 104.0, 6).key("objects"),
        Column::numbers("Wasted", "Bytes saved if this waste were removed", 152.0, 8).key("wasted_bytes"),
    ],
    sorted: Some((2, true)),
    filter: "Filter by kind or class",
    nothing: ("No waste", "No duplicate strings, sparse collections or other known kinds of waste found"),
    subject: Some(TableKind::Waste),
    make: waste::rows,
};
