//! Columns of the tables, and their sort keys on the command line. Rows are computed in `rows.rs` and `owners.rs`.

use crate::ui::views::report::Kind;
use crate::ui::widgets::Column;
use crate::view::growth_table::GrowthTable;
use heaplens_session::SideRowKind;
use heaplens_tables::diff::DiffRows;
use heaplens_tables::dump::javascript_leaks::SnapshotLeakKind;
use heaplens_tables::reports::growth::{owners, owners_over_time, rows, snapshots};

const OBJECTS_DELTA: Column = Column::numbers("Δ objects", "Change in the number of objects (after − before)", 92.0, 7);
const BEFORE: Column = Column::numbers("Before", "Number of objects in the baseline", 84.0, 2);
const AFTER: Column = Column::numbers("After", "Number of objects in the target", 84.0, 3);
const CHANGE: Column = Column::numbers("Change", "", 92.0, 5)
    .about("Change in shallow size in percent; “added” or “removed” if it is in one heap only")
    .key("change");
const RETAINED_CHANGE: Column =
    CHANGE.about("Change in retained size in percent; “added” or “removed” if it is in one heap only");
const FREES_CHANGE: Column =
    CHANGE.about("Change in bytes freed in percent; “added” or “removed” if it is in one heap only");

const NATIVE_CHANGE: Column =
    CHANGE.about("Change in native memory in percent; “added” or “removed” if it is in one heap only");

const OWNER: Column =
    Column::words("Owner", "Nearest matched dominator of the added and removed objects; listed below it", 220.0);
const CHARGED: Column =
    Column::numbers("Δ bytes", "Net change attributed to this owner; all rows sum to the total difference", 148.0, 8);
const RETAINED_BEFORE: Column = Column::numbers("Before", "Retained size in the baseline", 84.0, 3);
const RETAINED_AFTER: Column = Column::numbers("After", "Retained size in the target", 84.0, 4);
const MATCHED_BY: Column =
    Column::words("Matched by", "Criterion that identified the owner in both heaps, and its confidence", 126.0)
        .fixed(2);
const OVER_TIME: Column = Column::words("Over time", "", 116.0)
    .about("Retained size in every open dump of the program, oldest first; dots mark the two that are compared")
    .fixed(8)
    .unsorted();

const OF_OWNERS: [Column; 6] = [
    OWNER.key("owner"),
    OBJECTS_DELTA.key("charged_objects"),
    CHARGED.key("charged_bytes"),
    RETAINED_BEFORE.key("before_retained_bytes"),
    RETAINED_AFTER.key("after_retained_bytes"),
    MATCHED_BY.key("matched_by"),
];

const OWNERS: Kind = Kind {
    sorted: Some("charged_bytes"),
    hidden: "distinction class owners before_objects after_objects delta_objects before_shallow_bytes \
        after_shallow_bytes delta_shallow_bytes delta_retained_bytes moved_bytes sureness entries_before \
        entries_after entries_came entries_went entries_not_compared_before entries_not_compared_after id",
    filter: "Filter by owner or class",
    nothing: ("No growth", "Both dumps have the same objects with the same sizes"),
    ..Kind::new("Growth by owner", &OF_OWNERS, owners::rows)
};

/// The same with a column for the sizes in all dumps.
const OWNERS_AND_LINES: Kind = Kind {
    columns: &{
        let [owner, objects, charged, before, after, matched_by] = OF_OWNERS;
        [owner, OVER_TIME, objects, charged, before, after, matched_by]
    },
    ..OWNERS
};

