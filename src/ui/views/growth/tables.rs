//! The tables: their columns, and by what of the command line's tables they are
//! sorted. What stands in them is worked out in `rows.rs` and `owners.rs`.

use super::{Shown, owners, rows, snapshots, through_all};
use crate::session::side_by_side::What;
use crate::tables::diff::Of;
use crate::tables::javascript_leaks::BetweenOf;
use crate::ui::views::report::Kind;
use crate::ui::widgets::table::Column;

const OBJECTS_DELTA: Column = Column::numbers("Δ objects", "Objects more than before", 92.0, 7);
const BEFORE: Column = Column::numbers("Before", "How many there were", 84.0, 2);
const AFTER: Column = Column::numbers("After", "How many there are", 84.0, 3);
const CHANGE: Column =
    Column::numbers("Change", "Objects more, as a part of those there were; or that it is new, or gone", 92.0, 5);

const OWNER: Column = Column::words(
    "Owner",
    "The lowest object of both heaps that holds what came and went; below it what that is",
    220.0,
);
const CHARGED: Column =
    Column::numbers("Δ bytes", "Bytes charged to the owner: those of all rows are the whole difference", 148.0, 8);
const RETAINED_BEFORE: Column = Column::numbers("Before", "Retained size before", 84.0, 3);
const RETAINED_AFTER: Column = Column::numbers("After", "Retained size after", 84.0, 4);
const MATCHED_BY: Column =
    Column::words("Matched by", "How the owner is known to be the same in both heaps, and how sure that is", 126.0)
        .fixed(2);
const OVER_TIME: Column = Column::words(
    "Over time",
    "Retained size in every open dump of the program, the oldest at the left; dots are the two that are compared",
    116.0,
)
.fixed(8)
.unsorted();

const OWNERS: Kind = Kind {
    name: "Owners that grew",
    columns: &[OWNER, OBJECTS_DELTA, CHARGED, RETAINED_BEFORE, RETAINED_AFTER, MATCHED_BY],
    sorted: Some((2, true)),
    filter: "Filter by owner or class",
    nothing: ("Nothing grew", "Every object of one dump is in the other too, and holds as much"),
    keys: &["owner", "charged_objects", "charged_bytes", "before_retained_bytes", "after_retained_bytes", "matched_by"],
    subject: None,
    make: owners::rows,
};

/// The same with a column for the dumps before, between and after.
const OWNERS_AND_LINES: Kind = Kind {
    columns: &[OWNER, OVER_TIME, OBJECTS_DELTA, CHARGED, RETAINED_BEFORE, RETAINED_AFTER, MATCHED_BY],
    sorted: Some((3, true)),
    keys: &[
        "owner",
        "",
        "charged_objects",
        "charged_bytes",
        "before_retained_bytes",
        "after_retained_bytes",
        "matched_by",
    ],
    ..OWNERS
};

const THROUGH_ALL: Kind = Kind {
    name: "Owners over time",
    columns: &[
        Column::words("Owner", "An object that is in several dumps, and was charged with what came and went", 220.0),
        OVER_TIME,
        Column::numbers("Δ retained", "Retained size in the last dump less that in the first", 96.0, 5),
        Column::numbers("Δ bytes", "Bytes charged to the owner from each dump to the next, together", 148.0, 8),
    ],
    sorted: Some((3, true)),
    nothing: ("Nothing grew", "Every object of one dump is in the next too, and holds as much"),
    keys: &["owner", "", "delta_retained_bytes", "charged_bytes"],
    make: through_all::rows,
    ..OWNERS
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

const LEAKS: Kind = Kind {
    name: "Leaks that grew",
    columns: &[
        Column::words("Holder", "Who holds what leaks, by a name that is the same in both dumps", 220.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Freed", "Bytes that cutting its reference would have freed", 92.0, 3),
        Column::numbers("Frees", "Bytes that cutting its reference frees", 92.0, 4),
        Column::numbers("Δ frees", "Bytes more than before that cutting its reference frees", 148.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by holder, new, gone",
    nothing: ("No leaks", "Nothing that may grow holds a thousandth of either heap"),
    keys: &[
        "holder",
        "change",
        "before_objects",
        "after_objects",
        "delta_objects",
        "before_frees_bytes",
        "after_frees_bytes",
        "delta_frees_bytes",
    ],
    subject: None,
    make: |answers, task| rows::side(answers, What::Leaks, task),
};

const STAYED: Kind = Kind {
    name: "What came and stayed",
    columns: &[
        Column::words("Leaked", "Objects that came and are still there, held alike; below them one way there", 260.0),
        Column { sorts: true, ..Column::words("Why", "What makes it a leak", 110.0).fixed(4) },
        Column::numbers("Objects", "Objects that came and stayed, with those that they hold", 92.0, 5),
        Column::numbers("Retained size", "Bytes that they keep alive", 152.0, 8),
    ],
    sorted: Some((3, true)),
    filter: "Filter by class, holder or why",
    nothing: ("Nothing stayed", "All that came between the snapshots is gone again"),
    keys: &["class", "kind", "leaked_objects", "retained_bytes"],
    subject: None,
    make: snapshots::stayed,
};

const GROWING: Kind = Kind {
    name: "What only grows",
    columns: &[
        Column::words("Object", "An object that is in every snapshot and never leads to less than before", 250.0),
        Column::words("References", "How many objects it leads to, snapshot by snapshot", 150.0).fixed(2),
        Column::numbers("Δ retained", "Bytes more than in the first snapshot", 96.0, 7),
        Column::numbers("Retained size", "Bytes that it keeps alive now", 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class or name",
    nothing: ("Nothing only grows", "No object leads to more and more from snapshot to snapshot"),
    keys: &["class", "references", "more_bytes", "retained_bytes"],
    subject: None,
    make: snapshots::growing,
};

/// The report that shows a table; with a line for each owner where there are more than two dumps.
pub(super) fn of(shown: Shown, has_lines: bool) -> &'static Kind {
    match shown {
        Shown::ThroughAll => &THROUGH_ALL,
        Shown::Between(BetweenOf::Stayed) => &STAYED,
        Shown::Between(BetweenOf::Growing) => &GROWING,
        Shown::Of(Of::Owners) if has_lines => &OWNERS_AND_LINES,
        Shown::Of(Of::Owners) => &OWNERS,
        Shown::Of(Of::Classes) => &CLASSES,
        Shown::Of(Of::Side(What::Packages)) => &PACKAGES,
        Shown::Of(Of::Side(What::Loaders)) => &LOADERS,
        Shown::Of(Of::Side(What::Threads)) => &THREADS,
        Shown::Of(Of::Side(What::Strings)) => &STRINGS,
        Shown::Of(Of::Side(What::Collections)) => &COLLECTIONS,
        Shown::Of(Of::Side(What::Leaks)) => &LEAKS,
    }
}
