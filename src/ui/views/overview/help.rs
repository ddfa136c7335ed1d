//! Tooltips of the overview: titles of cards and definitions of the facts about the dump.

use heaplens_analysis::overview::FactKind;

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
    Waste,
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
        Card::Waste => {
            ("Waste", "Memory that holds no useful data: duplicate strings, sparse collections, unused capacity")
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
        FactKind::HeaderBytes => "Bytes at the start of every object that the virtual machine uses for itself",
        FactKind::LiveOrAll => {
            "Objects in the dump: reachable ones only, or also unreachable ones that a garbage collection would free"
        }
        FactKind::Completeness => "Completeness of the file; a truncated dump lacks objects",
        FactKind::Stacks => "Stack traces of threads: recorded in the dump or not",
        FactKind::OutOfMemory => "Threads with an OutOfMemoryError on their stack when the dump was taken",
        FactKind::Values => "Field values and strings: recorded in the dump, or removed from it",
    }
}
