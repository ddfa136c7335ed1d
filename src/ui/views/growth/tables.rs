//! Columns of the tables, and their sort keys on the command line. Rows are computed in `rows.rs` and `owners.rs`.

use crate::ui::views::report::Kind;
use crate::ui::widgets::table::Column;
use crate::view::growth_table::GrowthTable;
use heaplens_session::side_by_side::SideRowKind;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::javascript_leaks::SnapshotLeakKind;
use heaplens_tables::reports::growth::{owners, owners_over_time, rows, snapshots};

const OBJECTS_DELTA: Column = Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 7);
const BEFORE: Column = Column::numbers("Before", "Number of objects in the baseline", 84.0, 2);
const AFTER: Column = Column::numbers("After", "Number of objects in the target", 84.0, 3);
const CHANGE: Column = Column::numbers(
    "Change",
    "Change in the number of objects in percent; “new” or “removed” if it is in one heap only",
    92.0,
    5,
);

const OWNER: Column =
    Column::words("Owner", "Nearest matched dominator of the added and removed objects; listed below it", 220.0);
const CHARGED: Column =
    Column::numbers("Δ bytes", "Net change attributed to this owner; all rows sum to the total difference", 148.0, 8);
const RETAINED_BEFORE: Column = Column::numbers("Before", "Retained size in the baseline", 84.0, 3);
const RETAINED_AFTER: Column = Column::numbers("After", "Retained size in the target", 84.0, 4);
const MATCHED_BY: Column =
    Column::words("Matched by", "Criterion that identified the owner in both heaps, and its confidence", 126.0)
        .fixed(2);
const OVER_TIME: Column = Column::words(
    "Over time",
    "Retained size in every open dump of the program, oldest first; dots mark the two that are compared",
    116.0,
)
.fixed(8)
.unsorted();

const OWNERS: Kind = Kind {
    name: "Growth by owner",
    columns: &[OWNER, OBJECTS_DELTA, CHARGED, RETAINED_BEFORE, RETAINED_AFTER, MATCHED_BY],
    sorted: Some((2, true)),
    filter: "Filter by owner or class",
    nothing: ("No growth", "Both dumps have the same objects with the same sizes"),
    keys: &["owner", "charged_objects", "charged_bytes", "before_retained_bytes", "after_retained_bytes", "matched_by"],
    subject: None,
    make: owners::rows,
};

/// The same with a column for the sizes in all dumps.
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
        Column::words(
            "Owner",
            "Object matched in several dumps to which the difference between them is attributed",
            220.0,
        ),
        OVER_TIME,
        Column::numbers("Δ retained", "Change in retained size from the first dump to the last", 96.0, 5),
        Column::numbers("Δ bytes", "Net change attributed to this owner, summed over all intervals", 148.0, 8),
    ],
    sorted: Some((3, true)),
    nothing: ("No growth", "All dumps have the same objects with the same sizes"),
    keys: &["owner", "", "delta_retained_bytes", "charged_bytes"],
    make: owners_over_time::rows,
    ..OWNERS
};

/// Tooltips of the retained sizes before and after, for rows of objects.
const BY_OBJECTS: [&str; 2] = [
    "Retained size of all its objects in the baseline, each byte counted once",
    "Retained size of all its objects in the target, each byte counted once",
];
const BY_LOADERS: [&str; 2] = [
    "Retained size of the loaders in the baseline; for classes, of all their objects",
    "Retained size of the loaders in the target; for classes, of all their objects",
];

