//! Known contents of the fixtures (`fixtures/*.truth.txt`) as labels, collections and waste; and malformed collections,
//! which must not cause endless loops.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::{LogicalKind, ObjectId};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::sketch::{Body, Class, Object, Sketch, Type, Value};
use serde_json::Value as Json;

const DUMPS: [&str; 3] =
    ["fixtures/leak-after.hprof.gz", "fixtures/leak-after-nocoops.hprof.gz", "fixtures/leak-after-jdk25.hprof.gz"];

fn ask(arguments: &[&str]) -> Json {
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(["--no-cache", "--format", "json"])
        .output()
        .expect("heaplens starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("json")
}

/// The statics of `desk.Samples`: name → id.
fn samples(dump: &str) -> impl Fn(&str) -> String {
    let open = open(&Path::new(env!("CARGO_MANIFEST_DIR")).join(dump));
    let heap = &open.facts.heap;
    let class = heap.classes.all().iter().find(|class| &*class.name == "desk.Samples").expect("a class");
    let class = heap.id_text(class.object.expect("a class object"));
    let fields = ask(&["object", dump, &class]);
    move |name| {
        let fields = fields["fields"].as_array().expect("fields");
        let field = fields.iter().find(|field| field["name"] == name).expect("a static of this name");
        field["id"].as_str().expect("an object").to_owned()
    }
}

fn open(path: &Path) -> Dump {
    open_and_wait(path, &OpenOptions::default(), &Task::new()).expect("it opens")
}

#[test]
fn collections_match_the_log_of_the_program() {
    for dump in DUMPS {
        let id_of = samples(dump);
        let collection = |name: &str| ask(&["object", dump, &id_of(name)])["collection"].clone();
        for (name, kind, size) in [
            ("duplicates", "list", 300),
            ("neverFilled", "list", 40),
            ("colliding", "map", 40),
            ("inOrder", "map", 40),
            ("weakMap", "map", 20),
            ("wrapped", "list", 10),
        ] {
            let actual = collection(name);
            assert_eq!((&actual["kind"], &actual["size"]), (&kind.into(), &size.into()), "{dump} {name}");
            assert_eq!(actual["entries"].as_array().map(Vec::len), Some(size), "{dump} {name}");
        }
        let labels = |name: &str, side: &str| -> Vec<String> {
            let entries = collection(name)["entries"].as_array().expect("entries").clone();
            entries.iter().map(|entry| entry[side]["label"].as_str().unwrap_or_default().to_owned()).collect()
        };
        let wrapped: Vec<String> = (10..20).map(|n| (n * 1_000).to_string()).collect();
        assert_eq!(labels("wrapped", "value"), wrapped, "{dump}: in order, round the end of the array");
        let keys: Vec<String> = (0..40).map(|n| format!("key {n}")).collect();
        let numbers: Vec<String> = (1_000..1_040).map(|n: i32| n.to_string()).collect();
        assert_eq!((labels("inOrder", "key"), labels("inOrder", "value")), (keys, numbers), "{dump}");
        assert!(labels("colliding", "value").iter().all(|label| label == "same bucket"), "{dump}");
        assert!(labels("neverFilled", "value").iter().all(|label| label == "(0)"), "{dump}");
        for (name, capacity) in [("oversized", 100), ("sparse", 128)] {
            let first = collection(name)["entries"][0]["value"]["id"].as_str().expect("an object").to_owned();
            let inner = ask(&["object", dump, &first])["collection"].clone();
            assert_eq!((&inner["size"], &inner["capacity"]), (&1.into(), &capacity.into()), "{dump} {name}");
        }
    }
}

#[test]
fn duplicate_strings_and_unused_capacity() {
    for dump in DUMPS {
        let strings = ask(&["strings", dump]);
        let rows = strings["rows"].as_array().expect("rows");
        assert_eq!(strings["groups"], rows.len());
        for status in ["placed", "paid", "shipped"] {
            let row = rows.iter().find(|row| row["text"] == format!("status: {status}")).expect("a row");
            assert_eq!(row["objects"], 100, "{dump}");
            assert_eq!(row["wasted_bytes"].as_u64(), row["shallow_bytes"].as_u64().map(|bytes| bytes / 100 * 99));
            assert_eq!(row["held_by"][0]["objects"], 100);
        }
        let sum = |key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();
        for key in ["objects", "shallow_bytes", "wasted_bytes"] {
            assert_eq!(strings[key], sum(key), "{dump} {key}");
        }
        let collections = ask(&["collections", dump]);
        let row = |class: &str| {
            let rows = collections["rows"].as_array().expect("rows");
            rows.iter().find(|row| row["class"] == class).expect("a row").clone()
        };
        let at_least = |row: &Json, key: &str, least: u64| {
            assert!(row[key].as_u64() >= Some(least), "{dump}: {key} of {row}");
        };
        at_least(&row("java.util.ArrayList"), "empty", 40);
        at_least(&row("java.util.ArrayList"), "sparse", 40);
        at_least(&row("java.util.HashMap"), "sparse", 40);
        at_least(&row("java.util.LinkedList"), "elements", 1_200);
        let waste = ask(&["waste", dump]);
        let kinds: Vec<&str> =
            waste["rows"].as_array().expect("rows").iter().filter_map(|row| row["kind"].as_str()).collect();
        for kind in ["duplicate strings", "sparse collections", "object headers", "zero-filled primitive arrays"] {
            assert!(kinds.contains(&kind), "{dump}: {kinds:?}");
        }
    }
}

/// Fields of a class.
type FieldTypes<'a> = &'a [(&'a str, Type)];

/// Heap with classes named like the runtime's: id, class and fields of each object.
fn made_up(classes: &[(u64, &str, FieldTypes<'_>)], objects: &[(u64, u64, &[Value])]) -> Sketch {
    let mut sketch = Sketch::default();
    let class = |id, name: &str, fields: FieldTypes<'_>, superclass| Class {
        id,
        name: name.to_owned(),
        superclass,
        fields: fields.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect(),
        ..Class::default()
    };
    sketch.classes.push(class(0x100, "java.lang.Object", &[], 0));
    sketch.classes.push(class(0x108, "java.lang.Class", &[], 0x100));
    sketch.classes.push(class(0x110, "java.lang.Object[]", &[], 0x100));
    sketch.classes.extend(classes.iter().map(|&(id, name, fields)| class(id, name, fields, 0x100)));
    for &(id, class, fields) in objects {
        let body = if class == 0x110 {
            let elements = fields.iter().map(|value| if let Value::Object(id) = value { *id } else { 0 });
            Body::Objects { class, elements: elements.collect() }
        } else {
            Body::Instance { class, fields: fields.to_vec() }
        };
        sketch.objects.push(Object { id, body });
    }
    sketch
}

#[test]
fn cycles_and_wrong_sizes_end() {
    let at = Value::Object;
    let node: FieldTypes<'_> = &[
        ("key", Type::Object),
        ("value", Type::Object),
        ("next", Type::Object),
        ("left", Type::Object),
        ("right", Type::Object),
    ];
    let sketch = made_up(
        &[
            (0x200, "java.util.HashMap", &[("table", Type::Object), ("size", Type::Int)]),
            (0x208, "java.util.HashMap$Node", node),
            (0x210, "java.util.LinkedList", &[("first", Type::Object), ("size", Type::Int)]),
            (0x218, "java.util.concurrent.ConcurrentLinkedQueue", &[("head", Type::Object)]),
            (0x220, "java.util.TreeMap", &[("root", Type::Object), ("size", Type::Int)]),
            (0x228, "java.util.Collections$UnmodifiableMap", &[("m", Type::Object)]),
            (0x230, "java.util.ArrayList", &[("elementData", Type::Object), ("size", Type::Int)]),
            (0x238, "java.util.ArrayDeque", &[("elements", Type::Object), ("head", Type::Int), ("tail", Type::Int)]),
            (0x240, "java.util.concurrent.ConcurrentSkipListMap", &[("head", Type::Object)]),
            (
                0x248,
                "java.util.concurrent.ConcurrentSkipListMap$Index",
                &[("node", Type::Object), ("down", Type::Object)],
            ),
            (0x250, "java.util.Collections$CopiesList", &[("n", Type::Int), ("element", Type::Object)]),
            (0x258, "java.util.RegularEnumSet", &[("universe", Type::Object), ("elements", Type::Long)]),
            (
                0x260,
                "java.util.JumboEnumSet",
                &[("universe", Type::Object), ("elements", Type::Object), ("size", Type::Int)],
            ),
            (
                0x268,
                "java.util.ArrayList$SubList",
                &[("root", Type::Object), ("offset", Type::Int), ("size", Type::Int)],
            ),
            (0x270, "java.util.Hashtable", &[("table", Type::Object), ("count", Type::Int)]),
            (0x278, "java.util.HashMap$KeySet", &[("this$0", Type::Object)]),
            (0x280, "java.util.BitSet", &[("words", Type::Object)]),
        ],
        &[
            // A table whose two slots lead into one cycle of two nodes, each with its own subtree.
            (0x1000, 0x110, &[at(0x1010), at(0x1040)]),
            (0x1010, 0x208, &[at(0x1000), at(0x1000), at(0x1040), at(0x1040), at(0x1010)]),
            (0x1040, 0x208, &[at(0x1000), at(0x1000), at(0x1010), at(0x1010), at(0x1040)]),
            (0x1100, 0x200, &[at(0x1000), Value::Int(i32::MAX)]),
            (0x1120, 0x210, &[at(0x1010), Value::Int(i32::MAX)]),
            (0x1140, 0x218, &[at(0x1010)]),
            (0x1160, 0x220, &[at(0x1010), Value::Int(i32::MAX)]),
            (0x1180, 0x228, &[at(0x1180)]),
            (0x11a0, 0x230, &[at(0x1000), Value::Int(-5)]),
            (0x11c0, 0x230, &[at(0x1010), Value::Int(7)]),
            (0x11e0, 0x238, &[at(0x1000), Value::Int(i32::MAX), Value::Int(i32::MIN)]),
            (0x1200, 0x248, &[at(0x1010), at(0x1200)]),
            (0x1220, 0x240, &[at(0x1200)]),
            (0x1240, 0x250, &[Value::Int(i32::MAX), at(0x1240)]),
            (0x1260, 0x258, &[at(0x1000), Value::Long(-1)]),
            (0x1280, 0x260, &[at(0x1000), at(0x1000), Value::Int(i32::MAX)]),
            (0x12a0, 0x268, &[at(0x12a0), Value::Int(i32::MIN), Value::Int(i32::MAX)]),
            (0x12c0, 0x230, &[at(0x1000), Value::Int(i32::MAX)]),
            (0x12e0, 0x268, &[at(0x12c0), Value::Int(1), Value::Int(i32::MAX)]),
            (0x1300, 0x268, &[at(0x12c0), Value::Int(i32::MAX), Value::Int(i32::MAX)]),
            (0x1320, 0x270, &[at(0x1000), Value::Int(i32::MAX)]),
            (0x1340, 0x278, &[at(0x1340)]),
            (0x1360, 0x280, &[at(0x1000)]),
        ],
    );
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), write(&sketch, Form::MODERN)).expect("written");
    let dump = open(file.path());
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let logical = |id: &str, to: u64| contents.logical(heap, heap.find(id).expect("an object"), 0..to);
    let most = heap.len();
    for object in heap.objects() {
        let actual = contents.logical(heap, object, 0..u64::MAX);
        assert!(actual.is_none_or(|actual| actual.entries.len() <= most));
        let _ = (contents.label(heap, object), contents.fingerprint(heap, object), contents.capacity(heap, object));
    }
    let map = logical("0x1100", 3).expect("a map");
    assert_eq!((map.kind, map.size, map.capacity), (LogicalKind::Map, i32::MAX as u64, Some(2)));
    assert_eq!(map.entries.len(), 3);
    assert_eq!(logical("0x1180", 9), None, "it wraps itself");
    assert_eq!(logical("0x11a0", 9).map(|list| list.size), Some(0), "less than nothing is nothing");
    assert_eq!(logical("0x11c0", 9).map(|list| list.size), Some(0), "its array is none");
    let size = |id: &str| logical(id, 9).map(|actual| (actual.size, actual.entries.len()));
    assert_eq!(size("0x1240"), Some((i32::MAX as u64, 9)), "a page of many copies");
    assert_eq!(size("0x1260"), Some((64, 2)), "more bits than there are constants");
    assert_eq!(size("0x1280").map(|(_, entries)| entries), Some(0), "its bits are no numbers");
    assert_eq!(size("0x12e0"), Some((1, 1)), "it ends with the list that it is a part of");
    assert_eq!(size("0x1300"), Some((0, 0)), "it begins behind the end");
    assert_eq!(size("0x1340"), None, "it is a view of itself");
    assert_eq!(ObjectId::new(0).map(|object| contents.boxed(heap, object)), Some(None));
}

/// Zero-filled arrays are duplicates, too, and those of one holder belong to it: one fact is told once.
#[test]
fn the_same_arrays_are_one_finding() {
    let text = |holders: usize| {
        let mut text = String::from("class a.Grid\n");
        for at in 0..holders {
            let _ = writeln!(text, " static rows{at}: object = rows{at}");
        }
        text += "root a.Grid class\n";
        for at in 0..holders {
            let rows = (0..200 / holders).fold(String::new(), |all, row| all + &format!(" row{at}x{row}"));
            let _ = writeln!(text, "rows{at} = int[][]{rows} null");
            for row in 0..200 / holders {
                let _ = writeln!(text, "row{at}x{row} = int[]{}", " 0".repeat(100));
            }
        }
        text
    };
    for holders in [1, 100] {
        let sketch = notation::read(&text(holders)).unwrap_or_else(|why| panic!("{why}"));
        let file = tempfile::Builder::new().suffix(".hprof").tempfile().expect("a file");
        std::fs::write(file.path(), write(&sketch, Form::MODERN)).expect("written");
        let path = file.path().to_str().expect("a path");
        let waste = ask(&["waste", path]);
        let of = |kind: &str| {
            let row = waste["rows"].as_array().expect("rows").iter().find(|row| row["kind"] == kind).cloned();
            row.map(|row| row["objects"].as_u64().expect("a number"))
        };
        // Each kind for itself is whole.
        assert_eq!(of("zero-filled primitive arrays"), Some(200));
        assert_eq!(of("duplicate primitive arrays"), Some(199));
        let overview = ask(&["overview", path]);
        let findings = overview["findings"].as_array().expect("findings");
        let kinds: Vec<&str> = findings.iter().filter_map(|finding| finding["kind"].as_str()).collect();
        // Of many structures one stands for all; what the others hold is not known to be freed with it.
        let expected = if holders == 1 { "holder" } else { "zero-filled primitive arrays" };
        let of_arrays = kinds.iter().filter(|kind| kind.ends_with("arrays")).count();
        assert_eq!(of_arrays, usize::from(holders > 1), "{kinds:?}");
        assert!(kinds.contains(&expected), "{kinds:?}");
        if holders == 1 {
            let why = findings[0]["explanation"].as_str().expect("a text");
            assert!(why.contains("It includes nearly all of the 200 zero-filled primitive arrays: "), "{why}");
        }
        let leaks = ask(&["leaks", path]);
        let of_waste = leaks["findings"].as_array().expect("findings").iter().filter(|of| of["group"] == "waste");
        let of_waste: Vec<&Json> = of_waste.map(|of| &of["kind"]).collect();
        assert_eq!(of_waste, ["zero-filled primitive arrays"]);
    }
}
