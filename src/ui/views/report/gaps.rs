//! Gaps between objects, by size: a measure of heap fragmentation.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::gaps as column;
use heaplens_tables::reports::gaps;

/// The report.
pub const GAPS: Kind = Kind {
    name: "Gaps",
    columns: &[
        Column::naming(column("gap_bytes"), "Size of the unused space between two neighbouring objects", 200.0),
        Column::of(column("count"), 96.0, 6),
        Column::numbers("Bytes", "Total bytes of these gaps", 152.0, 8),
    ],
    sorted: Some((0, true)),
    filter: "Filter by size",
    nothing: ("No gaps", "Each object begins where the previous one ends"),
    subject: Some(TableKind::Gaps),
    make: gaps::rows,
};
