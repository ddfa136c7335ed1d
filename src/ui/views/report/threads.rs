//! Threads, their stack frames, and the retained sizes of local variables.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::threads as column;
use heaplens_tables::reports::threads;

/// The report.
pub const THREADS: Kind = Kind {
    name: "Threads",
    columns: &[
        Column::naming(
            column("name"),
            "Thread; below it its stack frames and the objects their local variables refer to",
            260.0,
        )
        .titled("Thread"),
        Column::of(column("state"), 132.0, 6),
        Column::of(column("frames"), 76.0, 5),
        Column::of(column("retained_bytes"), 152.0, 8)
            .about("Bytes freed if the thread were collected; for a frame, if all objects of its local variables were"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by thread, method or class",
    nothing: ("No threads", "The dump contains no thread information"),
    subject: Some(TableKind::Threads),
    make: threads::rows,
};
