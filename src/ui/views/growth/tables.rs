//! The tables: their columns, and by what of the command line's tables they are
//! sorted. What stands in them is worked out in `rows.rs` and `owners.rs`.

use super::{owners, rows};
use crate::answers::diff::Of;
use crate::session::side_by_side::What;
use crate::ui::views::report::Kind;
use crate::ui::widgets::table::Column;

const OBJECTS_DELTA: Column = Column::numbers("Δ objects", "Objects more than before", 92.0, 7);
const BEFORE: Column = Column::numbers("Before", "How many there were", 84.0, 2);
const AFTER: Column = Column::numbers("After", "How many there are", 84.0, 3);
const CHANGE: Column =
    Column::numbers("Change", "Objects more, as a part of those there were; or that it is new, or gone", 92.0, 5);

const OWNERS: Kind = Kind {
    name: "Owners that grew",
    columns: &[
        Column::words(
            "Owner",
            "The lowest object of both heaps that holds what came and went; below it what that is",
            280.0,
        ),
        OBJECTS_DELTA,
        Column::numbers("Δ bytes", "Bytes charged to the owner: those of all rows are the whole difference", 148.0, 8),
        Column::numbers("Before", "Retained size before", 84.0, 3),
        Column::numbers("After", "Retained size after", 84.0, 4),
        Column::words("Matched by", "How the owner is known to be the same in both heaps, and how sure that is", 126.0)
            .fixed(2),
    ],
    sorted: Some((2, true)),
    filter: "Filter by owner or class",
    nothing: ("Nothing grew", "Every object of one dump is in the other too, and holds as much"),
    keys: &["owner", "charged_objects", "charged_bytes", "before_retained_bytes", "after_retained_bytes", "matched_by"],
    subject: None,
    make: owners::rows,
};

/// What keeps the bytes alive that a row retains, before and after.
const BY_OBJECTS: [&str; 2] =
    ["Bytes its objects kept alive together, each byte once", "Bytes its objects keep alive together, each byte once"];
const BY_LOADERS: [&str; 2] =
    ["Bytes the loaders kept alive; classes: their objects", "Bytes the loaders keep alive; classes: their objects"];

/// The columns of classes and of what they are put together by.
const fn columns(title: &'static str, about: &'static str, kept: [&'static str; 2]) -> [Column; 11] {
    [
        Column::words(title, about, 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Shallow before", "Bytes its objects took by themselves", 104.0, 1),
        Column::numbers("Shallow after", "Bytes its objects take by themselves", 100.0, 1),
        Column::numbers("Δ shallow", "Bytes more than before that its objects take by themselves", 148.0, 8),
        Column::numbers("Retained before", kept[0], 108.0, 1),
        Column::numbers("Retained after", kept[1], 104.0, 1),
        Column::numbers("Δ retained", "Bytes more than before that are kept alive", 92.0, 6),
    ]
}

const fn keys(name: &'static str) -> [&'static str; 11] {
    [
        name,
        "change",
        "before_objects",
        "after_objects",
        "delta_objects",
        "before_shallow_bytes",
        "after_shallow_bytes",
        "delta_shallow_bytes",
        "before_retained_bytes",
        "after_retained_bytes",
        "delta_retained_bytes",
    ]
}

const CLASSES: Kind = Kind {
    name: "Classes that grew",
    columns: &columns("Class", "Class name; told apart by the class of the loader too", BY_OBJECTS),
    sorted: Some((7, true)),
    filter: "Filter by class, new, gone",
    nothing: ("No classes", "Neither dump has an object"),
    keys: &keys("class"),
    subject: None,
    make: rows::classes,
};

const PACKAGES: Kind = Kind {
    name: "Packages that grew",
    columns: &columns("Package", "A package; below it its classes", BY_OBJECTS),
    keys: &keys("package"),
    filter: "Filter by package, class, new, gone",
    make: |answers, task| rows::side(answers, What::Packages, task),
    ..CLASSES
};

const LOADERS: Kind = Kind {
    name: "Class loaders that grew",
    columns: &columns("Class loader", "Loaders by class and name; below them the classes they defined", BY_LOADERS),
    keys: &keys("loader"),
    filter: "Filter by loader, class, new, gone",
    make: |answers, task| rows::side(answers, What::Loaders, task),
    ..CLASSES
};

const THREADS: Kind = Kind {
    name: "Threads that grew",
    columns: &[
        Column::words("Thread", "Threads by name; those of one name together", 220.0),
        CHANGE,
        Column::numbers("Before", "Bytes it kept alive", 92.0, 3),
        Column::numbers("After", "Bytes it keeps alive", 92.0, 4),
        Column::numbers("Δ retained", "Bytes more than before that it keeps alive", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by thread, new, gone",
    nothing: ("No threads", "Neither dump names a thread"),
    keys: &["thread", "change", "before_retained_bytes", "after_retained_bytes", "delta_retained_bytes"],
    subject: None,
    make: |answers, task| rows::side(answers, What::Threads, task),
};

const STRINGS: Kind = Kind {
    name: "Strings that grew",
    columns: &[
        Column::words("Text", "A text that stands in either heap more than once", 220.0),
        Column::numbers("Before", "How many strings of this text there were; less than two are not counted", 92.0, 5),
        Column::numbers("After", "How many strings of this text there are; less than two are not counted", 92.0, 6),
        OBJECTS_DELTA,
        Column::numbers("Δ shallow", "Bytes more than before of the strings and their arrays", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by text",
    nothing: ("No duplicate strings", "Every text stands in each heap once, or texts are not in the dumps"),
    keys: &["text", "before_objects", "after_objects", "delta_objects", "delta_shallow_bytes"],
    subject: None,
    make: |answers, task| rows::side(answers, What::Strings, task),
};

const COLLECTIONS: Kind = Kind {
    name: "Collections that grew",
    columns: &[
        Column::words("Class", "A class of collections", 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Elements", "What they hold together", 92.0, 4),
        Column::numbers("Δ elements", "Elements or entries more than before", 96.0, 6),
        Column::numbers("Δ shallow", "Bytes more than before of the collections and their arrays", 148.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by class, new, gone",
    nothing: ("No collections", "No object is of a class of collections that is known"),
    keys: &[
        "class",
        "change",
        "before_objects",
        "after_objects",
        "delta_objects",
        "after_elements",
        "delta_elements",
        "delta_shallow_bytes",
    ],
    subject: None,
    make: |answers, task| rows::side(answers, What::Collections, task),
};

/// The report that shows a table.
pub(super) fn of(of: Of) -> &'static Kind {
    match of {
        Of::Owners => &OWNERS,
        Of::Classes => &CLASSES,
        Of::Side(What::Packages) => &PACKAGES,
        Of::Side(What::Loaders) => &LOADERS,
        Of::Side(What::Threads) => &THREADS,
        Of::Side(What::Strings) => &STRINGS,
        Of::Side(What::Collections) => &COLLECTIONS,
    }
}
