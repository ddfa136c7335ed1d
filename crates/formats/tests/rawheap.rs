//! ArkTS raw heaps, written by `synth`, are translated to the same snapshots as by the device's translator; damaged files
//! are translated as far as possible.

use std::fs;
use std::path::Path;

use heaplens_base::Task;
use heaplens_formats::error::OpenError;
use heaplens_formats::source::Source;
use heaplens_formats::{ReadOptions, read_source};
use heaplens_testkit::random::Random;
use heaplens_testkit::rawheap::{Heap, Slot, Static};
use serde_json::Value;

/// Number of fields of a node and of an edge.
const NODE: usize = 8;
const EDGE: usize = 3;

/// Temporary file with these bytes, deleted when the value is dropped.
fn temporary_file(bytes: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    file
}

fn opened(path: &Path) -> Result<Source, OpenError> {
    read_source(path, &ReadOptions::default(), &Task::new())
}

fn convert(bytes: &[u8]) -> Result<Source, OpenError> {
    opened(temporary_file(bytes).path())
}

/// A snapshot as lines: each node as `kind name @id size+native`, below it its edges as `kind name -> node`.
fn lines(snapshot: &[u8]) -> Vec<String> {
    let snapshot: Value = serde_json::from_slice(snapshot).expect("JSON");
    let meta = &snapshot["snapshot"]["meta"];
    let list = |of: &Value| -> Vec<u64> {
        of.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
    };
    let (nodes, edges) = (list(&snapshot["nodes"]), list(&snapshot["edges"]));
    let text = |of: &Value, at: u64| of[at as usize].as_str().expect("a text").to_owned();
    let strings = &snapshot["strings"];
    assert_eq!(nodes.len(), NODE * snapshot["snapshot"]["node_count"].as_u64().expect("a count") as usize);
    assert_eq!(edges.len(), EDGE * snapshot["snapshot"]["edge_count"].as_u64().expect("a count") as usize);
    assert_eq!(nodes.chunks(NODE).map(|node| node[4]).sum::<u64>() as usize, edges.len() / EDGE);
    let label = |at: u64| {
        assert_eq!(at % NODE as u64, 0);
        let node = &nodes[at as usize..][..NODE];
        format!("{} {:?}", text(&meta["node_types"][0], node[0]), text(strings, node[1]))
    };
    let (mut lines, mut rest) = (Vec::new(), edges.chunks(EDGE));
    for (at, node) in nodes.chunks(NODE).enumerate() {
        lines.push(format!("{} @{} {}+{}", label((at * NODE) as u64), node[2], node[3], node[7]));
        for edge in rest.by_ref().take(node[4] as usize) {
            let kind = text(&meta["edge_types"][0], edge[0]);
            let name = if kind == "element" { format!("[{}]", edge[1]) } else { text(strings, edge[1]) };
            lines.push(format!("  {kind} {name} -> {}", label(edge[2])));
        }
    }
    lines
}

