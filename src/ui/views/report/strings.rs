//! String values that occur more than once, with their owners and strings below.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::strings;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const STRINGS: Kind = Kind {
    name: "Duplicate strings",
    columns: &[
        Column::words("Value", "String value; below it the owners of its strings and the strings themselves", 260.0)
            .key("text"),
        Column::numbers("Strings", "Number of strings with this value", 92.0, 6).key("objects"),
        Column::numbers("Shallow size", "Bytes of the strings and their arrays, each array counted once", 152.0, 5)
            .key("shallow_bytes"),
        Column::numbers("Wasted", "Bytes saved if this value were stored once", 152.0, 8).key("wasted_bytes"),
    ],
    sorted: None,
    filter: "Filter by value",
    nothing: ("No duplicate strings", "No string value occurs twice, or the dump does not contain string values"),
    subject: Some(TableKind::Strings),
    make: strings::rows,
};
