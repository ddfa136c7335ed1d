//! Class loaders: classes and retained size of each, and loaders that are held only by their own classes.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::TableKind;
use heaplens_tables::declared::loaders as column;
use heaplens_tables::reports::loaders;

/// The report.
pub const LOADERS: Kind = Kind {
    name: "Class loaders",
    columns: &[
        Column::naming(
            column("label"),
            "Class loader; below it the object that holds it and classes that other loaders define too",
            250.0,
        )
        .titled("Class loader"),
        Column::of(column("classes"), 84.0, 5),
        Column::of(column("objects"), 96.0, 6),
        Column::of(column("kept_by_objects_bytes"), 152.0, 7)
            .about("Bytes freed if all objects of its classes were collected; each byte counted once")
            .titled("By its classes"),
        Column::of(column("retained_bytes"), 152.0, 8),
    ],
    sorted: Some((3, true)),
    filter: "Filter by loader or class",
    nothing: ("No class loaders", "The dump contains no classes"),
    subject: Some(TableKind::Loaders),
    make: loaders::rows,
};
