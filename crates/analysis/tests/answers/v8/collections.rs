//! Collections of JavaScript: entries of `Map` and `Set` from their hash tables, of libraries by the built-in list.

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{LogicalCollection, LogicalKind, ObjectId, Vacated, Value};
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::write::write;

use super::naive::Mode;
use super::reader::open;

/// A snapshot whose global object has some properties.
struct Program {
    made: Made,
    global: usize,
}

impl Program {
    fn new() -> Self {
        let mut made = Made::default();
        let root = made.add("synthetic", "", 1, 0);
        let global = made.add("object", "global", 3, 10);
        made.name(root, "shortcut", "0: global", global);
        Self { made, global }
    }

    fn add(&mut self, kind: &'static str, name: &str, size: u64) -> usize {
        let id = self.made.nodes.len() as u64 * 2 + 1;
        self.made.add(kind, name.to_owned(), id, size)
    }

    fn object(&mut self, class: &str) -> usize {
        self.add("object", class, 32)
    }

    fn text(&mut self, text: &str) -> usize {
        self.add("string", text, 32)
    }

    /// A property of an object.
    fn put(&mut self, object: usize, name: &str, to: usize) {
        self.made.name(object, "property", name.to_owned(), to);
    }

    fn global(&mut self, name: &str, to: usize) {
        self.put(self.global, name, to);
    }

    /// An array with elements; `None`: a small integer.
    fn array(&mut self, elements: &[Option<usize>]) -> usize {
        let array = self.object("Array");
        for (at, to) in (0..).zip(elements) {
            if let Some(to) = *to {
                self.made.number(array, "element", at, to);
            }
        }
        array
    }

    /// A native collection whose table has `buckets`, and elements from the first entry on. Bytes of a pointer: 8 or 4.
    fn native(&mut self, class: &str, (buckets, pointer): (u64, u64), elements: &[Option<usize>]) -> usize {
        let width = if class == "Map" { 3 } else { 2 };
        let table = self.add("array", "", pointer * (5 + buckets * (1 + 2 * width)));
        for (at, to) in (3 + buckets..).zip(elements) {
            if let Some(to) = *to {
                self.made.name(table, "internal", at.to_string(), to);
            }
        }
        let collection = self.object(class);
        self.made.name(collection, "internal", "table", table);
        collection
    }

    fn open(&self) -> Dump {
        open(&write(&self.made, &Form::node20()), Mode::DevTools)
    }
}

fn object(node: usize) -> ObjectId {
    ObjectId::new(node).expect("a node")
}

fn value(node: usize) -> Value {
    Value::Object(object(node))
}

fn read(dump: &Dump, node: usize) -> LogicalCollection {
    let actual = dump.facts.contents.logical(&dump.facts.heap, object(node), 0..100);
    actual.unwrap_or_else(|| panic!("node {node} is no collection"))
}

/// Keys and values, or elements, of a collection.
fn entries(dump: &Dump, node: usize) -> Vec<(Option<Value>, Value)> {
    let actual = read(dump, node);
    assert_eq!(actual.size, actual.entries.len() as u64);
    actual.entries.iter().map(|entry| (entry.key, entry.value)).collect()
}

fn name(dump: &Dump, node: usize) -> String {
    let task = &Task::new();
    let namer = dump.namer(task).expect("not cancelled");
    namer.name(object(node), task).expect("not cancelled").expect("a name")
}

#[test]
fn a_map_has_the_entries_of_its_table_in_order() {
    for table in [(4, 8), (4, 4), (64, 8)] {
        let mut it = Program::new();
        let (first, second) = (it.text("first"), it.text("second"));
        let (one, two, three) = (it.object("Session"), it.object("Session"), it.object("Session"));
        // The second entry was deleted, the third has a number as its key, the last as its value.
        let (none, hash) = (None, None);
        let slots = [Some(first), Some(one), hash, none, none, hash, none, Some(two), hash, Some(second), none, hash];
        let map = it.native("Map", table, &slots);
        it.global("sessions", map);
        it.global("last", three);
        let dump = it.open();
        let missing = Value::Unavailable;
        let expected = [(Some(value(first)), value(one)), (Some(missing), value(two)), (Some(value(second)), missing)];
        assert_eq!(entries(&dump, map), expected);
        assert_eq!(read(&dump, map).kind, LogicalKind::Map);
        // Beside a number as a key, an entry of two numbers would look like a removed one.
        assert_eq!(read(&dump, map).vacated, None);
        assert_eq!(name(&dump, one), "global.sessions[\"first\"]");
        assert_eq!(name(&dump, second), "global.sessions{\"second\"}");
        // Nothing tells the key: the references do.
        let index = 3 + table.0 + 7;
        assert_eq!(name(&dump, two), format!("global.sessions.<table>.<{index}>"));
    }
}

#[test]
fn removed_entries_leave_places_in_the_table_of_a_map() {
    let mut it = Program::new();
    let (first, second, one) = (it.text("first"), it.text("second"), it.object("Session"));
    let (none, hash) = (None, None);
    // The first and the third entry were deleted.
    let slots = [none, none, hash, Some(first), Some(one), hash, none, none, hash, Some(second), none, hash];
    let map = it.native("Map", (4, 8), &slots);
    it.global("sessions", map);
    let dump = it.open();
    assert_eq!(read(&dump, map).vacated, Some(Vacated { before: 1, between: 1 }));
}

