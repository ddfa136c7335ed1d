//! Collections of the Java library and of Android in the [`notation`](crate::notation) of heaps, with the fields of JDK 17.

use std::fmt::Write as _;

/// Declarations of all classes, to be added to a heap once.
pub const DECLARATIONS: &str = "
class java.util.AbstractMap
class java.util.HashMap extends java.util.AbstractMap
  field table: object
  field size: int
class java.util.HashMap$Node
  field hash: int
  field key: object
  field value: object
  field next: object
class java.util.LinkedHashMap extends java.util.HashMap
  field head: object
  field tail: object
class java.util.LinkedHashMap$Entry extends java.util.HashMap$Node
  field before: object
  field after: object
class java.util.Hashtable
  field table: object
  field count: int
class java.util.Hashtable$Entry
  field hash: int
  field key: object
  field value: object
  field next: object
class java.lang.ref.Reference
  field referent: object
class java.lang.ref.WeakReference extends java.lang.ref.Reference
class java.util.WeakHashMap
  field table: object
  field size: int
class java.util.WeakHashMap$Entry extends java.lang.ref.WeakReference
  field hash: int
  field value: object
  field next: object
class java.util.Properties extends java.util.Hashtable
  field map: object
class java.util.concurrent.ConcurrentHashMap
  field table: object
  field baseCount: long
class java.util.concurrent.ConcurrentHashMap$Node
  field hash: int
  field key: object
  field val: object
  field next: object
class java.util.IdentityHashMap
  field table: object
  field size: int
class java.util.TreeMap
  field root: object
  field size: int
class java.util.TreeMap$Entry
  field key: object
  field value: object
  field left: object
  field right: object
class java.util.concurrent.ConcurrentSkipListMap
  field head: object
  field adder: object
class java.util.concurrent.ConcurrentSkipListMap$Index
  field node: object
  field down: object
  field right: object
class java.util.concurrent.ConcurrentSkipListMap$Node
  field key: object
  field val: object
  field next: object
class java.util.concurrent.atomic.Striped64
  field base: long
  field cells: object
class java.util.concurrent.atomic.LongAdder extends java.util.concurrent.atomic.Striped64
class java.util.EnumMap
  field keyUniverse: object
  field vals: object
  field size: int
class java.util.HashSet
  field map: object
class java.util.LinkedHashSet extends java.util.HashSet
class java.util.TreeSet
  field m: object
class java.util.Collections$SetFromMap
  field m: object
class java.util.concurrent.CopyOnWriteArraySet
  field al: object
class java.util.Collections$UnmodifiableMap
  field m: object
class java.util.Collections$SynchronizedMap
  field m: object
class java.util.ArrayList
  field elementData: object
  field size: int
class java.util.Vector
  field elementData: object
  field elementCount: int
class java.util.Arrays$ArrayList
  field a: object
class java.util.concurrent.CopyOnWriteArrayList
  field array: object
class java.util.PriorityQueue
  field queue: object
  field size: int
class java.util.ArrayDeque
  field elements: object
  field head: int
  field tail: int
class java.util.concurrent.ArrayBlockingQueue
  field items: object
  field takeIndex: int
  field count: int
class java.util.LinkedList
  field size: int
  field first: object
class java.util.LinkedList$Node
  field item: object
  field next: object
class java.util.concurrent.atomic.AtomicInteger
  field value: int
class java.util.concurrent.LinkedBlockingQueue
  field count: object
  field head: object
class java.util.concurrent.LinkedBlockingQueue$Node
  field item: object
  field next: object
class java.util.concurrent.LinkedBlockingDeque
  field count: int
  field first: object
class java.util.concurrent.LinkedBlockingDeque$Node
  field item: object
  field next: object
class java.util.concurrent.ConcurrentLinkedQueue
  field head: object
class java.util.concurrent.ConcurrentLinkedQueue$Node
  field item: object
  field next: object
class java.util.ImmutableCollections$ListN
  field elements: object
class java.util.ImmutableCollections$SetN
  field elements: object
  field size: int
class java.util.ImmutableCollections$MapN
  field table: object
  field size: int
class android.util.ArrayMap
  field mArray: object
  field mSize: int
