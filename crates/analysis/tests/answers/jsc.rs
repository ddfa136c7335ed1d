//! Heap snapshots of JavaScriptCore in both of its forms, and of Bun in V8's form.

use heaplens_analysis::strings::duplicate_strings;
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{Address, ObjectId, RecordedText, RootKind, Severity};

/// A snapshot with a session that only the storage of a Map holds. `form` adds what the form for debugging has.
fn snapshot(is_debugging: bool) -> String {
    let node = |id: u32, size: u32, class: u32, flags: u32, label: u32| {
        let of_debugging = if is_debugging { format!(",{label},\"0x{id:x}\",\"0x0\"") } else { String::new() };
        format!("{id},{size},{class},{flags}{of_debugging}")
    };
    let nodes = [
        node(0, 0, 0, 0, 0),
        node(10, 100, 1, 0, 0),
        node(20, 32, 2, 0, 0),
        node(21, 16, 3, 1, 0),
        node(30, 24, 4, 0, 0),
        node(31, 24, 4, 0, 0),
        node(40, 40, 5, 0, 1),
        node(50, 8, 6, 0, 0),
    ];
    let (kind, tail) = if is_debugging {
        ("GCDebugging", ",\"roots\":[10,2,0,40,3,0],\"labels\":[\"\",\"onHit\",\"StrongHandles\",\"Output\"]")
    } else {
        ("Inspector", "")
    };
    format!(
        "{{\"version\":3,\"type\":\"{kind}\",\"nodes\":[{}],\"nodeClassNames\":[\"<root>\",\"GlobalObject\",\"Map\",\
         \"Cell Butterfly\",\"Session\",\"Function\",\"string\"],\"edges\":[0,10,0,0,0,40,0,0,10,20,1,0,20,21,0,0,\
         10,31,2,7,40,50,3,1],\"edgeTypes\":[\"Internal\",\"Property\",\"Index\",\"Variable\"],\"edgeNames\":[\"cache\",\
         \"a \\\"quoted\\\" name\"]{tail}}}",
        nodes.join(",")
    )
}

fn try_text(text: &[u8]) -> Result<Dump, String> {
    let file = crate::temporary_file(text);
    open_with(file.path(), &OpenOptions::default(), &Task::new()).map_err(|error| error.to_string())
}

fn at(dump: &Dump, id: u64) -> ObjectId {
    dump.facts.heap.at(Address(id)).unwrap_or_else(|| panic!("no node {id}"))
}

#[test]
fn both_forms_have_the_same_nodes_and_named_edges() {
    for is_debugging in [false, true] {
        let dump = try_text(snapshot(is_debugging).as_bytes()).expect("a heap");
        let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
        assert_eq!(heap.origin.producer, "JavaScriptCore");
        let class = |id| heap.class(at(&dump, id)).name.to_string();
        assert_eq!([10, 20, 30, 40, 50].map(class), ["GlobalObject", "Map", "Session", "Function", "(string)"]);
        let name = |from, to| contents.reference_names(heap, at(&dump, from), at(&dump, to), 9)[0].text.clone();
        assert_eq!((name(10, 20), name(10, 31), name(40, 50)), {
            ("cache".to_owned(), "[7]".to_owned(), "a \"quoted\" name".to_owned())
        });
        // The global object is what the program sees as the root.
        assert_eq!(heap.snapshot().map(heaplens_heap::Snapshot::has_user_roots), Some(true));
        assert_eq!(dump.analysis.immediate_dominator(at(&dump, 20)), Some(at(&dump, 10)));
        assert!(heap.notes.iter().all(|note| note.severity == Severity::Info), "{:?}", heap.notes);
    }
}

#[test]
fn objects_in_a_map_are_grouped_and_explained() {
    for is_debugging in [false, true] {
        let dump = try_text(snapshot(is_debugging).as_bytes()).expect("a heap");
        let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
        let group = dump.analysis.immediate_dominator(at(&dump, 30)).expect("a group");
        assert_eq!(contents.label(heap, group).as_deref(), Some("(references not recorded)"));
        let note = heap.notes.iter().find(|note| note.message.contains("without a recorded reference"));
        let note = note.expect("a note");
        assert_eq!(note.count, 1);
        assert!(note.message.contains("storage of a Map or Set"), "{}", note.message);
        // One root: the groups are below it.
        assert_eq!(heap.roots.all().iter().map(|root| root.kind).collect::<Vec<_>>(), [RootKind::SnapshotRoot]);
    }
}

