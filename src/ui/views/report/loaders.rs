//! Class loaders: classes and retained size of each, and loaders that are held only by their own classes.

use super::Kind;
use crate::ui::widgets::table::Column;
use heaplens_tables::reports::loaders;
use heaplens_tables::table_query::TableKind;

/// The report.
pub const LOADERS: Kind = Kind {
    name: "Class loaders",
    columns: &[
        Column::words(
            "Class loader",
            "Class loader; below it the object that holds it and classes that other loaders define too",
            250.0,
        )
        .key("label"),
        Column::numbers("Classes", "Number of classes the loader defined", 84.0, 5).key("classes"),
        Column::numbers("Objects", "Number of objects of these classes", 96.0, 6).key("objects"),
        Column::numbers(
            "By its classes",
            "Bytes freed if all objects of its classes were collected; each byte counted once",
            152.0,
            7,
        )
        .key("kept_by_objects_bytes"),
        Column::numbers("Retained size", "Bytes freed if the loader were collected", 152.0, 8).key("retained_bytes"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by loader or class",
    nothing: ("No class loaders", "The dump contains no classes"),
    subject: Some(TableKind::Loaders),
    make: loaders::rows,
};
