//! Reports with a view of their own, one entry each, and the one by allocation site, a grouping of the histogram.

use super::{Kind, row_group};
use crate::ui::widgets::Column;
use heaplens_tables::{relations, reports};

/// Threads, their stack frames, and the retained sizes of local variables.
pub const THREADS: Kind = Kind {
    hidden: "id class daemon priority virtual tid context_class_loader shallow_bytes out_of_memory locals",
    filter: "Filter by thread, method or class",
    label_first: true,
    nothing: ("No threads", "The dump contains no thread information"),
    ..Kind::of(
        &relations::THREADS,
        &[
            Column::naming(relations::THREADS.column("name"), 230.0)
                .about("Thread; below it its stack frames and the objects their local variables refer to")
                .titled("Thread"),
            Column::of(relations::THREADS.column("state"), 132.0, 6),
            Column::of(relations::THREADS.column("frames"), 76.0, 5),
            Column::of(relations::THREADS.column("retained_bytes"), 152.0, 8).about(
                "Bytes freed if the thread were collected; for a frame, if all objects of its local variables were",
            ),
        ],
        reports::threads::rows,
    )
};

/// Wasted memory by kind, with the objects that waste the most.
pub const WASTE: Kind = Kind {
    hidden: "examples",
    filter: "Filter by kind or class",
    group: Some(row_group::of_waste),
    nothing: ("No waste", "No duplicate strings, sparse collections or other known kinds of waste found"),
    ..Kind::of(
        &relations::WASTE,
        &[
            Column::naming(relations::WASTE.column("kind"), 200.0)
                .about("Kind of waste; below it the objects that waste the most"),
            Column::of(relations::WASTE.column("objects"), 104.0, 6),
            Column::of(relations::WASTE.column("wasted_bytes"), 152.0, 8),
        ],
        reports::waste::rows,
    )
};

/// The memory of the process in parts, with what holds each.
pub const PROCESS: Kind = Kind {
    hidden: "kind",
    filter: "Filter by part",
    nothing: ("Nothing known", "The dump tells nothing about the memory of its process"),
    ..Kind::of(
        &relations::PROCESS,
        &[
            Column::naming(relations::PROCESS.column("part"), 260.0)
                .about("Part of the memory of the process; below it what holds memory in it"),
            Column::of(relations::PROCESS.column("bytes"), 152.0, 8),
            Column::of(relations::PROCESS.column("share"), 76.0, 6),
            Column::of(relations::PROCESS.column("known"), 92.0, 5),
            Column::of(relations::PROCESS.column("count"), 92.0, 4),
            Column::of(relations::PROCESS.column("owner"), 200.0, 7),
            Column::of(relations::PROCESS.column("about"), 260.0, 3),
        ],
        reports::process::rows,
    )
};

/// The same beside that of the baseline.
pub const PROCESS_COMPARED: Kind = Kind {
    sorted: Some("delta_bytes"),
    hidden: "kind",
    filter: PROCESS.filter,
    nothing: PROCESS.nothing,
    ..Kind::new(
        "Growth of the process",
        &[
            Column::naming(relations::PROCESS.column("part"), 220.0)
                .about("Part of the memory of the process; below it what holds memory in it"),
            Column::of(relations::PROCESS.column("bytes"), 104.0, 8),
            Column::numbers("Before", "The same in the baseline", 92.0, 7).key("before_bytes"),
            Column::numbers("Δ size", "Change since the baseline (after − before)", 104.0, 8).key("delta_bytes"),
            Column::of(relations::PROCESS.column("share"), 76.0, 4),
            Column::of(relations::PROCESS.column("known"), 92.0, 3),
            Column::of(relations::PROCESS.column("count"), 92.0, 2),
            Column::of(relations::PROCESS.column("owner"), 200.0, 6),
            Column::of(relations::PROCESS.column("about"), 260.0, 1),
        ],
        reports::process::compared_rows,
    )
};