#[test]
fn roots_have_their_reasons() {
    let dump = try_text(snapshot(true).as_bytes()).expect("a heap");
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let group = dump.analysis.immediate_dominator(at(&dump, 40)).expect("a group");
    assert_eq!(contents.label(heap, group).as_deref(), Some("(Output)"));
}

#[test]
fn truncated_snapshots_open_or_say_why() {
    for is_debugging in [false, true] {
        let complete = snapshot(is_debugging);
        for end in 1..complete.len() {
            match try_text(&complete.as_bytes()[..end]) {
                Ok(dump) => assert!(dump.facts.heap.is_incomplete(), "{end}: nothing is said"),
                Err(error) => assert!(error.contains("expected"), "{end}: {error}"),
            }
        }
    }
}

#[test]
fn nodes_of_bun_without_a_reference_are_roots_of_their_own_kind() {
    let text = "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\"],\
        \"node_types\":[[\"hidden\",\"object\",\"synthetic\",\"object shape\"],\"string\",\"number\",\"number\",\"number\"],\
        \"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\
        \"edge_types\":[[\"element\",\"internal\",\"weak\"],\"string_or_number\",\"node\"]},\
        \"node_count\":6,\"edge_count\":4},\
        \"nodes\":[2,0,1,0,1, 2,1,2,0,2, 1,2,3,16,0, 3,3,4,8,1, 1,4,5,24,0, 1,4,6,24,0],\
        \"edges\":[0,1,5, 0,1,10, 0,2,15, 2,0,25],\
        \"strings\":[\"\",\"(GC roots)\",\"Map\",\"Structure\",\"Session\"]}";
    let dump = try_text(text.as_bytes()).expect("a heap");
    let heap = &dump.facts.heap;
    assert_eq!(heap.origin.producer, "Bun (JavaScriptCore)");
    let kinds: Vec<(u64, RootKind)> =
        heap.roots.all().iter().map(|root| (heap.address(root.object).0, root.kind)).collect();
    assert_eq!(kinds, [(1, RootKind::SnapshotRoot), (5, RootKind::NotRecorded), (6, RootKind::OnlyWeakly)]);
    assert!(heap.notes.iter().any(|note| note.count == 1 && note.message.contains("Map or Set")), "{:?}", heap.notes);
}

#[test]
fn other_engines_are_named() {
    let text = |types: &str, strings: &str| {
        format!(
            "{{\"snapshot\":{{\"meta\":{{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\",\
             \"trace_node_id\",\"detachedness\"],\"node_types\":[{types},\"string\",\"number\",\"number\",\"number\",\
             \"number\",\"number\"],\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\
             \"edge_types\":[[\"internal\",\"hidden\",\"element\",\"property\"],\"string_or_number\",\"from_node\"]}},\
             \"node_count\":3,\"edge_count\":2}},\"nodes\":[0,0,0,0,1,0,0, 0,1,1,0,1,0,0, 1,2,140737488355328,40,0,0,0],\
             \"edges\":[0,1,7, 0,2,14],\"strings\":{strings}}}"
        )
    };
    for (types, strings, producer, class) in [
        ("[\"synthetic\",\"jl_task_t\",\"jl_module_t\"]", "[\"\",\"GC roots\",\"Task\"]", "Julia", "(jl_task_t)"),
        ("[\"synthetic\",\"object\"]", "[\"\",\"(Custom)\",\"JSObject\"]", "Hermes", "JSObject"),
        ("[\"synthetic\",\"object\"]", "[\"\",\"(GC roots)\",\"Thing\"]", "V8", "Thing"),
    ] {
        let dump = try_text(text(types, strings).as_bytes()).expect("a heap");
        assert_eq!(dump.facts.heap.origin.producer, producer);
        let object = at(&dump, 0x8000_0000_0000);
        assert_eq!(&*dump.facts.heap.class(object).name, class);
        assert!(!dump.facts.heap.is_incomplete(), "{:?}", dump.facts.heap.notes);
    }
}

/// Strings without a text in the file are unknown: neither are they equal to each other, nor is the name of their class
/// their text.
#[test]
fn strings_without_a_text_are_not_compared() {
    // More strings than the one, each held by the function.
    for is_debugging in [false, true] {
        let nodes = if is_debugging {
            "60,8,6,0,0,\"0x3c\",\"0x0\",61,24,6,0,0,\"0x3d\",\"0x0\""
        } else {
            "60,8,6,0,61,24,6,0"
        };
        let text = snapshot(is_debugging)
            .replace("],\"nodeClassNames\"", &format!(",{nodes}],\"nodeClassNames\""))
            .replace("40,50,3,1]", "40,50,3,1,40,60,3,1,40,61,3,1]");
        let dump = try_text(text.as_bytes()).expect("a heap");
        let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
        let strings = [50, 60, 61].map(|id| at(&dump, id));
        assert!(strings.iter().all(|&string| &*heap.class(string).name == "(string)"));
        assert_eq!(strings.map(|string| contents.text(heap, string, 9)), [None, None, None]);
        assert_eq!(strings.map(|string| contents.label(heap, string)), [None, None, None]);
        assert_eq!(strings.map(|string| contents.recorded_text(heap, string)), [RecordedText::Nothing; 3]);
        let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
        assert_eq!((actual.groups.len(), actual.uncompared.unavailable), (0, 3));
        let sentence = "3 strings not compared: 3 not available";
        assert_eq!(actual.uncompared.sentence().as_deref(), Some(sentence));
    }
}

