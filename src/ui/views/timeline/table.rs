//! Live objects allocated in a range of the recording, by class; below each class its largest objects.

use std::sync::Arc;

use crate::ui::views::report::Kind;
use crate::ui::views::report::class_parts::class_rows;
use crate::ui::views::report::rows::Rows;
use crate::ui::widgets::table::Column;
use heaplens_analysis::javascript::timeline::{Bar, allocated_in};
use heaplens_base::task::Task;
use heaplens_base::units::Count;
use heaplens_session::jobs::JobError;
use heaplens_session::open_dump::OpenDump;
use heaplens_tables::JavaScript;
use heaplens_tables::export::table_context::TableContext;
use heaplens_tables::javascript::{JavaScriptQuery, opened};
use heaplens_tables::table_query::TableKind;

/// The report.
pub(super) const ALLOCATED: Kind = Kind {
    name: "Allocated in range",
    columns: &[
        Column::words(
            "Class",
            "Class of objects allocated in the selected range and still alive; below it its largest objects",
            250.0,
        ),
        Column::numbers("Objects", "Number of live objects allocated in the selected range", 96.0, 6),
        Column::numbers("Shallow size", "Total bytes of these objects themselves", 152.0, 8),
        Column::numbers("Retained size", "", 104.0, 4),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class",
    nothing: ("No objects", "All objects allocated in the selected range were collected"),
    keys: &["class", "objects", "shallow_bytes", ""],
    subject: None,
    make: |_, _| Err(JobError::Failed("no range is selected".to_owned())),
};

/// Rows for a range of the recording.
pub(super) fn rows(dump: &OpenDump, bars: &[Bar], task: &Task) -> Result<Rows, JobError> {
    let parts = allocated_in(opened(TableContext::of(dump))?, bars, task)?;
    let mut rows = Vec::new();
    for part in &parts {
        task.checkpoint()?;
        class_rows(dump, part, 0, &mut rows);
    }
    let summary = Count(parts.len() as u64).of("class", "classes");
    let time = |bar: Option<&Bar>| bar.map_or(0, |bar| bar.micros / 1_000);
    let asked = JavaScriptQuery::Allocated { first: time(bars.first()), last: time(bars.last()) };
    let table = JavaScript::allocated(TableContext::of(dump), asked, &parts);
    let mut rows = Rows::new(Arc::new(table), rows, summary);
    rows.subject = Some(TableKind::JavaScript(asked));
    Ok(rows)
}
