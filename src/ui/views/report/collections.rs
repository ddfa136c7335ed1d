//! Collections by class: number, fill ratio and unused capacity.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::collections;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const COLLECTIONS: Kind = Kind {
    name: "Collections",
    columns: &[
        Column::words("Class", "Collection class", 200.0).key("class"),
        Column::numbers("Objects", "Number of collections of the class", 86.0, 6).key("objects"),
        Column::numbers("Elements", "Total number of elements or entries", 92.0, 5).key("elements"),
        Column::numbers("Empty", "Collections without elements", 78.0, 4).key("empty"),
        Column::numbers(
            "Sparse",
            "Collections that use less than a quarter of their capacity, but are not empty",
            78.0,
            3,
        )
        .key("sparse"),
        Column::numbers("Fill ratio", "Number of elements as a percentage of the capacity", 78.0, 2).key("fill_ratio"),
        Column::numbers("Shallow size", "Bytes of the collections and their arrays", 152.0, 1).key("shallow_bytes"),
        Column::numbers("Wasted", "Unused capacity: bytes of array slots without an element", 152.0, 8)
            .key("wasted_bytes"),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No collections", "The dump contains no collections of a known class"),
    subject: Some(TableKind::Collections),
    make: collections::rows,
};