/// Edges of a node.
fn below(lines: &[String], node: &str) -> Vec<String> {
    let from = lines.iter().position(|line| line.starts_with(node)).unwrap_or_else(|| panic!("{node} in {lines:#?}"));
    lines[from + 1..].iter().take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

fn text_of(bytes: &[u8]) -> Vec<String> {
    let source = convert(bytes).expect("it can be read");
    assert_eq!(source.damage, None);
    lines(source.bytes())
}

#[test]
fn memory_as_it_was() {
    let lines = text_of(&Heap::shop().addressed());
    assert_eq!(lines[0], "synthetic \"SyntheticRoot\" @1 0+0");
    assert_eq!(
        below(&lines, "synthetic"),
        [
            "shortcut -subroot- -> handle \"LocalHandleRoot[1]\"",
            "shortcut -subroot- -> handle \"GlobalHandleRoot[2]\"",
            "shortcut -subroot- -> handle \"VMRoot[0]\"",
            "shortcut -subroot- -> handle \"FrameRoot[1]\"",
            "shortcut -subroot- -> native \"HeapMetadata\"",
            "shortcut -subroot- -> handle \"GlobalHandleObject[2]\"",
            "shortcut -subroot- -> framework \"app_GLOBAL\"",
        ]
    );
    assert_eq!(
        below(&lines, "handle \"GlobalHandleRoot"),
        ["element [0] -> object \"Bag\"", "element [1] -> object \"Shop\""]
    );
    assert_eq!(
        below(&lines, "native \"HeapMetadata\""),
        [
            "property spaceType -> number \"LocalSpace\"",
            "property heapType -> number \"local heap\"",
            "property vmType -> number \"dynamic\"",
        ]
    );
    assert_eq!(below(&lines, "native \"ReferenceAddress:0xaaa0\""), ["property JSObject -> object \"Bag\""]);
    let shop = "object \"Shop\" @29 48+0";
    assert_eq!(
        below(&lines, shop),
        [
            "property hclass -> native \"HiddenClass\"",
            "property ArkInternalHash -> number \"Int:99\"",
            "property HashField -> number \"Int\"",
            "property Properties -> array \"ArkInternalArray\"",
            "property Elements -> array \"ArkInternalArray\"",
            "property first -> number \"Int\"",
            "weak se\"cond\nżółw -> object \"Bag\"",
            // A key without a string, and a value outside the object.
            "property InlineProperty -> number \"Double\"",
        ]
    );
    assert_eq!(
        below(&lines, "object \"Bag\""),
        [
            "property hclass -> native \"HiddenClass\"",
            "property HashField -> number \"Int\"",
            "property Properties -> array \"ArkInternalDict\"",
            "property Elements -> array \"ArkInternalArray\"",
            "property first -> object \"Shop\"",
            "weak se\"cond\nżółw -> native \"js_native_pointer\"",
        ]
    );
    let array = lines.iter().position(|line| line.contains("\"ArkInternalArray\" @33 ")).expect("the array");
    assert_eq!(
        lines[array + 1..][..9],
        [
            "  property hclass -> native \"HiddenClass\"",
            "  element [0] -> number \"Boolean:true\"",
            "  element [2] -> object \"Bag\"",
            "  weak 3 -> object \"Shop\"",
            "  element [4] -> number \"Null\"",
            "  element [5] -> number \"Undefined\"",
            "  element [6] -> number \"Exception\"",
            "  element [7] -> number \"Boolean:false\"",
            "  element [8] -> number \"Int\"",
        ]
    );
    assert_eq!(
        below(&lines, "native \"js_native_pointer\" @39 40+4096"),
        ["property hclass -> native \"HiddenClass\"", "property ExternalPointer -> number \"0xdeadbeef\""]
    );
    assert!(
        below(&lines, "object \"js_wrapped_napi_object\"")
            .contains(&"property NativeAddress0 -> number \"0xdeadbeef\"".to_owned())
    );
    // No hole, and no reference to itself.
    assert_eq!(
        below(&lines, "framework \"app_GLOBAL\""),
        [
            "property hclass -> native \"HiddenClass\"",
            "element [0] -> object \"Shop\"",
            "element [3] -> object \"js_wrapped_napi_object\"",
        ]
    );
    // One per distinct number: 0, 3 and 7.
    assert_eq!(lines.iter().filter(|line| line.starts_with("number \"Int\"")).count(), 3);
    assert!(lines.contains(&"string \"\" @25 300+0".to_owned()));
}

#[test]
fn memory_as_tokens() {
    let lines = text_of(&Heap::shop().tokens());
    assert_eq!(
        below(&lines, "object \"Shop\" @29 48+0"),
        [
            "property hclass -> native \"HiddenClass\"",
            "property ArkInternalHash -> number \"Int:99\"",
            "property Properties -> array \"ArkInternalArray\"",
            "property Elements -> array \"ArkInternalArray\"",
        ]
    );
    // Indexes count existing edges; weak edges are dropped.
    assert_eq!(
        below(&lines, "framework \"app_GLOBAL\""),
        [
            "property hclass -> native \"HiddenClass\"",
            "element [0] -> object \"Shop\"",
            "element [1] -> framework \"app_GLOBAL\"",
            "element [2] -> object \"js_wrapped_napi_object\"",
        ]
    );
    assert_eq!(
        below(&lines, "native \"ReferenceAddress:0xbbb0\""),
        ["property JSObject -> object \"js_wrapped_napi_object\""]
    );
    assert!(lines.contains(&"native \"js_native_pointer\" @39 40+4096".to_owned()));
    let old = Heap { about: None, references: None, ..Heap::shop() };
    // Space for missing file metadata is kept.
    assert_eq!(text_of(&old.tokens()).iter().position(|line| line == "native \"invalid\" @0 0+0"), Some(14));
    assert!(
        !text_of(&old.addressed())
            .iter()
            .any(|line| line.contains("HeapMetadata") || line.contains("GlobalHandleObject"))
    );
}

#[test]
fn records_of_the_static_runtime() {
    let lines = text_of(&Static::shop(false).bytes());
    assert_eq!(below(&lines, "synthetic"), ["shortcut -subroot- -> handle \"StaticRoot[3]\""]);
    assert_eq!(
        below(&lines, "handle \"StaticRoot[3]\" @0 1+0"),
        ["element [0] -> object \"Item\"", "element [1] -> class \"Item\"", "element [2] -> handle \"\""]
    );
    assert_eq!(
        below(&lines, "class \"Item\" @10 64+0"),
        [
            "internal superClass -> class \"Base\"",
            "property shared -> array \"Item[]\"",
            "property print -> closure \"print\"",
            "property next -> object \"Item\"",
            "property other -> number \"5\"",
        ]
    );
    assert_eq!(
        below(&lines, "class \"Base\" @12 0+0"),
        ["property shared -> synthetic \"null\"", "weak next -> object \"Item\""]
    );
    assert_eq!(
        below(&lines, "object \"Item\" @20 32+0"),
        [
            "property hclass -> class \"Item\"",
            "property next -> object \"Item\"",
            "weak other -> object \"Object\"",
            "property superClass -> class \"Base\"",
        ]
    );
    // The size is that of its class.
    assert_eq!(
        below(&lines, "object \"Item\" @22 40+0"),
        ["property hclass -> class \"Item\"", "property other -> number \"true\""]
    );
    assert_eq!(
        below(&lines, "object \"Object\" @24 16+0"),
        ["property hclass -> native \"\"", "property  -> object \"Item\"", "weak  -> object \"Item\""]
    );
    assert_eq!(below(&lines, "array \"Item[]\" @26 40+0"), ["property buffer -> array \"Item[]\""]);
    let buffers: Vec<&[String]> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.starts_with("array") && line.contains("@10737418"))
        .map(|(at, _)| &lines[at + 1..])
        .collect();
    assert_eq!(buffers[0][..2], ["  element [0] -> object \"Item\"", "  element [2] -> object \"Item\""]);
    assert_eq!(buffers[1][..2], ["  weak 0 -> object \"Item\"", "  weak 1 -> object \"Item\""]);
    assert_eq!(
        buffers[2][..7],
        [
            "  element [0] -> object \"Item\"",
            "  weak 1 -> object \"Item\"",
            "  element [2] -> number \"-1\"",
            "  element [3] -> synthetic \"undefined\"",
            "  element [4] -> number \"0.250000\"",
            "  element [5] -> number \"-1.500000\"",
            "  element [6] -> string \"\\\\uD83D\"",
        ]
    );
    assert_eq!(
        buffers[3][..2],
        ["  element [0] -> object \"std.core.Short\"", "  element [1] -> object \"std.core.Short\""]
    );
    assert_eq!(below(&lines, "string \"he\\\"llo 🐢\" @34 30+0"), ["property hclass -> class \"std.core.String\""]);
}