/// Columns of classes and of their groups.
const fn columns(title: &'static str, about: &'static str, kept: [&'static str; 2]) -> [Column; 11] {
    [
        Column::words(title, about, 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Shallow before", "Shallow size of all its objects in the baseline", 104.0, 1),
        Column::numbers("Shallow after", "Shallow size of all its objects in the target", 100.0, 1),
        Column::numbers("Δ shallow", "Change in shallow size (after − before)", 148.0, 8),
        Column::numbers("Retained before", kept[0], 108.0, 1),
        Column::numbers("Retained after", kept[1], 104.0, 1),
        Column::numbers("Δ retained", "Change in retained size (after − before)", 92.0, 6),
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
    name: "Growth by class",
    columns: &columns(
        "Class",
        "Class name; classes of the same name from loaders of different classes have separate rows",
        BY_OBJECTS,
    ),
    sorted: Some((7, true)),
    filter: "Filter by class, new, removed",
    nothing: ("No classes", "Neither dump contains objects"),
    keys: &keys("class"),
    subject: None,
    make: rows::classes,
};

const PACKAGES: Kind = Kind {
    name: "Growth by package",
    columns: &columns("Package", "Package; expand it to see its classes", BY_OBJECTS),
    keys: &keys("package"),
    filter: "Filter by package, class, new, removed",
    make: |dump, task| rows::side(dump, SideRowKind::Packages, task),
    ..CLASSES
};

const LOADERS: Kind = Kind {
    name: "Growth by class loader",
    columns: &columns("Class loader", "Loader by class and name; expand it to see the classes it defined", BY_LOADERS),
    keys: &keys("loader"),
    filter: "Filter by loader, class, new, removed",
    make: |dump, task| rows::side(dump, SideRowKind::Loaders, task),
    ..CLASSES
};

const THREADS: Kind = Kind {
    name: "Growth by thread",
    columns: &[
        Column::words("Thread", "Thread name; threads of the same name share a row", 220.0),
        CHANGE,
        Column::numbers("Before", "Retained size in the baseline", 92.0, 3),
        Column::numbers("After", "Retained size in the target", 92.0, 4),
        Column::numbers("Δ retained", "Change in retained size (after − before)", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by thread, new, removed",
    nothing: ("No threads", "Neither dump contains thread information"),
    keys: &["thread", "change", "before_retained_bytes", "after_retained_bytes", "delta_retained_bytes"],
    subject: None,
    make: |dump, task| rows::side(dump, SideRowKind::Threads, task),
};

const STRINGS: Kind = Kind {
    name: "Growth of duplicate strings",
    columns: &[
        Column::words("Value", "String value that occurs more than once in at least one of the dumps", 220.0),
        Column::numbers("Before", "Strings with this value in the baseline; fewer than two are not counted", 92.0, 5),
        Column::numbers("After", "Strings with this value in the target; fewer than two are not counted", 92.0, 6),
        OBJECTS_DELTA,
        Column::numbers("Δ shallow", "Change in bytes of the strings and their arrays (after − before)", 148.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by value",
    nothing: (
        "No duplicate strings",
        "No string value occurs twice in either dump, or the dumps do not contain string values",
    ),
    keys: &["text", "before_objects", "after_objects", "delta_objects", "delta_shallow_bytes"],
    subject: None,
    make: |dump, task| rows::side(dump, SideRowKind::Strings, task),
};

const COLLECTIONS: Kind = Kind {
    name: "Growth of collections",
    columns: &[
        Column::words("Class", "Collection class", 190.0),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Elements", "Elements or entries in all collections of the class, in the target", 92.0, 4),
        Column::numbers("Δ elements", "Change in the number of elements or entries (after − before)", 96.0, 6),
        Column::numbers("Δ shallow", "Change in bytes of the collections and their arrays (after − before)", 148.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by class, new, removed",
    nothing: ("No collections", "Neither dump contains collections of a known class"),
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
    make: |dump, task| rows::side(dump, SideRowKind::Collections, task),
};

const LEAKS: Kind = Kind {
    name: "Growth of leaks",
    columns: &[
        Column::words(
            "Owner",
            "Field or object that holds the leaking objects, by a name that is stable across dumps",
            220.0,
        ),
        CHANGE,
        BEFORE,
        AFTER,
        OBJECTS_DELTA,
        Column::numbers("Frees before", "Bytes freed by cutting its reference, in the baseline", 92.0, 3),
        Column::numbers("Frees after", "Bytes freed by cutting its reference, in the target", 92.0, 4),
        Column::numbers("Δ frees", "Change in bytes freed by cutting its reference (after − before)", 148.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by owner, new, removed",
    nothing: ("No leaks", "No leak suspect retains 0.1 % or more of either heap"),
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
    make: |dump, task| rows::side(dump, SideRowKind::Leaks, task),
};

const STAYED: Kind = Kind {
    name: "New and still alive",
    columns: &[
        Column::words(
            "Object",
            "Objects allocated since the baseline that share the same kind of retainer; expand to see one path to them",
            260.0,
        ),
        Column {
            sorts: true,
            ..Column::words("Reason", "Reason why these objects are reported as leaked", 110.0).fixed(4)
        },
        Column::numbers("Objects", "Leaked objects, including the objects they retain", 92.0, 5),
        Column::numbers("Retained size", "Bytes freed if the objects were collected", 152.0, 8),
    ],
    sorted: Some((3, true)),
    filter: "Filter by class, retainer or reason",
    nothing: ("No new objects survived", "All objects allocated between the snapshots were collected"),
    keys: &["class", "kind", "leaked_objects", "retained_bytes"],
    subject: None,
    make: snapshots::stayed,
};

const GROWING: Kind = Kind {
    name: "Monotonic growth",
    columns: &[
        Column::words("Object", "Object present in every snapshot whose reachable set never shrinks", 250.0),
        Column::words("References", "Number of outgoing references in each snapshot, oldest first", 150.0).fixed(2),
        Column::numbers("Δ retained", "Change in retained size since the first snapshot", 96.0, 7),
        Column::numbers("Retained size", "Retained size in the last snapshot", 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class or name",
    nothing: ("No monotonic growth", "No object has a reachable set that grows from each snapshot to the next"),
    keys: &["class", "references", "more_bytes", "retained_bytes"],
    subject: None,
    make: snapshots::growing,
};

/// The report that shows a table; with a sparkline for each owner if more than two dumps are open.
pub(super) fn of(shown: GrowthTable, has_lines: bool) -> &'static Kind {
    match shown {
        GrowthTable::ThroughAll => &THROUGH_ALL,
        GrowthTable::Between(SnapshotLeakKind::Stayed) => &STAYED,
        GrowthTable::Between(SnapshotLeakKind::Growing) => &GROWING,
        GrowthTable::Of(DiffRows::Owners) if has_lines => &OWNERS_AND_LINES,
        GrowthTable::Of(DiffRows::Owners) => &OWNERS,
        GrowthTable::Of(DiffRows::Classes) => &CLASSES,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Packages)) => &PACKAGES,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Loaders)) => &LOADERS,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Threads)) => &THREADS,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Strings)) => &STRINGS,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Collections)) => &COLLECTIONS,
        GrowthTable::Of(DiffRows::Side(SideRowKind::Leaks)) => &LEAKS,
    }
}
