//! Collections of libraries, read by the lines of a list, on small heaps with the classes and fields of the libraries.

use std::io::Write;
use std::sync::Arc;

use heaplens_dump::{Dump, open};
use heaplens_heap::collection_list::CollectionList;
use heaplens_heap::{LogicalCollection, LogicalKind, ObjectId, Role, Value};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

fn opened(text: &str) -> Dump {
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&write(&sketch, Form::MODERN)).expect("disk space");
    open(file.path()).unwrap_or_else(|error| panic!("{error}"))
}

fn object(dump: &Dump, id: &str) -> ObjectId {
    dump.find(id).unwrap_or_else(|| panic!("no object {id}"))
}

fn logical(dump: &Dump, id: &str) -> LogicalCollection {
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let head = contents.logical(heap, object(dump, id), 0..0).unwrap_or_else(|| panic!("{id} is no collection"));
    let complete = contents.logical(heap, object(dump, id), 0..100).unwrap_or_else(|| panic!("{id} is no collection"));
    assert_eq!(head.size, complete.size);
    complete
}

/// Entries as text: `key=value`, or an element.
fn entries(dump: &Dump, logical: &LogicalCollection) -> Vec<String> {
    let text = |value: Value| match value {
        Value::Object(object) => {
            dump.label(object).unwrap_or_else(|| dump.class_name(dump.class_of(object)).to_owned())
        }
        value => value.to_string(),
    };
    let entry = |entry: &heaplens_heap::LogicalEntry| match entry.key {
        Some(key) => format!("{}={}", text(key), text(entry.value)),
        None => text(entry.value),
    };
    logical.entries.iter().map(entry).collect()
}

const GUAVA: &str = r#"
class com.google.common.cache.LocalCache$LocalManualCache
  field localCache: object
class com.google.common.cache.LocalCache
  field segments: object
class com.google.common.cache.LocalCache$Segment
  field count: int
  field table: object
class java.util.concurrent.atomic.AtomicReferenceArray
  field array: object
class com.google.common.cache.LocalCache$StrongEntry
  field key: object
  field next: object
  field valueReference: object
class com.google.common.cache.LocalCache$StrongValueReference
  field referent: object
cache@0x7000 = com.google.common.cache.LocalCache$LocalManualCache localCache=local
local@0x7100 = com.google.common.cache.LocalCache segments=segments
segments@0x7200 = java.lang.Object[] one two
one = com.google.common.cache.LocalCache$Segment count=2 table=t1
two = com.google.common.cache.LocalCache$Segment count=1 table=t2
t1 = java.util.concurrent.atomic.AtomicReferenceArray array=a1
t2 = java.util.concurrent.atomic.AtomicReferenceArray array=a2
a1@0x7300 = java.lang.Object[] null e1
a2@0x7400 = java.lang.Object[] e3 null
e1@0x7500 = com.google.common.cache.LocalCache$StrongEntry key=k1 next=e2 valueReference=r1
e2@0x7600 = com.google.common.cache.LocalCache$StrongEntry key=k2 valueReference=r2
e3@0x7700 = com.google.common.cache.LocalCache$StrongEntry key=k3 valueReference=r3
r1 = com.google.common.cache.LocalCache$StrongValueReference referent=v1
r2@0x7800 = com.google.common.cache.LocalCache$StrongValueReference referent=v2
r3 = com.google.common.cache.LocalCache$StrongValueReference referent=v3
k1 = "one"
k2 = "two"
k3 = "three"
v1 = "1"
v2@0x7900 = "2"
v3 = "3"
root cache global
"#;

#[test]
fn a_segmented_map_within_a_cache_has_the_entries_of_all_segments() {
    let dump = opened(GUAVA);
    let cache = logical(&dump, "0x7000");
    assert_eq!((cache.kind, cache.size, cache.capacity), (LogicalKind::Map, 3, Some(4)));
    assert_eq!(entries(&dump, &cache), ["one=1", "two=2", "three=3"]);
    assert_eq!(cache.backing, ["0x7300", "0x7400"].map(|id| object(&dump, id)));
    let nodes = ["0x7100", "0x7500", "0x7600", "0x7700"].map(|id| object(&dump, id));
    assert_eq!(cache.internals, nodes);
    assert_eq!(dump.facts.contents.role(dump.class_of(object(&dump, "0x7000"))), Role::Collection);
}

#[test]
fn a_page_of_entries_is_cut_out() {
    let dump = opened(GUAVA);
    let page = dump.facts.contents.logical(&dump.facts.heap, object(&dump, "0x7000"), 1..2).expect("a collection");
    assert_eq!((page.size, entries(&dump, &page)), (3, vec!["two=2".to_owned()]));
}

