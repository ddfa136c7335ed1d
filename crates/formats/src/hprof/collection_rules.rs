//! Layouts of the collections of the Java library and of Android, by class.

use heaplens_heap::LogicalKind;

/// Names of a field in several versions of the library, the first present one counts.
pub(super) type Names = &'static [&'static str];

/// Rule for reading objects of a class as a collection.
#[derive(Debug)]
pub(super) struct CollectionRule {
    /// Class to which the rule applies, including its subclasses.
    pub(super) class: &'static str,
    /// `None`: the kind of the wrapped collection.
    pub(super) kind: Option<LogicalKind>,
    pub(super) layout: EntryLayout,
}

/// Location of the entries; of several field names, the first one present is used.
#[derive(Debug, Clone, Copy)]
pub(super) enum EntryLayout {
    /// Delegates to another collection.
    Within(Names),
    /// First `size` elements of an array; all of it if there is no size field.
    Array {
        array: Names,
        size: Names,
    },
    /// Circular buffer: an array read from `head` to `tail`, or for `size` elements, wrapping around.
    Ring {
        array: Names,
        head: &'static str,
        tail: &'static str,
        size: &'static str,
    },
    /// Non-null elements of an array.
    Slots(Names),
    /// Alternating keys and values in an array.
    Pairs(Names),
    /// Values in an array, parallel to an array of keys.
    Parallel {
        keys: &'static str,
        values: &'static str,
    },
    /// Hash table with chains of nodes; with `null_keys`, a node without a key is an entry too.
    Buckets {
        table: &'static str,
        size: Names,
        null_keys: bool,
    },
    /// The same, but iterated from the end of the array.
    Backwards {
        table: &'static str,
        size: Names,
    },
    /// The same, in several tables: `ConcurrentHashMap` before JDK 8.
    Segments,
    /// Linked nodes. Before JDK 7 and 8, `LinkedList` and `LinkedHashMap` were closed to a cycle by a head that is not an
    /// entry.
    Chain {
        first: Names,
        next: &'static str,
        size: Names,
        skip_first: bool,
    },
    /// Balanced tree.
    Sorted,
    /// Lowest level of a skip list.
    Skips,
    /// Elements of an array selected by the bits of a number or of an array of numbers.
    Bits {
        universe: &'static str,
        bits: &'static str,
    },
    /// A run of another list.
    Part {
        of: Names,
        from: &'static str,
        size: Names,
    },
    /// One element repeated `size` times.
    Copies {
        element: &'static str,
        size: Names,
    },
    /// Key, if any, and value in the collection's own fields.
    Own(&'static [(&'static str, &'static str)]),
    Nothing,
}

const fn map(class: &'static str, layout: EntryLayout) -> CollectionRule {
    CollectionRule { class, kind: Some(LogicalKind::Map), layout }
}

const fn list(class: &'static str, layout: EntryLayout) -> CollectionRule {
    CollectionRule { class, kind: Some(LogicalKind::List), layout }
}

const fn set(class: &'static str, layout: EntryLayout) -> CollectionRule {
    CollectionRule { class, kind: Some(LogicalKind::Set), layout }
}

const fn wrapper(class: &'static str, field: Names) -> CollectionRule {
    CollectionRule { class, kind: None, layout: EntryLayout::Within(field) }
}

pub(super) const SIZE: Names = &["size", "mSize"];
/// Field in which a view keeps its backing collection.
const OUTER: Names = &["this$0"];
pub(super) const COUNT: Names = &["count"];
const QUEUE: EntryLayout = EntryLayout::Array { array: &["queue", "elements"], size: SIZE };
const HASHED: EntryLayout = EntryLayout::Buckets { table: "table", size: SIZE, null_keys: true };
pub(super) const HASHTABLE: EntryLayout = EntryLayout::Backwards { table: "table", size: COUNT };
const UNCOUNTED: EntryLayout = EntryLayout::Chain { first: &["head"], next: "next", size: &[], skip_first: false };

pub(super) const COLLECTIONS: &[CollectionRule] = &[
    list("java.util.ArrayList", EntryLayout::Array { array: &["elementData", "array"], size: SIZE }),
    list("java.util.Vector", EntryLayout::Array { array: &["elementData"], size: &["elementCount"] }),
    list("java.util.Arrays$ArrayList", EntryLayout::Array { array: &["a"], size: &[] }),
    list("java.util.concurrent.CopyOnWriteArrayList", EntryLayout::Array { array: &["array", "elements"], size: &[] }),
    list("java.util.PriorityQueue", QUEUE),
    list("java.util.concurrent.PriorityBlockingQueue", QUEUE),
    list("java.util.ArrayDeque", EntryLayout::Ring { array: &["elements"], head: "head", tail: "tail", size: "" }),
    list(
        "java.util.concurrent.ArrayBlockingQueue",
        EntryLayout::Ring { array: &["items"], head: "takeIndex", tail: "", size: "count" },
    ),
    list(
        "java.util.LinkedList",
        EntryLayout::Chain { first: &["first", "header", "voidLink"], next: "next", size: SIZE, skip_first: false },
    ),
    list(
        "java.util.concurrent.LinkedBlockingQueue",
        EntryLayout::Chain { first: &["head"], next: "next", size: COUNT, skip_first: true },
    ),
    list(
        "java.util.concurrent.LinkedBlockingDeque",
        EntryLayout::Chain { first: &["first"], next: "next", size: COUNT, skip_first: false },
    ),
    list("java.util.concurrent.ConcurrentLinkedQueue", UNCOUNTED),
    list("java.util.concurrent.ConcurrentLinkedDeque", UNCOUNTED),
    list("java.util.concurrent.LinkedTransferQueue", UNCOUNTED),
    map("java.util.HashMap", HASHED),
    map(
        "java.util.LinkedHashMap",
        EntryLayout::Chain { first: &["head", "header"], next: "after", size: SIZE, skip_first: false },
    ),
    map("java.util.Hashtable", HASHTABLE),
    map("java.util.WeakHashMap", EntryLayout::Backwards { table: "table", size: SIZE }),
    map("java.util.concurrent.ConcurrentHashMap", EntryLayout::Segments),
    map("java.util.IdentityHashMap", EntryLayout::Pairs(&["table"])),
    map("java.util.TreeMap", EntryLayout::Sorted),
    map("java.util.concurrent.ConcurrentSkipListMap", EntryLayout::Skips),
    map("java.util.EnumMap", EntryLayout::Parallel { keys: "keyUniverse", values: "vals" }),
    map("java.lang.ThreadLocal$ThreadLocalMap", EntryLayout::Buckets { table: "table", size: SIZE, null_keys: true }),
    set("java.util.HashSet", EntryLayout::Within(&["map", "backingMap"])),
    set("java.util.TreeSet", EntryLayout::Within(&["m", "backingMap"])),
    set("java.util.concurrent.ConcurrentSkipListSet", EntryLayout::Within(&["m"])),
    set("java.util.concurrent.CopyOnWriteArraySet", EntryLayout::Within(&["al"])),
    set("java.util.concurrent.ConcurrentHashMap$KeySetView", EntryLayout::Within(&["map"])),
    set("java.util.Collections$SetFromMap", EntryLayout::Within(&["m"])),
    set("java.util.HashMap$KeySet", EntryLayout::Within(OUTER)),
    set("java.util.LinkedHashMap$LinkedKeySet", EntryLayout::Within(OUTER)),
    set("java.util.TreeMap$KeySet", EntryLayout::Within(&["m"])),
    set("java.util.RegularEnumSet", EntryLayout::Bits { universe: "universe", bits: "elements" }),
    set("java.util.JumboEnumSet", EntryLayout::Bits { universe: "universe", bits: "elements" }),
    list("java.util.ArrayList$SubList", EntryLayout::Part { of: &["root", "this$0"], from: "offset", size: SIZE }),
    list("java.util.Collections$CopiesList", EntryLayout::Copies { element: "element", size: &["n"] }),
    wrapper("java.util.Properties", &["map"]),
    list("java.util.ImmutableCollections$ListN", EntryLayout::Array { array: &["elements"], size: &[] }),
    list("java.util.ImmutableCollections$List12", EntryLayout::Own(&[("", "e0"), ("", "e1")])),
    set("java.util.ImmutableCollections$SetN", EntryLayout::Slots(&["elements"])),
    set("java.util.ImmutableCollections$Set12", EntryLayout::Own(&[("", "e0"), ("", "e1")])),
    map("java.util.ImmutableCollections$MapN", EntryLayout::Pairs(&["table"])),
    // JDK 9 and 10.
    list("java.util.ImmutableCollections$List1", EntryLayout::Own(&[("", "e0")])),
    list("java.util.ImmutableCollections$List2", EntryLayout::Own(&[("", "e0"), ("", "e1")])),
    set("java.util.ImmutableCollections$Set1", EntryLayout::Own(&[("", "e0")])),
    set("java.util.ImmutableCollections$Set2", EntryLayout::Own(&[("", "e0"), ("", "e1")])),
    map("java.util.ImmutableCollections$Map1", EntryLayout::Own(&[("k0", "v0")])),
    wrapper("java.util.Collections$UnmodifiableCollection", &["c"]),
    wrapper("java.util.Collections$UnmodifiableMap", &["m"]),
    wrapper("java.util.Collections$SynchronizedCollection", &["c"]),
    wrapper("java.util.Collections$SynchronizedMap", &["m"]),
    wrapper("java.util.Collections$CheckedCollection", &["c"]),
    wrapper("java.util.Collections$CheckedMap", &["m"]),
    list("java.util.Collections$EmptyList", EntryLayout::Nothing),
    set("java.util.Collections$EmptySet", EntryLayout::Nothing),
    map("java.util.Collections$EmptyMap", EntryLayout::Nothing),
    list("java.util.Collections$SingletonList", EntryLayout::Own(&[("", "element")])),
    set("java.util.Collections$SingletonSet", EntryLayout::Own(&[("", "element")])),
    map("java.util.Collections$SingletonMap", EntryLayout::Own(&[("k", "v")])),
    // Android's own.
    map("android.util.ArrayMap", EntryLayout::Pairs(&["mArray"])),
    map("androidx.collection.SimpleArrayMap", EntryLayout::Pairs(&["mArray", "array"])),
    map("androidx.collection.ArrayMap", EntryLayout::Pairs(&["mArray", "array"])),
    map("android.util.SparseArray", EntryLayout::Parallel { keys: "mKeys", values: "mValues" }),
    map("android.util.LongSparseArray", EntryLayout::Parallel { keys: "mKeys", values: "mValues" }),
    map("androidx.collection.SparseArrayCompat", EntryLayout::Parallel { keys: "mKeys", values: "mValues" }),
    set("android.util.ArraySet", EntryLayout::Array { array: &["mArray"], size: SIZE }),
    set("androidx.collection.ArraySet", EntryLayout::Array { array: &["mArray", "array"], size: SIZE }),
];
