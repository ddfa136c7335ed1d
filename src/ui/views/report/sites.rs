//! Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.

use std::sync::Arc;

use super::Kind;
use super::rows::{Cell, Name, Row, Rows};
use crate::ui::widgets::table::Column;
use heaplens_base::task::Task;
use heaplens_base::units::Count;
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::Sites;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::row_target::RowTarget;
use heaplens_tables::table_query::TableKind;

/// Maximum number of listed classes of a site.
const LISTED: usize = 100;

/// The report.
pub const SITES: Kind = Kind {
    name: "Allocation sites",
    columns: &[
        Column::words(
            "Allocated by",
            "Stack frame, outermost first; below it the frames it called and the objects it allocated itself",
            260.0,
        ),
        Column::numbers("Objects", "Number of live objects allocated in this frame or in frames it called", 96.0, 6),
        Column::numbers("Shallow size", "Total bytes of these objects themselves", 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by frame or class",
    nothing: (
        "No allocation sites",
        "The dump has no allocation stacks. Record allocations while the program runs, then take the dump",
    ),
    keys: &["frame", "objects", "shallow_bytes"],
    subject: Some(TableKind::Sites),
    make,
};

fn make(dump: &OpenDump, task: &Task) -> Result<Rows, JobError> {
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
            leads: RowTarget::Nowhere,
        });
        rows.extend(site.classes.iter().take(LISTED).map(|&(class, totals)| {
            let name = &dump.heap.classes.get(class).name;
            Row {
                depth: depth + 1,
                name: Name::Class(name.clone()),
                found_by: name.to_string(),
                cells: vec![Cell::Count(totals.objects), Cell::Size(totals.shallow)],
                leads: RowTarget::ToClass(class),
            }
        }));
    }
    let (known, all) = (table.found.known, dump.analysis.shown);
    let summary = format!("allocation site known for {} of {} objects", Count(known.objects), Count(all.objects));
    Ok(Rows::new(Arc::new(table), rows, summary).at(tops))
}