#[test]
fn a_path_leads_to_its_entry_without_a_scan() {
    let dump = opened(GUAVA);
    let path = dump.path_from_root(object(&dump, "0x7900"));
    let (first, below) = path.split_first().expect("a path");
    let (entry, covered) =
        dump.facts.contents.entry_on_path(&dump.facts.heap, *first, below).expect("the path leads to an entry");
    assert_eq!(covered, below.len());
    let key = entry.key.and_then(Value::object).and_then(|key| dump.label(key));
    assert_eq!((key.as_deref(), entry.value), (Some("two"), Value::Object(object(&dump, "0x7900"))));
    // The chain to the second node ends at no entry.
    let actual = dump.facts.contents.entry_on_path(&dump.facts.heap, *first, &below[..below.len() - 2]);
    assert_eq!(actual, None);
}

#[test]
fn open_addressing_has_the_key_zero_in_the_last_slot_and_slots_by_state() {
    let dump = opened(
        r#"
class it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap
  field key: object
  field value: object
  field containsNullKey: boolean
  field size: int
class gnu.trove.map.hash.TIntIntHashMap
  field _set: object
  field _values: object
  field _states: object
  field _size: int
class gnu.trove.impl.hash.TObjectHash
  field _set: object
  field _size: int
class gnu.trove.set.hash.THashSet extends gnu.trove.impl.hash.TObjectHash
fast@0x7000 = it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap key=k value=v containsNullKey=true size=2
k = int[] 0 7 0 0 0
v = java.lang.Object[] null seven null null zero
seven = "seven"
zero = "zero"
trove@0x7100 = gnu.trove.map.hash.TIntIntHashMap _set=tk _values=tv _states=ts _size=2
tk = int[] 0 5 6
tv = int[] 10 50 60
ts = byte[] 1 2 1
set@0x7200 = gnu.trove.set.hash.THashSet _set=slots _size=1
slots = java.lang.Object[] free seven free
free = java.lang.Object
root fast global
root trove global
root set global
"#,
    );
    let fast = logical(&dump, "0x7000");
    assert_eq!((fast.size, entries(&dump, &fast)), (2, vec!["7=seven".to_owned(), "0=zero".to_owned()]));
    let trove = logical(&dump, "0x7100");
    assert_eq!((trove.size, entries(&dump, &trove)), (2, vec!["0=10".to_owned(), "6=60".to_owned()]));
    // The class of the rule has no fields of its own.
    let set = logical(&dump, "0x7200");
    assert_eq!((set.kind, entries(&dump, &set)), (LogicalKind::Set, vec!["seven".to_owned()]));
}

#[test]
fn a_threaded_tree_is_in_order_and_its_threads_are_no_children() {
    let dump = opened(
        r"
class it.unimi.dsi.fastutil.ints.IntAVLTreeSet
  field tree: object
  field count: int
class it.unimi.dsi.fastutil.ints.IntAVLTreeSet$Entry
  field key: int
  field left: object
  field right: object
  field info: int
set@0x7000 = it.unimi.dsi.fastutil.ints.IntAVLTreeSet tree=b count=3
a = it.unimi.dsi.fastutil.ints.IntAVLTreeSet$Entry key=1 right=b info=-1073741824
b = it.unimi.dsi.fastutil.ints.IntAVLTreeSet$Entry key=2 left=a right=c
c = it.unimi.dsi.fastutil.ints.IntAVLTreeSet$Entry key=3 left=b info=-1073741824
root set global
",
    );
    assert_eq!(entries(&dump, &logical(&dump, "0x7000")), ["1", "2", "3"]);
}

const CLOJURE: &str = r#"
class clojure.lang.PersistentHashMap
  field count: int
  field root: object
  field hasNull: boolean
  field nullValue: object
class clojure.lang.PersistentHashMap$ArrayNode
  field array: object
class clojure.lang.PersistentHashMap$BitmapIndexedNode
  field array: object
map@0x7000 = clojure.lang.PersistentHashMap count=3 root=top hasNull=true nullValue=nil
top = clojure.lang.PersistentHashMap$ArrayNode array=children
children = java.lang.Object[] null leaf
leaf = clojure.lang.PersistentHashMap$BitmapIndexedNode array=pairs
pairs@0x7100 = java.lang.Object[] k1 v1 null deep
deep = clojure.lang.PersistentHashMap$BitmapIndexedNode array=more
more = java.lang.Object[] k2 v2
k1 = "one"
v1 = "1"
k2 = "two"
v2@0x7200 = "2"
nil = "nothing"
root map global
"#;