const THROUGH_ALL: Kind = Kind {
    name: "Owners over time",
    columns: &[
        Column::words("Owner", "", 220.0)
            .about("Object matched in several dumps to which the difference between them is attributed")
            .key("owner"),
        OVER_TIME,
        Column::numbers("Δ retained", "Change in retained size from the first dump to the last", 96.0, 5)
            .key("delta_retained_bytes"),
        Column::numbers("Δ bytes", "Net change attributed to this owner, summed over all intervals", 148.0, 8)
            .key("charged_bytes"),
    ],
    hidden: "class",
    nothing: ("No growth", "All dumps have the same objects with the same sizes"),
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

const CLASS: &str = "Class name; classes of the same name from loaders of different classes have separate rows";
const LOADER: &str = "Loader by class and name; expand it to see the classes it defined";

/// Columns of classes and of their groups.
const fn columns(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    retained_keys: [&'static str; 2],
) -> [Column; 11] {
    [
        Column::words(title, about, 230.0).key(key),
        BEFORE.key("before_objects"),
        AFTER.key("after_objects"),
        OBJECTS_DELTA.key("delta_objects"),
        Column::numbers("Shallow before", "Shallow size of all its objects in the baseline", 104.0, 1)
            .key("before_shallow_bytes"),
        Column::numbers("Shallow after", "Shallow size of all its objects in the target", 100.0, 1)
            .key("after_shallow_bytes"),
        Column::numbers("Δ shallow", "Change in shallow size (after − before)", 148.0, 8).key("delta_shallow_bytes"),
        CHANGE,
        Column::numbers("Retained before", retained_keys[0], 108.0, 1).key("before_retained_bytes"),
        Column::numbers("Retained after", retained_keys[1], 104.0, 1).key("after_retained_bytes"),
        Column::numbers("Δ retained", "Change in retained size (after − before)", 92.0, 6).key("delta_retained_bytes"),
    ]
}

const CLASSES: Kind = Kind {
    sorted: Some("delta_shallow_bytes"),
    hidden: "loader new_objects gone_objects new_bytes gone_bytes unknown_objects unknown_bytes \
        unknown_before_objects unknown_before_bytes",
    filter: "Filter by class, new, removed",
    nothing: ("No classes", "Neither dump contains objects"),
    ..Kind::new("Growth by class", &columns("class", "Class", CLASS, BY_OBJECTS), rows::classes)
};

const PACKAGES: Kind = Kind {
    name: "Growth by package",
    columns: &columns("package", "Package", "Package; expand it to see its classes", BY_OBJECTS),
    hidden: "before_classes after_classes delta_classes",
    filter: "Filter by package, class, new, removed",
    make: |dump, task| rows::side(dump, SideRowKind::Packages, task),
    ..CLASSES
};

const LOADERS: Kind = Kind {
    name: "Growth by class loader",
    columns: &columns("loader", "Class loader", LOADER, BY_LOADERS),
    hidden: "before_loaders after_loaders delta_loaders before_classes after_classes delta_classes",
    filter: "Filter by loader, class, new, removed",
    make: |dump, task| rows::side(dump, SideRowKind::Loaders, task),
    ..CLASSES
};

const THREADS: Kind = Kind {
    sorted: Some("delta_retained_bytes"),
    hidden: "before_threads after_threads delta_threads",
    filter: "Filter by thread, new, removed",
    nothing: ("No threads", "Neither dump contains thread information"),
    ..Kind::new(
        "Growth by thread",
        &[
            Column::words("Thread", "Thread name; threads of the same name share a row", 220.0).key("thread"),
            Column::numbers("Before", "Retained size in the baseline", 92.0, 3).key("before_retained_bytes"),
            Column::numbers("After", "Retained size in the target", 92.0, 4).key("after_retained_bytes"),
            Column::numbers("Δ retained", "Change in retained size (after − before)", 148.0, 8)
                .key("delta_retained_bytes"),
            RETAINED_CHANGE,
        ],
        |dump, task| rows::side(dump, SideRowKind::Threads, task),
    )
};

const STRINGS: Kind = Kind {
    sorted: Some("delta_shallow_bytes"),
    hidden: "before_shallow_bytes after_shallow_bytes before_wasted_bytes after_wasted_bytes delta_wasted_bytes change",
    filter: "Filter by value",
    nothing: (
        "No duplicate strings",
        "No string value occurs twice in either dump, or the dumps do not contain string values",
    ),
    ..Kind::new(
        "Growth of duplicate strings",
        &[
            Column::words("Value", "String value that occurs more than once in at least one of the dumps", 220.0)
                .key("text"),
            Column::numbers(
                "Before",
                "Strings with this value in the baseline; fewer than two are not counted",
                92.0,
                5,
            )
            .key("before_objects"),
            Column::numbers("After", "Strings with this value in the target; fewer than two are not counted", 92.0, 6)
                .key("after_objects"),
            OBJECTS_DELTA.key("delta_objects"),
            Column::numbers("Δ shallow", "Change in bytes of the strings and their arrays (after − before)", 148.0, 8)
                .key("delta_shallow_bytes"),
        ],
        |dump, task| rows::side(dump, SideRowKind::Strings, task),
    )
};

const COLLECTIONS: Kind = Kind {
    sorted: Some("delta_shallow_bytes"),
    hidden: "before_elements before_wasted_bytes after_wasted_bytes delta_wasted_bytes before_shallow_bytes \
        after_shallow_bytes",
    filter: "Filter by class, new, removed",
    nothing: ("No collections", "Neither dump contains collections of a known class"),
    ..Kind::new(
        "Growth of collections",
        &[
            Column::words("Class", "Collection class", 230.0).key("class"),
            BEFORE.key("before_objects"),
            AFTER.key("after_objects"),
            OBJECTS_DELTA.key("delta_objects"),
            Column::numbers("Elements", "Elements or entries in all collections of the class, in the target", 92.0, 4)
                .key("after_elements"),
            Column::numbers("Δ elements", "Change in the number of elements or entries (after − before)", 96.0, 6)
                .key("delta_elements"),
            Column::numbers(
                "Δ shallow",
                "Change in bytes of the collections and their arrays (after − before)",
                148.0,
                8,
            )
            .key("delta_shallow_bytes"),
            CHANGE,
        ],
        |dump, task| rows::side(dump, SideRowKind::Collections, task),
    )
};

const LEAKS: Kind = Kind {
    sorted: Some("delta_frees_bytes"),
    filter: "Filter by owner, new, removed",
    nothing: ("No leaks", "No leak suspect retains 0.1 % or more of either heap"),
    ..Kind::new(
        "Growth of leaks",
        &[
            Column::words("Owner", "", 220.0)
                .about("Field or object that holds the leaking objects, by a name that is stable across dumps")
                .key("holder"),
            BEFORE.key("before_objects"),
            AFTER.key("after_objects"),
            OBJECTS_DELTA.key("delta_objects"),
            Column::numbers("Frees before", "Bytes freed by cutting its reference, in the baseline", 92.0, 3)
                .key("before_frees_bytes"),
            Column::numbers("Frees after", "Bytes freed by cutting its reference, in the target", 92.0, 4)
                .key("after_frees_bytes"),
            Column::numbers("Δ frees", "Change in bytes freed by cutting its reference (after − before)", 148.0, 8)
                .key("delta_frees_bytes"),
            FREES_CHANGE,
        ],
        |dump, task| rows::side(dump, SideRowKind::Leaks, task),
    )
};

const OUTSIDE: Kind = Kind {
    sorted: Some("delta_native_bytes"),
    filter: "Filter by owner, new, removed",
    nothing: (
        "Nothing outside the heap",
        "No object of either dump is known to have native memory, a file or a socket",
    ),
    ..Kind::new(
        "Growth outside the heap",
        &[
            Column::words("Held by", "", 260.0)
                .about("Field or variable that holds direct buffers, arenas, array buffers, open files or sockets")
                .key("holder"),
            BEFORE.key("before_objects"),
            AFTER.key("after_objects"),
            OBJECTS_DELTA.key("delta_objects"),
            Column::numbers("Native before", "Native memory in the baseline", 92.0, 3).key("before_native_bytes"),
            Column::numbers("Native after", "Native memory in the target", 92.0, 4).key("after_native_bytes"),
            Column::numbers("Δ native", "Change in native memory (after − before)", 148.0, 8).key("delta_native_bytes"),
            NATIVE_CHANGE,
        ],
        |dump, task| rows::side(dump, SideRowKind::Outside, task),
    )
};

const STAYED: Kind = Kind {
    sorted: Some("retained_bytes"),
    hidden: "objects share ways name id",
    filter: "Filter by class, retainer or reason",
    nothing: ("No new objects survived", "All objects allocated between the snapshots were collected"),
    ..Kind::new("New and still alive", &[
        Column::words("Object", "", 260.0).about("Objects allocated since the baseline that share the same kind of retainer; expand to see one path to them")
        .key("class"),
        Column::words("Reason", "Reason why these objects are reported as leaked", 110.0).fixed(4).key("kind"),
        Column::numbers("Objects", "Leaked objects, including the objects they retain", 92.0, 5).key("leaked_objects"),
        Column::numbers("Retained size", "Bytes freed if the objects were collected", 152.0, 8).key("retained_bytes"),
    ], snapshots::stayed)
};

const GROWING: Kind = Kind {
    sorted: Some("more_bytes"),
    hidden: "references_before name id",
    filter: "Filter by class or name",
    nothing: ("No monotonic growth", "No object has a reachable set that grows from each snapshot to the next"),
    ..Kind::new(
        "Monotonic growth",
        &[
            Column::words("Object", "Object present in every snapshot whose reachable set never shrinks", 250.0)
                .key("class"),
            Column::words("References", "Number of outgoing references in each snapshot, oldest first", 150.0)
                .fixed(2)
                .key("references"),
            Column::numbers("Δ retained", "Change in retained size since the first snapshot", 96.0, 7)
                .key("more_bytes"),
            Column::numbers("Retained size", "Retained size in the last snapshot", 152.0, 8).key("retained_bytes"),
        ],
        snapshots::growing,
    )
};

const fn side(rows: SideRowKind) -> GrowthTable {
    GrowthTable::Comparison(DiffRows::Side(rows))
}

/// Tables with the names of their tabs and their reports, in the order of the tabs.
pub(super) const ALL: [(GrowthTable, &str, &Kind); 12] = [
    (GrowthTable::Comparison(DiffRows::Owners), "Owners", &OWNERS),
    (GrowthTable::SnapshotLeaks(SnapshotLeakKind::Stayed), "New and still alive", &STAYED),
    (GrowthTable::SnapshotLeaks(SnapshotLeakKind::Growing), "Monotonic growth", &GROWING),
    (GrowthTable::OverTime, "Over time", &THROUGH_ALL),
    (GrowthTable::Comparison(DiffRows::Classes), "Classes", &CLASSES),
    (side(SideRowKind::Packages), "Packages", &PACKAGES),
    (side(SideRowKind::Loaders), "Loaders", &LOADERS),
    (side(SideRowKind::Threads), "Threads", &THREADS),
    (side(SideRowKind::Strings), "Strings", &STRINGS),
    (side(SideRowKind::Collections), "Collections", &COLLECTIONS),
    (side(SideRowKind::Leaks), "Leaks", &LEAKS),
    (side(SideRowKind::Outside), "Outside", &OUTSIDE),
];

/// The report that shows a table; with a sparkline for each owner if more than two dumps are open.
pub(super) fn of(shown: GrowthTable, has_lines: bool) -> &'static Kind {
    match shown {
        GrowthTable::Comparison(DiffRows::Owners) if has_lines => &OWNERS_AND_LINES,
        _ => ALL.iter().find(|(table, ..)| *table == shown).map_or(&OWNERS, |(.., kind)| kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_tables::relations::RELATIONS;

    #[test]
    fn a_report_hides_columns_of_its_table_that_have_no_layout() {
        let commands = [
            "diff --of owners",
            "leaks --baseline --of stayed",
            "leaks --baseline --of growing",
            "diff --of owners, three dumps or more",
            "diff --of classes",
            "diff --of packages",
            "diff --of loaders",
            "diff --of threads",
            "diff --of strings",
            "diff --of collections",
            "diff --of leaks",
            "diff --of outside",
        ];
        assert_eq!(commands.len(), ALL.len());
        for (command, (.., kind)) in commands.iter().zip(ALL) {
            let relation = RELATIONS.iter().find(|relation| relation.command == *command).expect(command);
            assert_eq!(kind.unknown_hidden(relation.columns), Vec::<&str>::new(), "{}", kind.name);
            assert!(kind.initial_sort().is_some(), "{}", kind.name);
        }
    }
}