/// Usual fixes of the structures that hold the most, each as a removal.
pub const POLICIES: Kind = Kind {
    hidden: "share id",
    filter: "Filter by policy",
    nothing: ("No policies", "No finding has a structure with many entries, and no strings are equal"),
    ..Kind::of(
        &relations::POLICIES,
        &[
            Column::naming(relations::POLICIES.column("policy"), 300.0)
                .about("What the program would do; X removes what it would release, and shows the heap after"),
            Column::of(relations::POLICIES.column("freed_objects"), 104.0, 6),
            Column::of(relations::POLICIES.column("freed_bytes"), 152.0, 8),
            Column::of(relations::POLICIES.column("cut"), 260.0, 5),
        ],
        reports::policies::rows,
    )
};

/// String values that occur more than once, with their owners and strings below.
pub const STRINGS: Kind = Kind {
    hidden: "held_by",
    filter: "Filter by value",
    nothing: ("No duplicate strings", "No string value occurs twice, or the dump does not contain string values"),
    ..Kind::of(
        &relations::STRINGS,
        &[
            Column::naming(relations::STRINGS.column("text"), 200.0)
                .about("String value; below it the owners of its strings and the strings themselves"),
            Column::of(relations::STRINGS.column("objects"), 92.0, 6),
            Column::of(relations::STRINGS.column("shallow_bytes"), 152.0, 5),
            Column::of(relations::STRINGS.column("wasted_bytes"), 152.0, 8),
        ],
        reports::strings::rows,
    )
};

/// Collections by class: number, fill ratio and unused capacity.
pub const COLLECTIONS: Kind = Kind {
    hidden: "single capacity loader loader_id",
    filter: "Filter by class",
    group: Some(row_group::of_collections),
    nothing: ("No collections", "The dump contains no collections of a known class"),
    ..Kind::of(
        &relations::COLLECTIONS,
        &[
            Column::naming(relations::COLLECTIONS.column("class"), 200.0).about("Collection class"),
            Column::of(relations::COLLECTIONS.column("objects"), 86.0, 6),
            Column::of(relations::COLLECTIONS.column("elements"), 92.0, 5),
            Column::of(relations::COLLECTIONS.column("empty"), 78.0, 4),
            Column::of(relations::COLLECTIONS.column("sparse"), 78.0, 3)
                .about("Collections that use less than a quarter of their capacity, but are not empty"),
            Column::of(relations::COLLECTIONS.column("fill_ratio"), 78.0, 2),
            Column::of(relations::COLLECTIONS.column("shallow_bytes"), 152.0, 1),
            Column::of(relations::COLLECTIONS.column("wasted_bytes"), 152.0, 8),
        ],
        reports::collections::rows,
    )
};

/// Class loaders: classes and retained size of each, and loaders that are held only by their own classes.
pub const LOADERS: Kind = Kind {
    hidden: "parent shallow_bytes duplicate_classes held_otherwise",
    filter: "Filter by loader or class",
    nothing: ("No class loaders", "The dump contains no classes"),
    ..Kind::of(
        &relations::LOADERS,
        &[
            Column::naming(relations::LOADERS.column("label"), 250.0)
                .about("Class loader; below it the object that holds it, and its classes with their objects")
                .titled("Class loader"),
            Column::of(relations::LOADERS.column("classes"), 84.0, 5),
            Column::of(relations::LOADERS.column("objects"), 96.0, 6),
            Column::of(relations::LOADERS.column("kept_by_objects_bytes"), 152.0, 7)
                .about("Bytes freed if all objects of its classes were collected; each byte counted once")
                .titled("Retained by classes"),
            Column::of(relations::LOADERS.column("retained_bytes"), 152.0, 8),
            Column::of(relations::LOADERS.column("metadata_bytes"), 112.0, 4),
        ],
        reports::loaders::rows,
    )
};

/// GC roots by kind, with the largest of each kind below it.
pub const ROOTS: Kind = Kind {
    filter: "Filter by type or class",
    nothing: (
        "No GC roots",
        "Without GC roots, reachability is unknown. The dump may be truncated; take or copy it again",
    ),
    ..Kind::of(
        &relations::ROOTS,
        &[
        Column::naming(relations::ROOTS.column("kind"), 200.0).about("Kind of GC root (thread, static field, JNI handle, …); below it the roots with the largest retained size")
        .titled("Type"),
        Column::of(relations::ROOTS.column("count"), 96.0, 6),
        Column::of(relations::ROOTS.column("retained_bytes"), 152.0, 8)
            .about("Bytes freed if all roots of this type were removed; each byte counted once"),
        ],
        reports::roots::rows,
    )
};