class android.util.ArraySet
  field mArray: object
  field mSize: int
class android.util.SparseArray
  field mKeys: object
  field mValues: object
  field mSize: int
class com.google.common.collect.CompactHashMap
  field keys: object
  field values: object
  field size: int
class it.unimi.dsi.fastutil.ints.IntArrayList
  field a: object
  field size: int
class it.unimi.dsi.fastutil.ints.IntOpenHashSet
  field key: object
  field containsNull: boolean
  field size: int
class it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap
  field key: object
  field value: object
  field containsNullKey: boolean
  field size: int
";

/// Maps with objects as keys.
pub const MAPS: [&str; 15] = [
    "java.util.HashMap",
    "java.util.LinkedHashMap",
    "java.util.Hashtable",
    "java.util.WeakHashMap",
    "java.util.IdentityHashMap",
    "java.util.TreeMap",
    "java.util.EnumMap",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.concurrent.ConcurrentSkipListMap",
    "java.util.ImmutableCollections$MapN",
    "java.util.Collections$UnmodifiableMap",
    "java.util.Collections$SynchronizedMap",
    "android.util.ArrayMap",
    "com.google.common.collect.CompactHashMap",
    "java.util.Properties",
];

/// Sets of objects.
pub const SETS: [&str; 7] = [
    "java.util.HashSet",
    "java.util.LinkedHashSet",
    "java.util.TreeSet",
    "java.util.Collections$SetFromMap",
    "java.util.concurrent.CopyOnWriteArraySet",
    "java.util.ImmutableCollections$SetN",
    "android.util.ArraySet",
];

/// Lists and queues of objects.
pub const LISTS: [&str; 12] = [
    "java.util.ArrayList",
    "java.util.Vector",
    "java.util.Arrays$ArrayList",
    "java.util.concurrent.CopyOnWriteArrayList",
    "java.util.PriorityQueue",
    "java.util.ArrayDeque",
    "java.util.concurrent.ArrayBlockingQueue",
    "java.util.LinkedList",
    "java.util.concurrent.LinkedBlockingQueue",
    "java.util.concurrent.LinkedBlockingDeque",
    "java.util.concurrent.ConcurrentLinkedQueue",
    "java.util.ImmutableCollections$ListN",
];

/// Collections whose keys, or elements, are numbers in an array.
pub const NUMBERED: [&str; 4] = [
    "android.util.SparseArray",
    "it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap",
    "it.unimi.dsi.fastutil.ints.IntOpenHashSet",
    "it.unimi.dsi.fastutil.ints.IntArrayList",
];

