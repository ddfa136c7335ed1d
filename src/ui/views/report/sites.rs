//! Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::sites as column;
use heaplens_tables::reports::sites;

/// The report.
pub const SITES: Kind = Kind {
    name: "Allocation sites",
    columns: &[
        Column::naming(
            column("frame"),
            "Stack frame, outermost first; below it the frames it called and the objects it allocated itself",
            260.0,
        )
        .titled("Allocated by"),
        Column::of(column("objects"), 96.0, 6),
        Column::of(column("shallow_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by frame or class",
    nothing: (
        "No allocation sites",
        "The dump has no allocation stacks. Record allocations while the program runs, then take the dump",
    ),
    subject: Some(TableKind::Sites),
    make: sites::rows,
};