/// Gaps between objects, by size: a measure of heap fragmentation.
pub const GAPS: Kind = Kind {
    filter: "Filter by size",
    nothing: ("No gaps", "Each object begins where the previous one ends"),
    ..Kind::of(
        &relations::GAPS,
        &[
            Column::naming(relations::GAPS.column("gap_bytes"), 200.0)
                .about("Size of the unused space between two neighbouring objects")
                .titled("Gap size"),
            Column::of(relations::GAPS.column("count"), 96.0, 6).titled("Number"),
            Column::numbers("Total size", "Total bytes of these gaps", 152.0, 8),
        ],
        reports::gaps::rows,
    )
};

/// Objects with a pending finalizer, by class and state.
pub const FINALIZERS: Kind = Kind {
    filter: "Filter by class",
    nothing: ("No finalizers", "No object has a pending finalizer"),
    ..Kind::of(
        &relations::FINALIZERS,
        &[
            Column::naming(relations::FINALIZERS.column("class"), 200.0)
                .about("Class with a finalizer; below it its objects"),
            Column::of(relations::FINALIZERS.column("state"), 120.0, 7)
                .about("Finalizer running, waiting in the queue, or registered (object still alive)"),
            Column::of(relations::FINALIZERS.column("objects"), 96.0, 6),
            Column::of(relations::FINALIZERS.column("retained_bytes"), 152.0, 8),
        ],
        reports::finalizers::rows,
    )
};

/// Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.
pub const SITES: Kind = Kind {
    // The table is a tree in fixed order.
    sorted: Some("shallow_bytes"),
    hidden: "site depth share own_objects own_shallow_bytes app_bytes zygote_bytes image_bytes default_bytes \
        other_bytes",
    filter: "Filter by frame or class",
    nothing: (
        "No allocation sites",
        "The dump has no allocation stacks. Record allocations while the program runs, then take the dump",
    ),
    ..Kind::of(
        &relations::SITES,
        &[
            Column::naming(relations::SITES.column("frame"), 200.0)
                .about(
                    "Stack frame, outermost first; below it the frames it called and the objects it allocated itself",
                )
                .titled("Allocated by"),
            Column::of(relations::SITES.column("objects"), 96.0, 6),
            Column::of(relations::SITES.column("shallow_bytes"), 152.0, 8),
        ],
        reports::sites::rows,
    )
};

/// Functions by source position; below each the variables it captures, and its closures.
pub const CLOSURES: Kind = Kind {
    hidden: "source shallow_bytes variables id",
    filter: "Filter by function, script or variable",
    nothing: ("No functions", "The snapshot contains no functions with source locations"),
    ..Kind::of(
        &relations::FUNCTIONS,
        &[
            Column::naming(relations::FUNCTIONS.column("function"), 200.0)
                .about("Function and its source location; below it the variables it captures and its closures"),
            Column::of(relations::FUNCTIONS.column("closures"), 92.0, 5),
            Column::of(relations::FUNCTIONS.column("captured_bytes"), 104.0, 6),
            Column::of(relations::FUNCTIONS.column("retained_bytes"), 152.0, 8)
                .about("Bytes freed if all closures of the function were collected"),
        ],
        reports::closures::rows,
    )
};

/// Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
/// side by side, with the objects of each by class.
pub const RETAINED_BY: Kind = Kind {
    // The table has a fixed order.
    sorted: Some("shallow_bytes"),
    hidden: "share",
    filter: "Filter by class",
    nothing: (
        "No such objects",
        "Detached DOM nodes, closure contexts, the console and event listeners exist only in V8 snapshots",
    ),
    ..Kind::of(
        &relations::RETAINED_BY,
        &[
            Column::naming(relations::RETAINED_BY.column("by"), 200.0)
                .about("Kind of retainer; below it, by class, the objects that only this kind retains"),
            Column::of(relations::RETAINED_BY.column("objects"), 96.0, 6)
                .about("Number of objects retained only by this kind of retainer"),
            Column::of(relations::RETAINED_BY.column("shallow_bytes"), 152.0, 8),
            Column::numbers("Retained size", "", 104.0, 4),
            Column::of(relations::RETAINED_BY.column("keepers"), 88.0, 5),
        ],
        reports::retained_by::rows,
    )
};