#[test]
fn a_set_has_the_elements_of_its_table() {
    let mut it = Program::new();
    let (first, second) = (it.text("first"), it.text("second"));
    let set = it.native("Set", (2, 8), &[Some(first), None, None, None, Some(second), None]);
    it.global("tags", set);
    let dump = it.open();
    assert_eq!(entries(&dump, set), [(None, value(first)), (None, value(second))]);
    assert_eq!(name(&dump, second), "global.tags{\"second\"}");
}

#[test]
fn a_class_of_that_name_is_no_collection_without_its_fields() {
    let mut it = Program::new();
    let (map, list, tile) = (it.object("Map"), it.object("List"), it.object("Tile"));
    it.put(map, "tile", tile);
    it.put(list, "tile", tile);
    it.global("map", map);
    it.global("list", list);
    let dump = it.open();
    for node in [map, list] {
        assert_eq!(dump.facts.contents.logical(&dump.facts.heap, object(node), 0..9), None);
    }
    assert_eq!(name(&dump, list), "global.list");
}

#[test]
fn a_table_of_another_size_is_none() {
    let mut it = Program::new();
    let (key, one) = (it.text("key"), it.object("Session"));
    let map = it.native("Map", (4, 8), &[Some(key), Some(one), None]);
    let table = it.made.nodes.len() - 2;
    it.made.nodes[table].self_size = 77;
    it.global("map", map);
    assert_eq!(it.open().facts.contents.logical(&it.open().facts.heap, object(map), 0..9), None);
}

#[test]
fn persistent_collections_have_the_entries_of_their_tries() {
    let mut it = Program::new();
    let texts = ["a", "b", "c", "d"].map(|text| it.text(text));
    let values = [0; 4].map(|_| it.object("Shape"));
    let pair = |it: &mut Program, at: usize| it.array(&[Some(texts[at]), Some(values[at])]);
    let [first, second, third] = [0, 1, 2].map(|at| pair(&mut it, at));
    let small = it.object("ArrayMapNode");
    let pairs = it.array(&[Some(first), Some(second)]);
    it.put(small, "entries", pairs);
    let leaf = it.object("ValueNode");
    it.put(leaf, "entry", third);
    let root = it.object("BitmapIndexedNode");
    let nodes = it.array(&[Some(small), Some(leaf)]);
    it.put(root, "nodes", nodes);
    let map = it.object("Map");
    it.put(map, "_root", root);
    it.global("shapes", map);
    // A list with a tree and a tail; its last element is an array.
    let (node, tail, list) = (it.object("VNode"), it.object("VNode"), it.object("List"));
    let inner = it.array(&[Some(values[0]), Some(values[1])]);
    it.put(node, "array", inner);
    let (element, top) = (it.array(&[Some(values[2])]), it.object("VNode"));
    let (rest, tops) = (it.array(&[Some(element)]), it.array(&[Some(node)]));
    it.put(tail, "array", rest);
    it.put(top, "array", tops);
    it.put(list, "_root", top);
    it.put(list, "_tail", tail);
    it.global("order", list);
    let dump = it.open();
    let expected = [0, 1, 2].map(|at| (Some(value(texts[at])), value(values[at])));
    assert_eq!(entries(&dump, map), expected);
    assert_eq!(entries(&dump, list), [values[0], values[1], element].map(|node| (None, value(node))));
    assert_eq!(read(&dump, list).kind, LogicalKind::List);
    assert_eq!(name(&dump, texts[2]), "global.shapes{\"c\"}");
}

#[test]
fn a_cyclic_trie_ends() {
    let mut it = Program::new();
    let (root, map, key, shape) = (it.object("HashArrayMapNode"), it.object("Map"), it.text("key"), it.object("Shape"));
    let pair = it.array(&[Some(key), Some(shape)]);
    let nodes = it.array(&[Some(pair), Some(root)]);
    it.put(root, "nodes", nodes);
    it.put(map, "_root", root);
    it.global("shapes", map);
    let dump = it.open();
    let actual = dump.facts.contents.logical(&dump.facts.heap, object(map), 0..1).expect("a collection");
    assert_eq!(actual.entries.len(), 1);
}

#[test]
fn caches_have_keys_and_values_side_by_side() {
    let mut it = Program::new();
    let (first, second) = (it.text("zurich"), it.text("bern"));
    let (sun, rain) = (it.object("Forecast"), it.object("Forecast"));
    // The second slot is free.
    let keys = it.array(&[Some(first), None, Some(second)]);
    let values = it.array(&[Some(sun), None, Some(rain)]);
    let cache = it.object("LRUCache");
    it.put(cache, "#keyList", keys);
    it.put(cache, "#valList", values);
    it.global("forecasts", cache);
    // An observable map wraps a map of the language.
    let inner = it.native("Map", (2, 8), &[Some(first), Some(sun), None]);
    let observable = it.object("ObservableMap");
    it.put(observable, "data_", inner);
    it.global("observed", observable);
    let dump = it.open();
    let expected = [(Some(value(first)), value(sun)), (Some(value(second)), value(rain))];
    assert_eq!(entries(&dump, cache), expected);
    assert_eq!(name(&dump, rain), "global.forecasts[\"bern\"]");
    assert_eq!(entries(&dump, observable), expected[..1]);
    assert_eq!(read(&dump, observable).internals, [object(inner)]);
}
