//! Gaps between objects, by size: a measure of heap fragmentation.

use super::rows::{Cell, Row, Rows};
use crate::TableContext;
use crate::dump::gaps::{find_gaps, gap_table};
use heaplens_base::{Bytes, Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let gaps = find_gaps(TableContext::of(dump), task)?;
    let row = |gap: &heaplens_analysis::gaps::Gap| {
        let all = Bytes(gap.bytes.0.saturating_mul(gap.count));
        let name = format!("{} bytes", gap.bytes.exact());
        let row = Row::words(0, name, vec![Cell::count(gap.count), Cell::bytes(all)]);
        Row { found_by: gap.bytes.0.to_string(), ..row }
    };
    let rows = gaps.rows.iter().map(row).collect();
    let overlaps = match gaps.overlaps {
        0 => String::new(),
        overlaps => {
            let overlaps = Count(overlaps);
            format!(" · {} {}", overlaps.of("object", "objects"), overlaps.word("overlaps", "overlap"))
        }
    };
    let summary = format!("{} · {}{overlaps}", Count(gaps.count).of("gap", "gaps"), gaps.bytes);
    Ok(Rows::new(gap_table(gaps), rows, summary))
}
