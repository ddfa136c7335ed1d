//! Tooltips of the overview: titles of cards and definitions of the facts about the dump.

use heaplens_analysis::overview::FactKind;

/// Name of a key figure and its tooltip.
type Term = (&'static str, &'static str);

pub(super) const REACHABLE: Term =
    ("Reachable", "Bytes of all objects that GC roots reach, directly or through other objects");
pub(super) const OBJECTS: Term = ("Objects", "Number of objects that GC roots reach");
pub(super) const UNREACHABLE: Term =
    ("Unreachable", "Bytes of objects that no GC root reaches; in a complete dump, the next collection frees them");
pub(super) const REFERENCES: Term =
    ("References", "Number of references: fields, array elements and other pointers from one object to another");
pub(super) const CLASSES: Term = ("Classes", "Number of classes in the dump");
pub(super) const NATIVE: Term = ("Native", "Bytes outside the JavaScript heap: typed arrays and other native memory");
pub(super) const DETACHED_NODES: Term =
    ("Detached nodes", "Number of DOM nodes that are no longer attached to a document but still referenced");
pub(super) const DETACHED_BYTES: Term = ("Detached bytes", "Shallow size of all detached DOM nodes");
pub(super) const LOADERS: Term = ("Class loaders", "Number of class loaders that defined a class");
pub(super) const ROOTS: Term =
    ("GC roots", "Number of objects that are alive without being referenced: threads, static fields, JNI handles, …");
pub(super) const THREADS: Term = ("Threads", "Number of threads when the dump was taken");
pub(super) const OUTSIDE: Term =
    ("Native", "Native memory of objects, which is outside the heap: direct buffers, inflaters, registered memory");

/// Topic of a card.
#[derive(Clone, Copy)]
pub(super) enum Card {
    Health,
    /// Memory by type; JavaScript snapshots only.
    Memory,
    Objects,
    ByRetained,
    ByShallow,
    Packages,
    Threads,
}

/// Title of a card and its tooltip.
pub(super) const fn title(card: Card) -> (&'static str, &'static str) {
    match card {
        Card::Health => ("Dump health", "Origin of the dump, and whether it is complete enough to trust the figures"),
        Card::Memory => ("Memory by type", "Bytes of the heap by content: strings, code, arrays, native memory, …"),
        Card::Objects => {
            ("Largest objects", "Objects with the largest retained size: bytes freed if the object were collected")
        }
        Card::ByRetained => {
            ("Classes by retained size", "Classes by the bytes that would be freed if all their objects were collected")
        }
        Card::ByShallow => (
            "Classes by shallow size",
            "Classes by the bytes of their objects, without the objects that these refer to",
        ),
        Card::Packages => (
            "Packages by retained size",
            "Packages by the bytes that would be freed if all their objects were collected",
        ),
        Card::Threads => {
            ("Threads by retained size", "Threads by the bytes freed if the thread ended, its local variables included")
        }
    }
}

/// Definition of a fact about the dump.
pub(super) const fn fact(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Runtime => "Virtual machine and version of the program that was dumped",
        FactKind::System => "Operating system and architecture the program ran on",
        FactKind::Program => "Main class or archive the program was started with",
        FactKind::Arguments => "Command-line arguments of the virtual machine, such as -Xmx",
        FactKind::Collectors => "Garbage collectors the virtual machine used",
        FactKind::JavaHome => "Folder of the Java installation, system property java.home",
        FactKind::Folder => "Working directory of the program, system property user.dir",
        FactKind::Uptime => "Time between the start of the program and the dump",
        FactKind::WrittenBy => "Program that wrote the dump, size of object ids, and size of the file",
        FactKind::Numbers => "Rules for sizes and distances: those of the file or those of Chrome DevTools",
        FactKind::Layout => "Rules for computing object sizes: header, alignment and reference width",
        FactKind::SizeOrigins => {
            "Classes whose instance size was measured in the dump, follows from the layout, or is assumed"
        }
        FactKind::HeaderBytes => "Bytes at the start of every object that the virtual machine uses for itself",
        FactKind::LiveOrAll => {
            "Objects in the dump: reachable ones only, or also unreachable ones that a garbage collection would free"
        }
        FactKind::Completeness => "Completeness of the file; a truncated dump lacks objects",
        FactKind::Stacks => "Stack traces of threads: recorded in the dump or not",
        FactKind::OutOfMemory => {
            "OutOfMemoryError that caused the dump, or was thrown before it: its kind, thread and frame"
        }
        FactKind::Values => "Field values and strings: recorded in the dump, or removed from it",
    }
}