/// DOM nodes that are not attached to a document, by class and retainer.
pub const DETACHED: Kind = Kind {
    // A row leads with the retainer.
    hidden: "holder holder_id id",
    filter: "Filter by node or retainer",
    nothing: ("No detached nodes", "All DOM nodes are attached to a document"),
    ..Kind::of(
        &relations::DETACHED_NODES,
        &[
            Column::naming(relations::DETACHED_NODES.column("class"), 200.0)
                .about("Retainer and class of DOM nodes that are not attached to a document; below it its nodes"),
            Column::of(relations::DETACHED_NODES.column("objects"), 84.0, 5)
                .about("Number of detached nodes")
                .titled("Nodes"),
            Column::of(relations::DETACHED_NODES.column("shallow_bytes"), 104.0, 4),
            Column::of(relations::DETACHED_NODES.column("retained_bytes"), 152.0, 8),
        ],
        reports::detached::rows,
    )
};

/// Memory per native context (page, iframe, `vm` context); below each, by class, the objects that belong to it alone.
pub const NATIVE_CONTEXTS: Kind = Kind {
    // The table has a fixed order.
    sorted: Some("shallow_bytes"),
    hidden: "id share",
    filter: "Filter by context or class",
    nothing: ("No native contexts", "The snapshot contains no native contexts"),
    ..Kind::of(
        &relations::NATIVE_CONTEXTS,
        &[
            Column::naming(relations::NATIVE_CONTEXTS.column("name"), 200.0)
                .about("Global scope of a page, iframe or vm context; below it its classes"),
            Column::of(relations::NATIVE_CONTEXTS.column("objects"), 96.0, 6)
                .about("Number of objects that belong only to this context"),
            Column::of(relations::NATIVE_CONTEXTS.column("shallow_bytes"), 152.0, 8),
        ],
        reports::native_contexts::rows,
    )
};

#[cfg(test)]
mod tests {
    use super::super::groups::{LOADERS as CLASSES_BY_LOADER, PACKAGES, SUPERCLASSES};
    use super::*;
    use crate::ui::widgets::table::Align;
    use heaplens_tables::ColumnInfo;
    use heaplens_tables::columns::Heading;

    const KINDS: &[&Kind] = &[
        &THREADS,
        &WASTE,
        &STRINGS,
        &COLLECTIONS,
        &LOADERS,
        &ROOTS,
        &GAPS,
        &SITES,
        &CLOSURES,
        &RETAINED_BY,
        &DETACHED,
        &NATIVE_CONTEXTS,
        &FINALIZERS,
        &PACKAGES,
        &CLASSES_BY_LOADER,
        &SUPERCLASSES,
    ];

    #[test]
    fn a_report_hides_columns_of_its_table_that_have_no_layout() {
        for kind in KINDS {
            let declared = kind.relation.expect("a table").columns;
            assert_eq!(kind.unknown_hidden(declared), Vec::<&str>::new(), "{}", kind.name);
        }
    }

    /// What a report does not hide is shown, whether it has a layout or not.
    #[test]
    fn a_new_column_of_a_table_is_shown() {
        let declared = relations::LOADERS.columns;
        let new = ColumnInfo { heading: Heading::plain("new_bytes", "New"), ..relations::LOADERS.column("classes") };
        let shown = LOADERS.columns_of(&[declared, &[new]].concat());
        let [known @ .., last] = &*shown else { panic!("no columns") };
        assert_eq!((known.len(), last.key, last.title), (LOADERS.columns.len(), "new_bytes", "New"));
        assert!(last.sorts && last.align == Align::Right && !shown.iter().any(|column| column.absent));
    }

    /// Finalizers come by state: running, waiting, registered.
    #[test]
    fn every_report_but_finalizers_begins_with_its_largest_rows() {
        for kind in KINDS.iter().filter(|kind| kind.name != FINALIZERS.name) {
            assert!(kind.initial_sort().is_some_and(|(_, is_descending)| is_descending), "{}", kind.name);
        }
        assert_eq!(FINALIZERS.sorted, None);
    }
}
