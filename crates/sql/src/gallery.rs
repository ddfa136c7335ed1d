//! Queries that people ask for: a beginning for their own.

use heaplens_heap::Heap;

/// A query with its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GalleryQuery {
    /// What it answers, as a question's short form.
    pub title: &'static str,
    /// The query.
    pub query: &'static str,
    /// Dumps that it has an answer for.
    of: Dumps,
}

/// Dumps that a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dumps {
    All,
    /// Heaps of Java programs.
    Java,
    /// Snapshots of JavaScript engines.
    Script,
}

const fn all(title: &'static str, query: &'static str) -> GalleryQuery {
    GalleryQuery { title, query, of: Dumps::All }
}

const fn java(title: &'static str, query: &'static str) -> GalleryQuery {
    GalleryQuery { title, query, of: Dumps::Java }
}

const fn script(title: &'static str, query: &'static str) -> GalleryQuery {
    GalleryQuery { title, query, of: Dumps::Script }
}

const QUERIES: [GalleryQuery; 23] = [
    all(
        "Largest objects",
        "SELECT id, class, shallow_bytes, retained_bytes\nFROM objects\nORDER BY retained_bytes DESC\nLIMIT 100",
    ),
    all(
        "Objects and bytes by class",
        "SELECT class, objects, shallow_bytes, retained_bytes\nFROM classes\nORDER BY retained_bytes DESC",
    ),
    all(
        "Classes of a package",
        "SELECT class, objects, shallow_bytes\nFROM classes\nWHERE class LIKE 'java.util.%'\nORDER BY shallow_bytes DESC",
    ),
    all(
        "Average size by class",
        "SELECT class, objects, shallow_bytes / objects AS bytes_each\nFROM classes\nWHERE objects > 10\nORDER BY bytes_each DESC",
    ),
    all(
        "Large arrays",
        "SELECT id, class, label, shallow_bytes\nFROM objects\nWHERE class LIKE '%[]' AND shallow_bytes > 100000\nORDER BY shallow_bytes DESC",
    ),
    all(
        "Owners of the largest objects",
        "SELECT owner, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes\nFROM (SELECT * FROM objects ORDER BY shallow_bytes DESC LIMIT 1000)\nGROUP BY owner\nORDER BY shallow_bytes DESC",
    ),
    all(
        "Children of the largest object",
        "SELECT o.id, o.class, o.label, o.retained_bytes\nFROM objects o\nWHERE o.immediate_dominator = (SELECT id FROM objects ORDER BY retained_bytes DESC LIMIT 1)\nORDER BY o.retained_bytes DESC",
    ),
    all(
        "What the largest object retains, by class",
        "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes\nFROM retained_set((SELECT id FROM objects ORDER BY retained_bytes DESC LIMIT 1))\nGROUP BY class\nORDER BY shallow_bytes DESC",
    ),
    all(
        "Path to the largest object",
        "SELECT step, reference, id, class, label, retained_bytes\nFROM path((SELECT id FROM objects ORDER BY retained_bytes DESC LIMIT 1))",
    ),
    all(
        "Objects with many references to them",
        "SELECT target, class_of(target) AS class, count(*) AS referrers\nFROM refs\nGROUP BY target\nORDER BY referrers DESC\nLIMIT 100",
    ),
    all(
        "Weak references and what they refer to",
        "SELECT strength, class_of(target) AS class, count(*) AS count\nFROM refs\nWHERE strength <> 'strong'\nGROUP BY strength, class\nORDER BY count DESC",
    ),
    all(
        "GC roots by kind and class",
        "SELECT kind, class, count(*) AS roots, max(retained_bytes) AS largest\nFROM roots\nGROUP BY kind, class\nORDER BY largest DESC",
    ),
    all("Leak suspects", "SELECT \"group\", name, class, count, frees_bytes\nFROM findings\nORDER BY frees_bytes DESC"),
    all(
        "Depth of the heap",
        "SELECT distance, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes\nFROM objects\nWHERE reachable\nGROUP BY distance\nORDER BY distance",
    ),
    all(
        "Longest strings",
        "SELECT id, length(text) AS characters, substr(text, 1, 80) AS beginning\nFROM texts\nORDER BY characters DESC\nLIMIT 100",
    ),
    java(
        "Unreachable objects by class",
        "SELECT class, count(*) AS objects, sum(shallow_bytes) AS shallow_bytes\nFROM objects\nWHERE NOT reachable\nGROUP BY class\nORDER BY shallow_bytes DESC",
    ),
    java(
        "Map sizes",
        "SELECT object, size, retained_bytes\nFROM \"instanceof java.util.HashMap\"\nORDER BY size DESC\nLIMIT 100",
    ),
    java(
        "Strings that contain a text",
        "SELECT object, text(object) AS text, retained_bytes\nFROM \"java.lang.String\"\nWHERE text(object) LIKE '%http%'",
    ),
    java(
        "What threads hold in local variables",
        "SELECT thread_name, frame, class, object, retained_bytes\nFROM locals\nORDER BY retained_bytes DESC",
    ),
    java(
        "Threads by retained size",
        "SELECT id, name, state, frames, retained_bytes\nFROM threads\nORDER BY retained_bytes DESC",
    ),
    java(
        "Classes that several loaders loaded",
        "SELECT class, count(*) AS loaders\nFROM classes\nGROUP BY class\nHAVING loaders > 1\nORDER BY loaders DESC",
    ),
    script("Closures by retained size", "SELECT *\nFROM closures\nORDER BY retained_bytes DESC"),
    script("Detached nodes", "SELECT *\nFROM detached\nORDER BY retained_bytes DESC"),
];

/// The queries that a dump has answers for.
pub fn gallery(heap: &Heap) -> impl Iterator<Item = &'static GalleryQuery> {
    let is_script = heap.snapshot().is_some();
    QUERIES.iter().filter(move |query| match query.of {
        Dumps::All => true,
        Dumps::Java => !is_script,
        Dumps::Script => is_script,
    })
}
