//! Live objects allocated in a range of the recording, by class; below each class its largest objects.

use crate::ui::views::report::Kind;
use crate::ui::widgets::Column;
use heaplens_session::JobError;
use heaplens_tables::declared::allocated as column;

/// The report.
pub(super) const ALLOCATED: Kind = Kind {
    name: "Allocated in range",
    columns: &[
        Column::naming(
            column("class"),
            "Class of objects allocated in the selected range and still alive; below it its largest objects",
            250.0,
        ),
        Column::of(column("objects"), 96.0, 6).about("Number of live objects allocated in the selected range"),
        Column::of(column("shallow_bytes"), 152.0, 8),
        Column::numbers("Retained size", "", 104.0, 4),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class",
    nothing: ("No objects", "All objects allocated in the selected range were collected"),
    subject: None,
    make: |_, _| Err(JobError::Failed("no range is selected".to_owned())),
};
