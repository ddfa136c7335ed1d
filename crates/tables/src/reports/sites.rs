//! Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.

use super::rows::{Cell, Row, Rows};
use crate::{Sites, TableContext};
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed classes of a site.
const LISTED: usize = 100;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = Sites::of(TableContext::of(dump), task)?;
    let mut rows = Vec::new();
    let mut tops = Vec::new();
    for (at, site) in table.tree.rows.iter().enumerate() {
        task.checkpoint()?;
        if site.depth == 0 {
            tops.push(at as u32);
        }
        let depth = site.depth as usize;
        let cells = vec![Cell::count(site.below.objects), Cell::bytes(site.below.shallow)];
        rows.push(Row::words(depth, &*site.frame, cells));
        rows.extend(site.classes.iter().take(LISTED).map(|&(class, totals)| {
            Row::class(dump, depth + 1, class, vec![Cell::count(totals.objects), Cell::minor(totals.shallow)])
        }));
    }
    let (known, all) = (table.tree.known, dump.analysis.shown);
    let summary = format!("allocation site known for {} of {} objects", Count(known.objects), Count(all.objects));
    Ok(Rows::new(table, rows, summary).at(tops))
}
