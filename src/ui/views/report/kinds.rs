//! Reports with a view of their own, one entry each, and the one by allocation site, a grouping of the histogram.

use super::Kind;
use crate::ui::widgets::Column;
use heaplens_tables::dump::javascript::JavaScriptQuery;
use heaplens_tables::{TableKind, declared, reports};

/// Threads, their stack frames, and the retained sizes of local variables.
pub const THREADS: Kind = Kind {
    name: "Threads",
    columns: &[
        Column::naming(declared::threads("name"), 230.0)
            .about("Thread; below it its stack frames and the objects their local variables refer to")
            .titled("Thread"),
        Column::of(declared::threads("state"), 132.0, 6),
        Column::of(declared::threads("frames"), 76.0, 5),
        Column::of(declared::threads("retained_bytes"), 152.0, 8)
            .about("Bytes freed if the thread were collected; for a frame, if all objects of its local variables were"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by thread, method or class",
    nothing: ("No threads", "The dump contains no thread information"),
    subject: Some(TableKind::Threads),
    make: reports::threads::rows,
};

/// Wasted memory by kind, with the objects that waste the most.
pub const WASTE: Kind = Kind {
    name: "Waste",
    columns: &[
        Column::naming(declared::waste("kind"), 200.0).about("Kind of waste; below it the objects that waste the most"),
        Column::of(declared::waste("objects"), 104.0, 6),
        Column::of(declared::waste("wasted_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by kind or class",
    nothing: ("No waste", "No duplicate strings, sparse collections or other known kinds of waste found"),
    subject: Some(TableKind::Waste),
    make: reports::waste::rows,
};

/// String values that occur more than once, with their owners and strings below.
pub const STRINGS: Kind = Kind {
    name: "Duplicate strings",
    columns: &[
        Column::naming(declared::strings("text"), 200.0)
            .about("String value; below it the owners of its strings and the strings themselves"),
        Column::of(declared::strings("objects"), 92.0, 6),
        Column::of(declared::strings("shallow_bytes"), 152.0, 5),
        Column::of(declared::strings("wasted_bytes"), 152.0, 8),
    ],
    sorted: Some((3, true)),
    filter: "Filter by value",
    nothing: ("No duplicate strings", "No string value occurs twice, or the dump does not contain string values"),
    subject: Some(TableKind::Strings),
    make: reports::strings::rows,
};

/// Collections by class: number, fill ratio and unused capacity.
pub const COLLECTIONS: Kind = Kind {
    name: "Collections",
    columns: &[
        Column::naming(declared::collections("class"), 200.0).about("Collection class"),
        Column::of(declared::collections("objects"), 86.0, 6),
        Column::of(declared::collections("elements"), 92.0, 5),
        Column::of(declared::collections("empty"), 78.0, 4),
        Column::of(declared::collections("sparse"), 78.0, 3)
            .about("Collections that use less than a quarter of their capacity, but are not empty"),
        Column::of(declared::collections("fill_ratio"), 78.0, 2),
        Column::of(declared::collections("shallow_bytes"), 152.0, 1),
        Column::of(declared::collections("wasted_bytes"), 152.0, 8),
    ],
    sorted: Some((7, true)),
    filter: "Filter by class",
    nothing: ("No collections", "The dump contains no collections of a known class"),
    subject: Some(TableKind::Collections),
    make: reports::collections::rows,
};

/// Class loaders: classes and retained size of each, and loaders that are held only by their own classes.
pub const LOADERS: Kind = Kind {
    name: "Class loaders",
    columns: &[
        Column::naming(declared::loaders("label"), 250.0)
            .about("Class loader; below it the object that holds it and classes that other loaders define too")
            .titled("Class loader"),
        Column::of(declared::loaders("classes"), 84.0, 5),
        Column::of(declared::loaders("objects"), 96.0, 6),
        Column::of(declared::loaders("kept_by_objects_bytes"), 152.0, 7)
            .about("Bytes freed if all objects of its classes were collected; each byte counted once")
            .titled("Retained by classes"),
        Column::of(declared::loaders("retained_bytes"), 152.0, 8),
    ],
    sorted: Some((3, true)),
    filter: "Filter by loader or class",
    nothing: ("No class loaders", "The dump contains no classes"),
    subject: Some(TableKind::Loaders),
    make: reports::loaders::rows,
};

/// GC roots by kind, with the largest of each kind below it.
pub const ROOTS: Kind = Kind {
    name: "GC roots",
    columns: &[
        Column::naming(declared::roots("kind"), 200.0).about("Kind of GC root (thread, static field, JNI handle, …); below it the roots with the largest retained size")
        .titled("Type"),
        Column::of(declared::roots("count"), 96.0, 6),
        Column::of(declared::roots("retained_bytes"), 152.0, 8)
            .about("Bytes freed if all roots of this type were removed; each byte counted once"),
    ],
    sorted: Some((2, true)),
    filter: "Filter by type or class",
    nothing: (
        "No GC roots",
        "Without GC roots, reachability is unknown. The dump may be truncated; take or copy it again",
    ),
    subject: Some(TableKind::Roots),
    make: reports::roots::rows,
};

/// Gaps between objects, by size: a measure of heap fragmentation.
pub const GAPS: Kind = Kind {
    name: "Gaps",
    columns: &[
        Column::naming(declared::gaps("gap_bytes"), 200.0)
            .about("Size of the unused space between two neighbouring objects")
            .titled("Gap size"),
        Column::of(declared::gaps("count"), 96.0, 6).titled("Number"),
        Column::numbers("Total size", "Total bytes of these gaps", 152.0, 8),
    ],
    sorted: Some((0, true)),
    filter: "Filter by size",
    nothing: ("No gaps", "Each object begins where the previous one ends"),
    subject: Some(TableKind::Gaps),
    make: reports::gaps::rows,
};

/// Objects with a pending finalizer, by class and state.
pub const FINALIZERS: Kind = Kind {
    name: "Finalizers",
    columns: &[
        Column::naming(declared::finalizers("class"), 200.0).about("Class with a finalizer; below it its objects"),
        Column::of(declared::finalizers("state"), 120.0, 7)
            .about("Finalizer running, waiting in the queue, or registered (object still alive)"),
        Column::of(declared::finalizers("objects"), 96.0, 6),
        Column::of(declared::finalizers("retained_bytes"), 152.0, 8),
    ],
    sorted: None,
    filter: "Filter by class",
    nothing: ("No finalizers", "No object has a pending finalizer"),
    subject: Some(TableKind::Finalizers),
    make: reports::finalizers::rows,
};

/// Allocation sites: a call tree with the objects each frame allocated. One of the groupings of the histogram.
pub const SITES: Kind = Kind {
    name: "Allocation sites",
    columns: &[
        Column::naming(declared::sites("frame"), 200.0)
            .about("Stack frame, outermost first; below it the frames it called and the objects it allocated itself")
            .titled("Allocated by"),
        Column::of(declared::sites("objects"), 96.0, 6),
        Column::of(declared::sites("shallow_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by frame or class",
    nothing: (
        "No allocation sites",
        "The dump has no allocation stacks. Record allocations while the program runs, then take the dump",
    ),
    subject: Some(TableKind::Sites),
    make: reports::sites::rows,
};

/// Functions by source position; below each the variables it captures, and its closures.
pub const CLOSURES: Kind = Kind {
    name: "Closures",
    columns: &[
        Column::naming(declared::closures("function"), 200.0)
            .about("Function and its source location; below it the variables it captures and its closures"),
        Column::of(declared::closures("closures"), 92.0, 5),
        Column::of(declared::closures("captured_bytes"), 104.0, 6),
        Column::of(declared::closures("retained_bytes"), 152.0, 8)
            .about("Bytes freed if all closures of the function were collected"),
    ],
    sorted: Some((3, true)),
    filter: "Filter by function, script or variable",
    nothing: ("No functions", "The snapshot contains no functions with source locations"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Closures)),
    make: reports::closures::rows,
};

/// Objects retained only by detached nodes, closure contexts, the console or event listeners: the filters of DevTools
/// side by side, with the objects of each by class.
pub const RETAINED_BY: Kind = Kind {
    name: "Retained by",
    columns: &[
        Column::naming(declared::retained_by("by"), 200.0)
            .about("Kind of retainer; below it, by class, the objects that only this kind retains"),
        Column::of(declared::retained_by("objects"), 96.0, 6)
            .about("Number of objects retained only by this kind of retainer"),
        Column::of(declared::retained_by("shallow_bytes"), 152.0, 8),
        Column::numbers("Retained size", "", 104.0, 4),
        Column::of(declared::retained_by("keepers"), 88.0, 5),
    ],
    sorted: Some((2, true)),
    filter: "Filter by class",
    nothing: (
        "No such objects",
        "Detached DOM nodes, closure contexts, the console and event listeners exist only in V8 snapshots",
    ),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::RetainedBy)),
    make: reports::retained_by::rows,
};

/// DOM nodes that are not attached to a document, by class and retainer.
pub const DETACHED: Kind = Kind {
    name: "Detached nodes",
    columns: &[
        Column::naming(declared::detached("class"), 200.0)
            .about("Class of DOM nodes that are not attached to a document; below it its nodes"),
        Column::of(declared::detached("holder"), 150.0, 5),
        Column::of(declared::detached("objects"), 84.0, 5).about("Number of detached nodes").titled("Nodes"),
        Column::of(declared::detached("shallow_bytes"), 104.0, 4),
        Column::of(declared::detached("retained_bytes"), 152.0, 8),
    ],
    sorted: Some((4, true)),
    filter: "Filter by node or retainer",
    nothing: ("No detached nodes", "All DOM nodes are attached to a document"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::Detached)),
    make: reports::detached::rows,
};

/// Memory per native context (page, iframe, `vm` context); below each, by class, the objects that belong to it alone.
pub const NATIVE_CONTEXTS: Kind = Kind {
    name: "Native contexts",
    columns: &[
        Column::naming(declared::native_contexts("name"), 200.0)
            .about("Global scope of a page, iframe or vm context; below it its classes"),
        Column::of(declared::native_contexts("objects"), 96.0, 6)
            .about("Number of objects that belong only to this context"),
        Column::of(declared::native_contexts("shallow_bytes"), 152.0, 8),
    ],
    sorted: Some((2, true)),
    filter: "Filter by context or class",
    nothing: ("No native contexts", "The snapshot contains no native contexts"),
    subject: Some(TableKind::JavaScript(JavaScriptQuery::NativeContexts)),
    make: reports::native_contexts::rows,
};
