//! String values that occur more than once, with their owners and strings below.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::strings as column;
use heaplens_tables::reports::strings;

/// The report.
pub const STRINGS: Kind = Kind {
    name: "Duplicate strings",
    columns: &[
        Column::naming(
            column("text"),
            "String value; below it the owners of its strings and the strings themselves",
            260.0,
        ),
        Column::of(column("objects"), 92.0, 6),
        Column::of(column("shallow_bytes"), 152.0, 5),
        Column::of(column("wasted_bytes"), 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by value",
    nothing: ("No duplicate strings", "No string value occurs twice, or the dump does not contain string values"),
    subject: Some(TableKind::Strings),
    make: strings::rows,
};