/// Lines of a collection called `name`, with keys and values given by their labels, or keys by their numbers, in this
/// order. Sets and lists have the keys as elements.
///
/// # Panics
/// If the class is not listed above.
pub fn collection(class: &str, name: &str, entries: &[(String, String)]) -> String {
    let size = entries.len();
    let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    let values: Vec<&str> = entries.iter().map(|(_, value)| value.as_str()).collect();
    let pairs: Vec<&str> = keys.iter().zip(&values).flat_map(|(&key, &value)| [key, value]).collect();
    let within = |field: &str, inner: &str| {
        format!("{name} = {class} {field}={name}-inner\n{}", collection(inner, &format!("{name}-inner"), entries))
    };
    let array = |fields: &str, elements: &[&str], free: usize| {
        let free = " null".repeat(free);
        let element = "java.lang.Object[]";
        format!("{name} = {class} {fields}\n{name}-array = {element} {}{free}\n", elements.join(" "))
    };
    match class {
        "java.util.HashMap" => hashed(class, name, "java.util.HashMap$Node", ["key", "value"], entries, "size"),
        "java.util.Hashtable" => hashed(class, name, "java.util.Hashtable$Entry", ["key", "value"], entries, "count"),
        "java.util.WeakHashMap" => {
            hashed(class, name, "java.util.WeakHashMap$Entry", ["referent", "value"], entries, "size")
        }
        "java.util.concurrent.ConcurrentHashMap" => {
            hashed(class, name, &format!("{class}$Node"), ["key", "val"], entries, "baseCount")
        }
        "java.util.LinkedHashMap" => {
            let node = "java.util.LinkedHashMap$Entry";
            let head = format!("{name} = {class} head={name}-0 size={size}\n");
            head + &chain(name, node, "after", entries, |(key, value)| format!("key={key} value={value}"))
        }
        "java.util.TreeMap" => {
            let root = format!("{name} = {class} root={name}-{} size={size}\n", size / 2);
            root + &tree(name, 0, entries)
        }
        "java.util.concurrent.ConcurrentSkipListMap" => {
            let node = format!("{class}$Node");
            let first = entries.first().map_or("null".to_owned(), |_| format!("{name}-0"));
            format!(
                "{name} = {class} head={name}-head adder={name}-adder\n{name}-adder = \
                 java.util.concurrent.atomic.LongAdder base={size}\n{name}-head = {class}$Index \
                 node={name}-base\n{name}-base = {node} next={first}\n"
            ) + &chain(name, &node, "next", entries, |(key, value)| format!("key={key} val={value}"))
        }
        "java.util.EnumMap" => format!(
            "{name} = {class} keyUniverse={name}-keys vals={name}-values size={size}\n{name}-keys = \
             java.lang.Object[] {}\n{name}-values = java.lang.Object[] {}\n",
            keys.join(" "),
            values.join(" ")
        ),
        "java.util.IdentityHashMap" | "java.util.ImmutableCollections$MapN" => {
            array(&format!("table={name}-array size={size}"), &pairs, 4)
        }
        "android.util.ArrayMap" => array(&format!("mArray={name}-array mSize={size}"), &pairs, 4),
        "com.google.common.collect.CompactHashMap" => format!(
            "{name} = {class} keys={name}-keys values={name}-values size={size}\n{name}-keys = java.lang.Object[] \
             {}\n{name}-values = java.lang.Object[] {}\n",
            keys.join(" "),
            values.join(" ")
        ),
        "java.util.Properties" => within("map", "java.util.concurrent.ConcurrentHashMap"),
        "java.util.Collections$UnmodifiableMap" => within("m", "java.util.HashMap"),
        "java.util.Collections$SynchronizedMap" | "java.util.TreeSet" => within("m", "java.util.TreeMap"),
        "java.util.HashSet" => within("map", "java.util.HashMap"),
        "java.util.LinkedHashSet" => within("map", "java.util.LinkedHashMap"),
        "java.util.Collections$SetFromMap" => within("m", "java.util.concurrent.ConcurrentHashMap"),
        "java.util.concurrent.CopyOnWriteArraySet" => within("al", "java.util.concurrent.CopyOnWriteArrayList"),
        "java.util.ImmutableCollections$SetN" => {
            array(&format!("elements={name}-array size={size}"), &[&["null"], &keys[..]].concat(), 2)
        }
        "android.util.ArraySet" => array(&format!("mArray={name}-array mSize={size}"), &keys, 3),
        "java.util.ArrayList" => array(&format!("elementData={name}-array size={size}"), &keys, 3),
        "java.util.Vector" => array(&format!("elementData={name}-array elementCount={size}"), &keys, 3),
        "java.util.Arrays$ArrayList" => array(&format!("a={name}-array"), &keys, 0),
        "java.util.concurrent.CopyOnWriteArrayList" => array(&format!("array={name}-array"), &keys, 0),
        "java.util.PriorityQueue" => array(&format!("queue={name}-array size={size}"), &keys, 3),
        "java.util.ImmutableCollections$ListN" => array(&format!("elements={name}-array"), &keys, 0),
        "java.util.ArrayDeque" => {
            let wrapped: Vec<&str> =
                keys.iter().skip(2).chain(&["null", "null"]).chain(keys.iter().take(2)).copied().collect();
            let (head, tail) = (wrapped.len() - size.min(2), size.saturating_sub(2));
            array(&format!("elements={name}-array head={head} tail={tail}"), &wrapped, 0)
        }
        "java.util.concurrent.ArrayBlockingQueue" => {
            let wrapped = [&["null"], &keys[..]].concat();
            array(&format!("items={name}-array takeIndex=1 count={size}"), &wrapped, 2)
        }
        "java.util.LinkedList" | "java.util.concurrent.LinkedBlockingDeque" => {
            let count = if class.ends_with("LinkedList") { "size" } else { "count" };
            let head = format!("{name} = {class} first={name}-0 {count}={size}\n");
            head + &chain(name, &format!("{class}$Node"), "next", entries, |(key, _)| format!("item={key}"))
        }
        "java.util.concurrent.LinkedBlockingQueue" => {
            format!(
                "{name} = {class} head={name}-head count={name}-count\n{name}-count = \
                 java.util.concurrent.atomic.AtomicInteger value={size}\n{name}-head = {class}$Node next={name}-0\n"
            ) + &chain(name, &format!("{class}$Node"), "next", entries, |(key, _)| format!("item={key}"))
        }
        "java.util.concurrent.ConcurrentLinkedQueue" => {
            let head = format!("{name} = {class} head={name}-0\n");
            head + &chain(name, &format!("{class}$Node"), "next", entries, |(key, _)| format!("item={key}"))
        }
        "android.util.SparseArray" => format!(
            "{name} = {class} mKeys={name}-keys mValues={name}-values mSize={size}\n{name}-keys = int[] \
             {}\n{name}-values = java.lang.Object[] {}\n",
            keys.join(" "),
            values.join(" ")
        ),
        "it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap" => format!(
            "{name} = {class} key={name}-keys value={name}-values size={size}\n{name}-keys = int[] 0 {} \
             0\n{name}-values = java.lang.Object[] null {} null\n",
            keys.join(" "),
            values.join(" ")
        ),
        "it.unimi.dsi.fastutil.ints.IntOpenHashSet" => {
            format!("{name} = {class} key={name}-keys size={size}\n{name}-keys = int[] 0 {} 0\n", keys.join(" "))
        }
        "it.unimi.dsi.fastutil.ints.IntArrayList" => {
            format!("{name} = {class} a={name}-keys size={size}\n{name}-keys = int[] {} 0 0\n", keys.join(" "))
        }
        _ => panic!("{class} is not listed"),
    }
}