#[test]
fn two_files_of_one_process_are_one_heap() {
    let folder = tempfile::tempdir().expect("a folder");
    let [dynamic, fixed] = ["app-dynamic.rawheap", "app-static.rawheap"].map(|name| folder.path().join(name));
    fs::write(&fixed, Static::shop(true).bytes()).expect("it is written");
    let alone = opened(&fixed).expect("it can be read");
    assert_eq!(alone.damage, None);
    assert!(!lines(alone.bytes()).iter().any(|line| line.contains("xref")));
    fs::write(&dynamic, Heap::shop().addressed()).expect("it is written");
    let both = opened(&dynamic).expect("it can be read");
    assert_eq!(both.damage, None);
    assert_eq!(both.bytes(), opened(&fixed).expect("it can be read").bytes(), "whichever of them is opened");
    let lines = lines(both.bytes());
    assert_eq!(
        below(&lines, "synthetic").last().map(String::as_str),
        Some("shortcut -subroot- -> handle \"StaticRoot[3]\"")
    );
    assert_eq!(
        below(&lines, "object \"Shop\"").last().map(String::as_str),
        Some("xref xref_bidir -> string \"he\\\"llo 🐢\"")
    );
    assert_eq!(below(&lines, "string \"he").last().map(String::as_str), Some("xref xref_bidir -> object \"Shop\""));
    assert_eq!(
        below(&lines, "array \"Item[]\" @26 40").last().map(String::as_str),
        Some("xref xref_sta_dyn -> object \"Bag\"")
    );
    // A file with such a name but other content is not joined.
    let mut other = Heap::shop();
    other.objects.drain(13..);
    (other.roots, other.groups, other.references) = (vec![0], [vec![], vec![], vec![], vec![]], None);
    other.objects[2].slots[2] = Slot::Bits(3);
    fs::write(&dynamic, other.addressed()).expect("it is written");
    assert_eq!(opened(&fixed).expect("it can be read").bytes(), alone.bytes());
}