#[test]
fn a_trie_has_the_entries_of_its_nodes_and_of_the_key_null() {
    let dump = opened(CLOJURE);
    let map = logical(&dump, "0x7000");
    assert_eq!((map.size, entries(&dump, &map)), (3, vec!["null=nothing".into(), "one=1".into(), "two=2".into()]));
    let path = dump.path_from_root(object(&dump, "0x7200"));
    let actual = dump.facts.contents.entry_on_path(&dump.facts.heap, path[0], &path[1..]);
    let (entry, covered) = actual.expect("an entry");
    assert_eq!(covered, path.len() - 1);
    assert_eq!(entry.key.and_then(Value::object).and_then(|key| dump.label(key)).as_deref(), Some("two"));
}

#[test]
fn cycles_wrong_sizes_and_missing_fields_end() {
    let dump = opened(
        r#"
class clojure.lang.PersistentHashMap
  field count: int
  field root: object
  field hasNull: boolean
  field nullValue: object
class clojure.lang.PersistentHashMap$ArrayNode
  field array: object
class io.netty.util.HashedWheelTimer
  field wheel: object
class io.netty.util.HashedWheelTimer$HashedWheelBucket
  field head: object
class io.netty.util.HashedWheelTimer$HashedWheelTimeout
  field task: object
  field next: object
class it.unimi.dsi.fastutil.objects.ObjectArrayList
  field a: object
  field size: int
class com.google.gson.JsonObject
  field members: object
class com.google.common.cache.LocalCache
  field pieces: object
class scala.collection.mutable.TreeMap
  field scala$collection$mutable$TreeMap$$tree: object
class scala.collection.mutable.RedBlackTree$Tree
  field root: object
  field size: int
class scala.collection.mutable.RedBlackTree$Node
  field key: object
  field left: object
  field right: object
trie@0x7000 = clojure.lang.PersistentHashMap count=2000000000 root=node
node = clojure.lang.PersistentHashMap$ArrayNode array=array
array = java.lang.Object[] node node node
timer@0x7100 = io.netty.util.HashedWheelTimer wheel=wheel
wheel = java.lang.Object[] bucket null
bucket = io.netty.util.HashedWheelTimer$HashedWheelBucket head=t1
t1 = io.netty.util.HashedWheelTimer$HashedWheelTimeout task=task next=t2
t2 = io.netty.util.HashedWheelTimer$HashedWheelTimeout task=task next=t1
task = "task"
list@0x7200 = it.unimi.dsi.fastutil.objects.ObjectArrayList a=two size=2000000000
two = java.lang.Object[] task null
json@0x7300 = com.google.gson.JsonObject members=json
other@0x7400 = com.google.common.cache.LocalCache
tree@0x7500 = scala.collection.mutable.TreeMap scala$collection$mutable$TreeMap$$tree=inner
inner = scala.collection.mutable.RedBlackTree$Tree root=knot size=9
knot = scala.collection.mutable.RedBlackTree$Node key=task left=knot right=knot
root trie global
root timer global
root list global
root json global
root other global
root tree global
"#,
    );
    assert!(logical(&dump, "0x7000").entries.is_empty());
    assert!(logical(&dump, "0x7100").entries.len() <= 4);
    let list = logical(&dump, "0x7200");
    assert_eq!((list.size, entries(&dump, &list)), (2, vec!["task".to_owned(), "null".to_owned()]));
    assert!(logical(&dump, "0x7500").entries.len() <= 9);
    // A collection within itself is none; a class without the fields of its line is another version.
    for id in ["0x7300", "0x7400"] {
        assert_eq!(dump.facts.contents.logical(&dump.facts.heap, object(&dump, id), 0..9), None, "{id}");
    }
    assert_eq!(dump.facts.contents.role(dump.class_of(object(&dump, "0x7400"))), Role::Other);
}

#[test]
fn the_lines_of_a_user_make_collections_of_a_programs_own_classes() {
    let mut dump = opened(
        r#"
class org.acme.Ring
  field slots: object
  field first: int
  field used: int
class org.acme.SmallRing extends org.acme.Ring
ring@0x7000 = org.acme.SmallRing slots=slots first=2 used=2
slots = java.lang.Object[] b null a
a = "first"
b = "second"
root ring global
"#,
    );
    assert_eq!(dump.facts.contents.logical(&dump.facts.heap, object(&dump, "0x7000"), 0..9), None);
    let list = CollectionList::with("org.acme.Ring list array elements=slots start=first size=used");
    dump.facts = dump.facts.with_collections(&Arc::new(list.expect("one line")));
    assert_eq!(entries(&dump, &logical(&dump, "0x7000")), ["first", "second"]);
    // Values stay hidden, and the list stays in use.
    dump.facts = dump.facts.redacted();
    assert_ne!(entries(&dump, &logical(&dump, "0x7000")), ["first", "second"]);
    assert_eq!(logical(&dump, "0x7000").size, 2);
}
