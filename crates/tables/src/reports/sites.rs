//! Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.

use crate::{RowTarget, Sites, TableContext};
use std::sync::Arc;

use super::rows::{Cell, Name, Row, Rows};
use heaplens_base::{Count, Task};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of listed classes of a site.
const LISTED: usize = 100;

/// Computes the rows.
pub fn rows(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
    let table = Sites::of(TableContext::of(dump), task)?;
    let mut rows = Vec::new();
    let mut tops = Vec::new();
    for (at, site) in table.found.rows.iter().enumerate() {
        task.checkpoint()?;
        if site.depth == 0 {
            tops.push(at as u32);
        }
        let depth = site.depth as usize;
        rows.push(Row {
            depth,
            name: Name::Words(site.frame.to_string()),
            found_by: site.frame.to_string(),
            cells: vec![Cell::Count(site.below.objects), Cell::Bytes(site.below.shallow)],
            leads: RowTarget::None,
        });
        rows.extend(site.classes.iter().take(LISTED).map(|&(class, totals)| {
            let name = &dump.heap.classes.get(class).name;
            Row {
                depth: depth + 1,
                name: Name::Class(name.clone()),
                found_by: name.to_string(),
                cells: vec![Cell::Count(totals.objects), Cell::Size(totals.shallow)],
                leads: RowTarget::Class(class),
            }
        }));
    }
    let (known, all) = (table.found.known, dump.analysis.shown);
    let summary = format!("allocation site known for {} of {} objects", Count(known.objects), Count(all.objects));
    Ok(Rows::new(Arc::new(table), rows, summary).at(tops))
}
