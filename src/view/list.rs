//! All views of the window, one entry each: adding a view means its folder below `ui/views` and an entry here.
//!
//! An entry is a [`ViewInfo`](super::ViewInfo) without fields of the usual value, then what only the window reads: the
//! condition of use (a variant of `Needs`), the keyboard shortcuts, and the page: `[name]` of a field of `Views` if other
//! code needs it by its type, otherwise an expression that makes it, with paths as in `ui/views/all.rs`.

/// Calls the macro `$then` with all entries, in their order in the window; views of a group are adjacent.
macro_rules! for_each_view {
    ($then:ident) => {
        $then! {
        Overview {
            key: "Overview",
            name: "Overview",
            about: "Summary of the dump and its most important findings",
            argument: "overview",
            help: "Key figures and problems of the dump",
            group: ViewGroup::Start,
            is_about_objects: false,
            synonyms: &[
                "heap dump overview", "heap summary", "system overview", "top components", "inspections",
                "heap dump details", "dump details", "statistics",
            ],
        } needs Ready, keys [plain(Key::Num1)], page [overview];
        Process {
            key: "Process",
            name: "Process",
            about: "Memory of the process: the heap in it, what is outside of the heap, and who holds it",
            argument: "process",
            help: "Memory of the process, and who holds what is outside of the heap",
            group: ViewGroup::Memory,
            is_about_objects: false,
            synonyms: &[
                "native memory", "RSS", "resident memory", "direct memory", "direct buffers", "off-heap memory", "NMT",
                "native memory tracking", "container limit", "external memory", "memory outside the heap",
            ],
        } needs Ready, keys [], page (super::process::ProcessPage::default());
        Histogram {
            key: "Histogram",
            name: "Histogram",
            about: "Class histogram: number of objects and bytes by class",
            argument: "histogram",
            help: "Class histogram",
            group: ViewGroup::Memory,
            is_about_objects: false,
            synonyms: &[
                "class histogram", "summary", "class list", "constructors", "jmap histo", "live objects",
                "group by class", "group by package", "group by class loader", "delta histogram", "show as histogram",
            ],
        } needs Ready, keys [plain(Key::Num2)], page [histogram];
        Dominators {
            key: "Dominator tree",
            name: "Dominator tree",
            about: "Objects with the largest retained size, each below its immediate dominator",
            argument: "dominators",
            help: "Dominator tree",
            group: ViewGroup::Memory,
            synonyms: &[
                "big objects", "biggest objects", "largest objects", "top consumers", "retained heap", "heap graph",
                "immediate dominators tree", "retained sizes", "top consumers report",
            ],
        } needs Ready, keys [plain(Key::Num3)], page [dominators];
        Objects {
            key: "Objects",
            name: "Objects",
            about: "Objects of the selected class",
            argument: "objects",
            help: "Objects of the largest class, or of the class of --object",
            group: ViewGroup::Memory,
            synonyms: &[
                "instances", "list objects", "list objects with outgoing references",
                "list objects with incoming references", "instances view",
            ],
        } needs Ready, keys [plain(Key::Num4)], page [objects];
        Paths {
            key: "Merged paths",
            name: "Merged paths",
            about: "Shortest paths from GC roots to all objects of the selected class, merged into one tree",
            argument: "paths",
            help: "Merged paths to the objects of the largest class",
            group: ViewGroup::Memory,
            synonyms: &[
                "merge shortest paths to GC roots", "paths from GC roots", "common paths to GC roots", "shortest paths",
                "common paths", "merged shortest paths",
            ],
        } needs Ready, keys [plain(Key::Num5)], page [merged];
        Related {
            key: "Related",
            name: "Related objects",
            about: "Objects that a class or the selected objects retain, or that dominate or refer to them, by class",
            argument: "related",
            help: "Objects retained by the largest class, by class",
            group: ViewGroup::Memory,
            synonyms: &[
                "show objects by class", "retained set", "customized retained set", "minimum retained set",
                "immediate dominators by class", "incoming references by class", "outgoing references by class",
                "retainers by class", "referrers", "show retained set",
            ],
        } needs Ready, keys [], page [related];
        Route {
            key: "Route",
            name: "Path between objects",
            about: "Shortest path from one object to another, with the retained size of each object on it",
            argument: "route",
            alias: Some("path"),
            help: "Shortest path from --from to --object (alias: path)",
            group: ViewGroup::Memory,
            synonyms: &["shortest path", "connection between objects", "paths between two objects"],
        } needs Ready, keys [], page [route];
        Query {
            key: "Query",
            name: "Query",
            about: "SQL over the objects of the dump: tables, functions, and a table for each class",
            argument: "query",
            help: "SQL over the objects of the dump",
            group: ViewGroup::Memory,
            synonyms: &["SQL", "OQL", "object query language", "OQL console", "select"],
        } needs Ready, keys [plain(Key::Q)], page [query];
        Containment {
            key: "Containment",
            name: "Containment",
            about: "Object graph below the root of the snapshot, global objects first",
            argument: "containment",
            help: "JavaScript: containment tree",
            group: ViewGroup::Memory,
            synonyms: &["object graph", "global objects", "window objects"],
        } needs Snapshot, keys [], page (super::containment::Containment::default());
        Roots {
            key: "GC roots",
            name: "GC roots",
            about: "GC roots grouped by kind",
            argument: "roots",
            help: "GC roots by kind",
            group: ViewGroup::Memory,
            synonyms: &[
                "GC roots by type", "root types", "sticky classes", "JNI globals", "containment view", "sticky class",
            ],
        } needs Ready, keys [], page (Report::new(&kinds::ROOTS));
        Ownership {
            key: "Roots & owners",
            name: "Inferred roots",
            about: "Inferred roots (objects without incoming references) and their ownership trees, as in HeapRoots",
            argument: "ownership",
            alias: Some("inferred-roots"),
            help: "Inferred roots and their ownership trees (alias: inferred-roots)",
            group: ViewGroup::Memory,
            synonyms: &["HeapRoots", "HeapAnalyzer", "ownership tree", "artificial roots"],
        } needs Ready, keys [], page (super::ownership::Ownership::default());
        Leaks {
            key: "Leaks",
            name: "Leaks",
            about: "Leak suspects: the paths that hold them, the reference to cut, and what that frees",
            argument: "leaks",
            help: "Leak suspects",
            group: ViewGroup::Leaks,
            synonyms: &[
                "leak suspects", "leak suspects report", "find leaks", "memory leaks", "problem suspects",
                "leak detector", "component report", "leak suspects by class",
            ],
        } needs Ready, keys [plain(Key::F)], page [leaks];
        Growth {
            key: "Growth",
            name: "Growth",
            about: "Differences from the baseline: owners, classes and objects that grew",
            argument: "growth",
            help: "Growth between two or more dumps",
            group: ViewGroup::Leaks,
            synonyms: &[
                "comparison", "compared tables", "delta", "new objects", "objects allocated between snapshots",
                "leak diff", "objects allocated between dumps", "compare basket", "histogram comparison",
            ],
        } needs Comparison, keys [plain(Key::Num9)], page [growth];
        Detached {
            key: "Detached nodes",
            name: "Detached nodes",
            about: "DOM nodes that are no longer part of a document, and the objects that hold them",
            argument: "detached",
            help: "JavaScript: detached DOM nodes",
            group: ViewGroup::Leaks,
            synonyms: &["detached DOM tree", "detached elements", "detached HTML elements"],
        } needs Detached, keys [], page (Report::new(&kinds::DETACHED));
        RetainedBy {
            key: "Kept by",
            name: "Retained by",
            about: "Objects retained only by detached DOM nodes, closure contexts, the console or event listeners",
            argument: "retained-by",
            alias: Some("kept-by"),
            help: "JavaScript: retained by detached nodes, contexts, console or listeners",
            group: ViewGroup::Leaks,
            synonyms: &[
                "objects retained by detached DOM nodes", "objects retained by the DevTools console",
                "objects retained by contexts", "objects retained by event handlers",
            ],
        } needs Snapshot, keys [], page (Report::new(&kinds::RETAINED_BY));
        Timeline {
            key: "Timeline",
            name: "Allocation timeline",
            about: "Allocation times of the objects that are still alive",
            argument: "timeline",
            help: "JavaScript: allocation timeline",
            group: ViewGroup::Leaks,
            synonyms: &["allocation instrumentation", "allocations on timeline", "allocation sampling", "generations"],
        } needs Recorded, keys [], page (super::timeline::Timeline::default());
        Policies {
            key: "Policies",
            name: "Policies",
            about: "What usual fixes would free: limits on entries, weak references, age limits, shared strings",
            argument: "policies",
            help: "What usual fixes would free",
            group: ViewGroup::Leaks,
            is_about_objects: false,
            synonyms: &[
                "what if", "fixes", "bounded cache", "limit cache size", "weak references", "string deduplication",
            ],
        } needs Ready, keys [], page (Report::new(&kinds::POLICIES));
        Waste {
            key: "Waste",
            name: "Waste",
            about: "Wasted memory: duplicates, sparse collections, unused capacity",
            argument: "waste",
            help: "Wasted memory",
            group: ViewGroup::Waste,
            synonyms: &[
                "wasted memory", "memory waste", "duplicate arrays", "duplicate objects", "zero-filled arrays",
                "primitive arrays with a constant value", "boxed values", "unused capacity", "primitive arrays",
            ],
        } needs Ready, keys [plain(Key::Num7)], page (Report::new(&kinds::WASTE));
        Strings {
            key: "Strings",
            name: "Duplicate strings",
            about: "Strings with equal content, and the objects that hold them",
            argument: "strings",
            help: "Duplicate strings",
            group: ViewGroup::Waste,
            synonyms: &["duplicated strings", "string duplicates", "group strings by value", "equal strings"],
        } needs Fields, keys [plain(Key::Num8)], page (Report::new(&kinds::STRINGS));
        Collections {
            key: "Collections",
            name: "Collections",
            about: "Collections by class, with fill ratio and unused capacity",
            argument: "collections",
            help: "Collections by class",
            group: ViewGroup::Waste,
            synonyms: &[
                "collection fill ratio", "array fill ratio", "map collision ratio", "hash collisions",
                "empty collections", "sparse collections", "collections grouped by size",
            ],
        } needs JavaFields, keys [], page (Report::new(&kinds::COLLECTIONS));
        Bitmaps {
            key: "Bitmaps",
            name: "Bitmaps",
            about: "Gallery of the bitmaps in the heap: dimensions, duplicates and the objects that hold them",
            argument: "bitmaps",
            help: "Android: bitmaps",
            group: ViewGroup::Waste,
            synonyms: &["duplicate bitmaps", "bitmap preview", "images"],
        } needs Bitmaps, keys [plain(Key::G)], page (super::bitmaps::Bitmaps::default());
        Gaps {
            key: "Gaps",
            name: "Gaps",
            about: "Unused address ranges between objects, by size",
            argument: "gaps",
            help: "Gaps between objects",
            group: ViewGroup::Waste,
            is_about_objects: false,
            synonyms: &["fragmentation", "free space", "holes"],
        } needs Addresses, keys [], page (Report::new(&kinds::GAPS));
        Threads {
            key: "Threads",
            name: "Threads",
            about: "Threads with their stack frames, local variables and retained sizes",
            argument: "threads",
            help: "Threads, stack frames and local variables",
            group: ViewGroup::Runtime,
            synonyms: &[
                "thread overview", "thread dump", "thread stacks", "stack frames", "local variables", "thread details",
                "java stack traces", "thread locals",
            ],
        } needs Java, keys [plain(Key::Num6)], page (Report::new(&kinds::THREADS));
        Loaders {
            key: "Loaders",
            name: "Class loaders",
            about: "Class loaders with their classes and retained sizes",
            argument: "loaders",
            help: "Class loaders",
            group: ViewGroup::Runtime,
            synonyms: &[
                "class loader explorer", "duplicate classes", "classloader leak", "web apps", "group by loader",
            ],
        } needs Java, keys [], page (Report::new(&kinds::LOADERS));
        Finalizers {
            key: "Finalizers",
            name: "Finalizers",
            about: "Objects that wait for their finalizer to run",
            argument: "finalizers",
            help: "Objects with a pending finalizer",
            group: ViewGroup::Runtime,
            synonyms: &["finalizer overview", "finalizer queue", "finalization", "unfinalized objects"],
        } needs Finalizers, keys [], page (Report::new(&kinds::FINALIZERS));
        Closures {
            key: "Closures",
            name: "Closures",
            about: "JavaScript functions: source position, captured variables and retained size",
            argument: "closures",
            help: "JavaScript: closures and captured variables",
            group: ViewGroup::Runtime,
            synonyms: &["contexts", "captured variables", "scopes"],
        } needs Snapshot, keys [], page (Report::new(&kinds::CLOSURES));
        NativeContexts {
            key: "Native contexts",
            name: "Native contexts",
            about: "Memory per native context (page, iframe, vm context)",
            argument: "native-contexts",
            help: "JavaScript: memory per native context",
            group: ViewGroup::Runtime,
            synonyms: &["iframes", "realms", "global scopes"],
        } needs Snapshot, keys [], page (Report::new(&kinds::NATIVE_CONTEXTS));
        Stars {
            key: "Stars",
            name: "Stars and notes",
            about: "Objects of this dump with a star or a note",
            argument: "stars",
            help: "Objects with a star or note",
            group: ViewGroup::Notes,
            synonyms: &["bookmarks", "annotations", "marked objects"],
        } needs Ready, keys [], page (super::stars::Stars::default());
        ParseWarnings {
            key: "Notes",
            name: "Parse warnings",
            about: "Skipped, truncated or malformed records of the dump",
            argument: "parse-warnings",
            alias: Some("notes"),
            help: "Parse warnings",
            group: ViewGroup::Notes,
            is_about_objects: false,
            synonyms: &["import log", "error log", "parse errors", "truncated dump"],
        } needs Ready, keys [plain(Key::Num0)], page (super::parse_warnings::ParseWarnings);
        }
    };
}

pub(crate) use for_each_view;