/// Hash table with chains of two nodes.
fn hashed(
    class: &str,
    name: &str,
    node: &str,
    [key, value]: [&str; 2],
    entries: &[(String, String)],
    size: &str,
) -> String {
    let firsts: Vec<String> = (0..entries.len()).step_by(2).map(|at| format!("{name}-{at}")).collect();
    let mut text = format!(
        "{name} = {class} table={name}-table {size}={}\n{name}-table = {node}[] null {} null\n",
        entries.len(),
        firsts.join(" null ")
    );
    for (at, entry) in entries.iter().enumerate() {
        let next =
            if at % 2 == 0 && at + 1 < entries.len() { format!(" next={name}-{}", at + 1) } else { String::new() };
        // Equal keys have equal hashes.
        let hash = entry.0.bytes().fold(7_u32, |hash, byte| hash * 31 % 65_521 + u32::from(byte));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}-{at} = {node} hash={hash} {key}={} {value}={}{next}", entry.0, entry.1);
    }
    text
}

/// Linked nodes.
fn chain(
    name: &str,
    node: &str,
    next: &str,
    entries: &[(String, String)],
    fields: impl Fn(&(String, String)) -> String,
) -> String {
    let mut text = String::new();
    for (at, entry) in entries.iter().enumerate() {
        let next = if at + 1 < entries.len() { format!(" {next}={name}-{}", at + 1) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}-{at} = {node} {}{next}", fields(entry));
    }
    text
}

/// Balanced tree of some entries, the first of which is the one with this number.
fn tree(name: &str, first: usize, entries: &[(String, String)]) -> String {
    let middle = entries.len() / 2;
    let Some((key, value)) = entries.get(middle) else { return String::new() };
    let (left, right) = (&entries[..middle], &entries[middle + 1..]);
    let child = |side: &str, first: usize, of: &[(String, String)]| {
        if of.is_empty() { String::new() } else { format!(" {side}={name}-{}", first + of.len() / 2) }
    };
    format!(
        "{name}-{} = java.util.TreeMap$Entry key={key} value={value}{}{}\n{}{}",
        first + middle,
        child("left", first, left),
        child("right", first + middle + 1, right),
        tree(name, first, left),
        tree(name, first + middle + 1, right)
    )
}
