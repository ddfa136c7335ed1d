//! Threads, their stack frames, and the retained sizes of local variables.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::threads;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const THREADS: Kind = Kind {
    name: "Threads",
    columns: &[
        Column::words(
            "Thread",
            "Thread; below it its stack frames and the objects their local variables refer to",
            260.0,
        )
        .key("name"),
        Column::words("State", "State of the thread when the dump was taken", 132.0).fixed(6).key("state"),
        Column::numbers("Frames", "Number of frames on its stack", 76.0, 5).key("frames"),
        Column::numbers(
            "Retained size",
            "Bytes freed if the thread were collected; for a frame, if all objects of its local variables were",
            152.0,
            8,
        )
        .key("retained_bytes"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by thread, method or class",
    nothing: ("No threads", "The dump contains no thread information"),
    subject: Some(TableKind::Threads),
    make: threads::rows,
};