/// Bun writes the texts of joined strings and of slices, and the name of the class where it has no text.
#[test]
fn strings_of_bun_have_the_texts_in_the_file() {
    let text = "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\"],\
        \"node_types\":[[\"synthetic\",\"string\",\"concatenated string\",\"sliced string\",\"object shape\"],\"string\",\
        \"number\",\"number\",\"number\"],\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\
        \"edge_types\":[[\"element\",\"internal\"],\"string_or_number\",\"node\"]},\"node_count\":10,\"edge_count\":9},\
        \"nodes\":[0,0,0,0,9, 4,1,1,8,0, 1,2,2,16,0, 1,2,3,18,0, 2,3,4,32,0, 2,4,5,32,0, 2,4,6,32,0, 3,5,7,32,0,\
        1,5,8,17,0, 2,6,9,32,0],\
        \"edges\":[0,1,5, 0,2,10, 0,3,15, 0,4,20, 0,5,25, 0,6,30, 0,7,35, 0,8,40, 0,9,45],\
        \"strings\":[\"\",\"Structure\",\"string\",\"session 1\",\"session 2\",\"/app\",\"(concatenated string)\"]}";
    let dump = try_text(text.as_bytes()).expect("a heap");
    let (heap, contents) = (&dump.facts.heap, &*dump.facts.contents);
    assert_eq!(heap.origin.producer, "Bun (JavaScriptCore)");
    let texts: Vec<Option<String>> = (2..9).map(|id| contents.text(heap, at(&dump, id), 99)).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
    let [joined, twice, slice] = ["session 1", "session 2", "/app"].map(Some);
    assert_eq!(texts, [None, None, joined, twice, twice, slice, slice]);
    let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
    let mut groups: Vec<Vec<u64>> = actual
        .groups
        .iter()
        .map(|group| actual.members(group).iter().map(|&object| heap.address(object).0).collect())
        .collect();
    groups.sort();
    assert_eq!(groups, [[5, 6], [7, 8]]);
    assert_eq!((actual.uncompared.partial, actual.uncompared.unavailable), (1, 2));
}

/// A name that strings of many sizes share is no text; nor is an empty one, where the engine omits texts.
#[test]
fn names_that_are_no_texts_are_not_compared() {
    let text = "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\",\"edge_count\"],\
        \"node_types\":[[\"synthetic\",\"string\"],\"string\",\"number\",\"number\",\"number\"],\
        \"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\
        \"edge_types\":[[\"element\",\"internal\"],\"string_or_number\",\"node\"]},\"node_count\":11,\"edge_count\":10},\
        \"nodes\":[0,0,0,0,10, 0,1,1,0,0, 1,2,2,16,0, 1,2,3,18,0, 1,2,4,32,0, 1,2,5,40,0, 1,3,6,24,0, 1,3,7,24,0,\
        1,0,8,24,0, 1,0,9,32,0, 1,4,10,64,0],\
        \"edges\":[0,1,5, 0,2,10, 0,3,15, 0,4,20, 0,5,25, 0,6,30, 0,7,35, 0,8,40, 0,9,45, 0,10,50],\
        \"strings\":[\"\",\"(Custom)\",\"<redacted>\",\"state\",\"the longest of all\"]}";
    let dump = try_text(text.as_bytes()).expect("a heap");
    let heap = &dump.facts.heap;
    assert_eq!(heap.origin.producer, "Hermes");
    let actual = duplicate_strings(dump.data(), &Task::new()).expect("not cancelled");
    let groups: Vec<Vec<u64>> = actual
        .groups
        .iter()
        .map(|group| actual.members(group).iter().map(|&object| heap.address(object).0).collect())
        .collect();
    assert_eq!(groups, [[6, 7]]);
    // The longest text may be cut, and nothing is known of the others.
    assert_eq!((actual.uncompared.partial, actual.uncompared.unavailable), (1, 6));
}
