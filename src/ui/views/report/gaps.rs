//! Gaps between objects, by size: a measure of heap fragmentation.

use std::sync::Arc;

use super::Kind;
use super::rows::{Cell, Name, Row, Rows};
use crate::ui::widgets::table::Column;
use heaplens_base::task::Task;
use heaplens_base::units::{Bytes, Count};
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::Gaps;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::row_target::RowTarget;
use heaplens_tables::table_query::TableKind;

/// The report.
pub(super) const GAPS: Kind = Kind {
    name: "Gaps",
    columns: &[
        Column::words("Gap", "Size of the unused space between two neighbouring objects", 200.0),
        Column::numbers("Gaps", "Number of gaps of this size", 96.0, 6),
        Column::numbers("Bytes", "Total bytes of these gaps", 152.0, 8),
    ],
    sorted: Some((0, true)),
    filter: "Filter by size",
    nothing: ("No gaps", "Each object begins where the previous one ends"),
    keys: &["gap_bytes", "count", ""],
    subject: Some(TableKind::Gaps),
    make,
};

fn make(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = Gaps::of(TableContext::of(dump), task)?;
    let found = &table.0;
    let row = |gap: &heaplens_analysis::gaps::Gap| {
        let all = Bytes(gap.bytes.0.saturating_mul(gap.count));
        Row {
            depth: 0,
            name: Name::Words(format!("{} bytes", gap.bytes.exact())),
            found_by: gap.bytes.0.to_string(),
            cells: vec![Cell::Count(gap.count), Cell::Bytes(all)],
            leads: RowTarget::Nowhere,
        }
    };
    let rows = found.rows.iter().map(row).collect();
    let overlaps = match found.overlaps {
        0 => String::new(),
        overlaps => {
            let overlaps = Count(overlaps);
            format!(" · {} {}", overlaps.of("object", "objects"), overlaps.word("overlaps", "overlap"))
        }
    };
    let summary = format!("{}, {}{overlaps}", Count(found.count).of("gap", "gaps"), found.bytes);
    Ok(Rows::new(Arc::new(table), rows, summary))
}