/// Limits of the snapshot's size: bytes per byte of the raw heap, and a constant.
const GROWTH: (usize, usize) = (40, 1 << 14);

/// Any file is translated to a readable snapshot of reasonable size, or rejected with an error.
fn is_survived(what: &str, bytes: &[u8]) -> bool {
    match convert(bytes) {
        Ok(source) if source.bytes() == bytes => true,
        Ok(source) => {
            assert!(source.bytes().len() < GROWTH.0 * bytes.len() + GROWTH.1, "{what}: {}", source.bytes().len());
            lines(source.bytes());
            source.damage.is_some()
        }
        Err(OpenError::Format(error)) => {
            assert!(!error.to_string().is_empty());
            true
        }
        Err(error) => panic!("{what}: {error}"),
    }
}

fn all() -> [(&'static str, Vec<u8>); 3] {
    let shop = Heap::shop();
    [("addressed", shop.addressed()), ("tokens", shop.tokens()), ("static", Static::shop(false).bytes())]
}

#[test]
fn every_truncation_is_reported() {
    for (name, bytes) in all() {
        let intact = convert(&bytes).expect("it can be read").bytes().len();
        for end in 9..bytes.len() {
            let what = format!("{name} cut at {end}");
            if !is_survived(&what, &bytes[..end]) {
                // A record may be truncated at any offset: only later records are missing.
                assert_eq!(name, "static", "{what} says nothing");
                assert!(convert(&bytes[..end]).expect("it can be read").bytes().len() < intact);
            }
        }
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let mut random = Random::new(20_261_122);
    for (name, bytes) in all() {
        for round in 0..1000 {
            let mut flipped = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(flipped.len() as u32) as usize;
                flipped[at] = random.below(256) as u8;
            }
            is_survived(&format!("{name}, round {round}"), &flipped);
        }
    }
}

#[test]
fn overlapping_objects_end() {
    let mut heap = Heap::shop();
    let array = heap.objects[15].clone();
    heap.objects.extend(vec![array; 20_000]);
    // Each claims all memory as its size: 400 million references.
    heap.claims = Some(u32::MAX);
    // The common start: an array class, and an array of 16 million elements.
    heap.objects[0] = heap.objects[15].clone();
    heap.objects[0].slots[0] = Slot::Bits(0x00ff_ff05);
    assert!(is_survived("overlapping", &heap.addressed()));
}

#[test]
fn newer_or_incomplete_files_are_refused_with_a_reason() {
    let refused = |bytes: &[u8]| match convert(bytes) {
        Err(OpenError::Format(error)) => error.to_string(),
        other => panic!("{:?}", other.map(|source| source.damage)),
    };
    let mut newer = Heap::shop().addressed();
    newer[0] = b'4';
    assert!(refused(&newer).contains("newer runtime"));
    let intact = Heap::shop().tokens();
    assert!(refused(&intact[..intact.len() / 2]).contains("Copy the file again"));
    // Early writers omitted the version.
    let mut early = Heap::shop().addressed();
    early[..8].fill(0);
    assert_eq!(
        convert(&early).expect("it can be read").bytes(),
        convert(&Heap::shop().addressed()).expect("so, too").bytes()
    );
    // Eight zeros are not a raw heap.
    assert_eq!(convert(&[0; 64]).expect("it is left as it is").bytes(), [0; 64]);
}

#[test]
fn cancelling_stops_the_conversion() {
    for (name, bytes) in all() {
        let file = temporary_file(&bytes);
        let task = Task::new();
        task.cancel();
        let result = read_source(file.path(), &ReadOptions::default(), &task);
        assert!(matches!(result, Err(OpenError::Cancelled)), "{name}");
    }
}
