//! Histogram by package, class loader or superclass, with the classes of each group.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_analysis::GroupBy;
use heaplens_tables::relations::{self, PACKAGE_TREE as TABLE};
use heaplens_tables::reports::groups;

const fn columns(title: &'static str, about: &'static str) -> [Column; 5] {
    [
        Column::naming(TABLE.column("group"), 240.0).about(about).titled(title),
        Column::of(TABLE.column("classes"), 84.0, 4),
        Column::of(TABLE.column("objects"), 104.0, 6),
        Column::of(TABLE.column("shallow_bytes"), 168.0, 7),
        Column::of(TABLE.column("retained_bytes"), 168.0, 8),
    ]
}

/// The same columns for a comparison.
const fn compared(title: &'static str, about: &'static str) -> [Column; 8] {
    let [name, classes, objects, shallow, retained] = columns(title, about);
    [
        Column { width: 190.0, ..name },
        Column { rank: 2, ..classes },
        Column { width: 88.0, ..objects },
        Column { width: 144.0, ..shallow },
        Column { width: 144.0, ..retained },
        Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 5),
        Column::numbers("Δ shallow", "Change in shallow size (after − before)", 100.0, 8),
        Column::numbers("Δ retained", "Change in retained size (after − before)", 104.0, 4),
    ]
}

/// Explanation of the first column of packages.
const OF_PACKAGE: &str = "Package with all packages below it; expand it to see these and its classes";

/// Text of the empty state.
const NOTHING: (&str, &str) = ("No objects", "No object is reachable from a GC root");

/// By package.
pub const PACKAGES: Kind = Kind {
    filter: "Filter by package or class",
    nothing: NOTHING,
    ..Kind::of(&relations::PACKAGE_TREE, &columns("Package", OF_PACKAGE), |dump, task| {
        groups::rows(dump, GroupBy::PackageTree, task)
    })
};

/// By class loader.
pub const LOADERS: Kind = Kind {
    hidden: "id",
    filter: "Filter by loader or class",
    nothing: NOTHING,
    ..Kind::of(
        &relations::CLASSES_BY_LOADER,
        &columns("Class loader", "Class loader; expand it to see the classes it defined"),
        |dump, task| groups::rows(dump, GroupBy::Loader, task),
    )
};

/// By superclass.
pub const SUPERCLASSES: Kind = Kind {
    filter: "Filter by class",
    nothing: NOTHING,
    ..Kind::of(
        &relations::CLASSES_BY_SUPERCLASS,
        &columns("Superclass", "Class; expand it to see its direct subclasses"),
        |dump, task| groups::rows(dump, GroupBy::Superclass, task),
    )
};

/// By package, compared with the baseline.
pub const PACKAGES_COMPARED: Kind = Kind { columns: &compared("Package", OF_PACKAGE), ..PACKAGES };

/// By class loader, compared.
pub const LOADERS_COMPARED: Kind =
    Kind { columns: &compared("Class loader", "Class loader; expand it to see the classes it defined"), ..LOADERS };

/// By superclass, compared.
pub const SUPERCLASSES_COMPARED: Kind =
    Kind { columns: &compared("Superclass", "Class; expand it to see its direct subclasses"), ..SUPERCLASSES };
