//! A dump is called complete only if everything is there: files of all formats but binary HPROF are truncated and
//! damaged, and where no loss is reported the objects, their classes and their references are those of the whole file.
//!
//! What nothing in a file can tell is left out: another digit in a number, another letter in a name, and in formats
//! without counts the removal of whole records.

use std::collections::BTreeMap;

use std::io::Write;

use heaplens_dump::Dump;
use heaplens_testkit::hprof_text::{self, Agent};
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::{heaps, hprof, notation, perfetto, phd, v8};

/// Objects by id: class, and references with their names.
type Objects = BTreeMap<u64, (String, Vec<(u64, String)>)>;

fn objects(dump: &Dump) -> Objects {
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let facts = |object| {
        let mut targets: Vec<u32> = heap.references(object).to_vec();
        targets.sort_unstable();
        targets.dedup();
        let targets = targets.into_iter().filter_map(heaplens_heap::ObjectId::from_raw);
        let mut references: Vec<(u64, String)> = targets
            .flat_map(|to| {
                let names = contents.reference_names(heap, object, to, 50);
                names.into_iter().map(move |name| (heap.address(to).0, name.text))
            })
            .collect();
        references.sort();
        (heap.class(object).name.to_string(), references)
    };
    heap.objects().map(|object| (heap.address(object).0, facts(object))).collect()
}

fn open(bytes: &[u8]) -> Result<Dump, String> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("disk space");
    heaplens_dump::open(file.path()).map_err(|error| error.to_string())
}

/// The objects of the whole file, which is complete.
fn facts_of(bytes: &[u8]) -> Objects {
    let dump = open(bytes).expect("a heap");
    assert!(!dump.facts.heap.is_incomplete(), "{:?}", dump.facts.heap.notes);
    objects(&dump)
}

/// Opens a changed file: an error, a dump that is called incomplete, or the same objects as in the whole one. Returns
/// true if it opened.
fn check(changed: &[u8], expected: &Objects, change: &str) -> bool {
    let Ok(dump) = open(changed) else { return false };
    if dump.facts.heap.is_incomplete() {
        return true;
    }
    let actual = objects(&dump);
    let differs = || expected.iter().find(|(id, facts)| actual.get(id) != Some(facts));
    assert!(
        actual == *expected,
        "{change}: called complete, but {:?} is {:?}",
        differs(),
        differs().map(|(id, _)| actual.get(id))
    );
    true
}

/// Checks truncations: every place near both ends, and `indexes` between them.
fn truncate(bytes: &[u8], expected: &Objects, indexes: usize) {
    let step = (bytes.len() / indexes).max(1);
    for end in (0..bytes.len()).filter(|end| end % step == 0 || end + 40 > bytes.len() || *end < 40) {
        check(&bytes[..end], expected, &format!("truncated at {end} of {}", bytes.len()));
    }
}

/// Checks a change at a random place, many times. `change` returns what it did, or `None` to try again.
fn damage(
    bytes: &[u8],
    expected: &Objects,
    times: u32,
    mut change: impl FnMut(&mut Vec<u8>, &mut Random) -> Option<String>,
) {
    let mut opened = 0;
    for seed in 0..times {
        let (mut random, mut changed) = (Random::new(u64::from(seed)), bytes.to_vec());
        let what = (0..1000).find_map(|_| change(&mut changed, &mut random)).expect("something can be changed");
        opened += u32::from(check(&changed, expected, &format!("seed {seed}: {what}")));
    }
    assert!(opened > times / 10, "only {opened} of {times} opened");
}

fn random_offset(bytes: &[u8], random: &mut Random) -> usize {
    random.below(bytes.len() as u32) as usize
}

/// Removes up to `most` bytes, if `may_go` allows it.
fn remove(
    bytes: &mut Vec<u8>,
    random: &mut Random,
    most: u32,
    may_go: impl Fn(&[u8], std::ops::Range<usize>) -> bool,
) -> Option<String> {
    let from = random_offset(bytes, random);
    let range = from..(from + random.between(1, most) as usize).min(bytes.len());
    may_go(bytes, range.clone()).then(|| {
        let removed: Vec<u8> = bytes.drain(range.clone()).collect();
        format!("removed {range:?}: {}", removed.escape_ascii())
    })
}

/// Replaces a byte that is one of `of` by one of `by`.
fn replace(bytes: &mut [u8], random: &mut Random, of: &[u8], by: &[u8]) -> Option<String> {
    let at = random_offset(bytes, random);
    let (was, is) = (bytes[at], *random.pick(by));
    (of.contains(&was) && was != is).then(|| {
        bytes[at] = is;
        format!("{} at {at} became {}", was.escape_ascii(), is.escape_ascii())
    })
}

/// A snapshot with plain names, each used once or more.
fn snapshot() -> String {
    let mut made = Snapshot::default();
    let root = made.add("synthetic", "", 1, 0);
    let global = made.add("object", "global", 3, 32);
    made.name(root, "shortcut", "window", global);
    for at in 0..12_u64 {
        let object = made.add("object", format!("Class{}", at % 5).as_str(), 5 + 2 * at, 24);
        made.name(global, "property", format!("field{at}").as_str(), object);
        let text = made.add("string", format!("text {at}").as_str(), 101 + 2 * at, 16);
        made.name(object, "property", "text", text);
        made.number(object, "element", at as u32, global);
    }
    v8::write::write(&made, &Form::node20())
}

/// Range of a section of a snapshot, brackets included.
fn section(bytes: &[u8], key: &str) -> std::ops::Range<usize> {
    let text = std::str::from_utf8(bytes).expect("plain text");
    let begin = text.find(&format!("\"{key}\":[")).expect("the section");
    let end = begin + text[begin..].find(']').expect("its end") + 1;
    begin..end
}

#[test]
fn snapshots_of_v8() {
    let bytes = snapshot().into_bytes();
    let expected = facts_of(&bytes);
    truncate(&bytes, &expected, 400);
    let sections = ["nodes", "edges", "strings"].map(|key| section(&bytes, key));
    let inside = |range: &std::ops::Range<usize>| {
        sections.iter().position(|section| section.start < range.start && range.end <= section.end)
    };
    damage(&bytes, &expected, 1500, |bytes, random| {
        remove(bytes, random, 60, |bytes, range| {
            let removed = &bytes[range.clone()];
            // Nothing in the file shows that a part of one number or of one name is missing.
            match inside(&range) {
                Some(2) => removed.contains(&b'"') && removed.contains(&b','),
                Some(_) => removed.contains(&b','),
                None => false,
            }
        })
    });
    damage(&bytes, &expected, 1500, |bytes, random| replace(bytes, random, b",[]\"", b"x7 "));
}

/// A snapshot whose list of names ends early is not complete.
#[test]
fn missing_names_are_counted() {
    let text = snapshot();
    let strings = section(text.as_bytes(), "strings");
    let list = &text[strings.clone()];
    let stored: Vec<&str> = list.split(',').take(5).map(str::trim_end).collect();
    let few = format!("{}{}]{}", &text[..strings.start], stored.join(","), &text[strings.end..]);
    let dump = open(few.as_bytes()).expect("a heap");
    let heap = &dump.facts.heap;
    let note = heap.worst_note().expect("a warning");
    assert!(note.message.contains("names that are not in the file"), "{}", note.message);
    // Every node and named edge but those with the five names.
    let names = text[section(text.as_bytes(), "nodes")].matches('\n').count();
    assert!(note.count > 20 && note.count < 2 * names as u64 + 40, "{}", note.count);
    let unnamed = heap.classes.iter().filter(|(_, class)| &*class.name == "(name not in the file)").count();
    assert_eq!(unnamed, 1);
    // A string whose text is not in the file has none.
    let text = heap.find("@123").expect("a string");
    assert_eq!(dump.facts.contents.text(heap, text, 100), None);
}

/// Snapshots of ArkTS name hidden edges; those of other engines have sections that are unknown.
#[test]
fn snapshots_of_other_engines() {
    let mut arkts = Form::node20();
    arkts.node_types.push("framework".to_owned());
    for (seed, form) in [(3, arkts), (4, Form::random(4)), (5, Form::random(5))] {
        let bytes = v8::write::write(&v8::random::random(seed, 15), &form).into_bytes();
        let dump = open(&bytes).expect("a heap");
        if !dump.facts.heap.is_incomplete() {
            truncate(&bytes, &objects(&dump), 200);
        }
    }
}

fn heap_of(seed: u64) -> Sketch {
    let mut sketch = heaps::random(seed, 40);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch
}

#[test]
fn texts_of_the_hprof_agent() {
    for agent in [Agent::Old, Agent::Jdk5] {
        let bytes = hprof_text::write(&heap_of(11), agent, |_| 16).into_bytes();
        let expected = facts_of(&bytes);
        truncate(&bytes, &expected, 300);
        let dump = bytes.windows(15).position(|window| window == b"HEAP DUMP BEGIN").expect("a dump") as u32;
        damage(&bytes, &expected, 400, |bytes, random| {
            let before = bytes.clone();
            let what = replace(bytes, random, b"(=@", b"x")?;
            let at = before.iter().zip(&*bytes).position(|(a, b)| a != b)?;
            if at as u32 <= dump + 60 {
                *bytes = before;
                return None;
            }
            Some(what)
        });
    }
}

#[test]
fn texts_of_ibm() {
    for variant in Variant::ALL {
        let form = ibm_text::Form { variant, end: "\n", wrong_by: 0 };
        let bytes = ibm_text::write(&heap_of(12), form, |_| 16).into_bytes();
        let Ok(dump) = open(&bytes) else { panic!("{variant:?}") };
        if dump.facts.heap.is_incomplete() {
            continue;
        }
        let expected = objects(&dump);
        truncate(&bytes, &expected, 200);
        damage(&bytes, &expected, 400, |bytes, random| {
            remove(bytes, random, 200, |bytes, range| bytes[range].windows(3).any(|window| window == b"\n0x"))
        });
        damage(&bytes, &expected, 400, |bytes, random| replace(bytes, random, b"]", b"x"));
    }
}

#[test]
fn portable_heap_dumps() {
    for form in phd::Form::all() {
        let bytes = phd::write(&heap_of(13), form);
        let dump = open(&bytes).expect("a heap");
        if dump.facts.heap.is_incomplete() {
            continue;
        }
        let expected = objects(&dump);
        truncate(&bytes, &expected, 100);
    }
}

#[test]
fn heap_graphs_of_perfetto() {
    for form in perfetto::Form::all().into_iter().step_by(5) {
        let bytes = perfetto::write(&heap_of(14), form, |_| 24);
        let dump = open(&bytes).expect("a heap");
        if dump.facts.heap.is_incomplete() {
            continue;
        }
        truncate(&bytes, &objects(&dump), 200);
    }
}

/// Names whose text is not in the file are counted in every format that refers to them.
#[test]
fn missing_names_of_other_formats() {
    let message = |bytes: &[u8]| {
        let dump = open(bytes).expect("a heap");
        let note = dump.facts.heap.worst_note().expect("a warning");
        (note.count, note.message.clone())
    };
    // The text of a class name, and of a field name, has another id.
    let sketch = notation::read("class shop.Cart\n  field lines: object\ncart@0x7000 = shop.Cart\nroot cart global\n");
    let complete = hprof::write(&sketch.expect("a heap"), hprof::Form::MODERN);
    let mut binary = complete.clone();
    for text in [&b"shop/Cart"[..], b"lines"] {
        let at = complete.windows(text.len()).position(|window| window == text).expect("its text");
        binary[at - 8] = 0xee;
    }
    assert!(open(&complete).expect("a heap").facts.heap.worst_note().is_none());
    let (count, text) = message(&binary);
    assert!(count == 2 && text.starts_with("names of classes and fields that are not in the file"), "{count} {text}");
    let ibm = b"// Version: x\n0x10 [16]\n0x20 [16] B\n// EOF:  Total 'Objects',Refs(null) : 2,0(0)\n";
    let (count, text) = message(ibm);
    assert!(count == 1 && text.starts_with("objects without a class name"), "{text}");
    let agent = b"JAVA PROFILE 1.0.1, created Thu Jan  4 10:00:00 2018\n\nHEAP DUMP BEGIN (2 objects, 8 bytes) x\n\
        OBJ 5 (sz=8, trace=0, class=<Unknown>@0)\nOBJ 6 (sz=8, trace=0, class=<Unknown>@0)\nHEAP DUMP END\n";
    let (count, text) = message(agent);
    assert!(count == 2 && text.starts_with("objects whose class the agent did not know"), "{text}");
    let mut trace = Vec::new();
    let mut graph = perfetto::Graph::new(&mut trace, perfetto::Form::MODERN, (2, 999, 10));
    let type_of = |id, name, fields| perfetto::Type { id, name, fields, ..perfetto::Type::default() };
    let mut write = || {
        graph.type_of(&type_of(1, "shop.Cart", &[5, 6]))?;
        graph.type_of(&type_of(2, "", &[]))?;
        graph.field_name(5, "shop.Item shop.Cart.item")?;
        graph.roots(perfetto::root::JNI_GLOBAL, &[2])?;
        graph.object(&perfetto::Object { id: 2, of: 1, size: 16, ..perfetto::Object::default() })
    };
    write().and_then(|()| graph.end()).expect("memory");
    let (count, text) = message(&trace);
    assert!(count == 2 && text.starts_with("names of types and fields that are not in the trace"), "{count} {text}");
}

/// The agent writes `ROOT 0` in every dump: for a thread that has ended, a thread that it does not know, and a JNI
/// reference that was deleted.
#[test]
fn a_root_without_an_object_is_no_loss() {
    let text = "JAVA PROFILE 1.0.1, created Thu Jan  4 10:00:00 2018\n\n\
        HEAP DUMP BEGIN (4 objects, 120 bytes) Thu Jan  4 10:00:01 2018\n\
        ROOT 0 (kind=<thread>, id=0, trace=300000)\nROOT 0 (kind=<JNI global ref>, id=1f2e3d, trace=0)\n\
        ROOT 50000020 (kind=<Java stack>, thread=0, frame=1)\nROOT 50000010 (kind=<system class>, name=app.Main)\n\
        CLS 50000010 (name=app.Main, trace=300000)\n\tconstant[1]\t0\nCLS 50000011 (name=[C, trace=300000)\n\
        ARR 50000020 (sz=16, trace=300000, nelems=1, elem type=[C@50000011)\n\t[0]\t\t50000030\n\
        ARR 50000030 (sz=16, trace=300000, nelems=2, elem type=char)\nHEAP DUMP END\n";
    let dump = open(text.as_bytes()).expect("a heap");
    let heap = &dump.facts.heap;
    assert!(!heap.is_incomplete(), "{:?}", heap.notes);
    let messages: Vec<&str> = heap.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(!messages.iter().any(|message| message.contains("ids without an object")), "{messages:?}");
    let at = |id| heap.at(heaplens_heap::Address(id)).expect("an object");
    // The stack of a thread without an object is a root itself.
    assert!([0x5000_0020, 0x5000_0030].into_iter().all(|id| dump.analysis.is_reachable(at(id))));
    let names = [0x5000_0020, 0x5000_0030].map(|id| heap.class(at(id)).name.to_string());
    assert_eq!(names, ["char[][]", "char[]"]);
    assert_eq!(heap.class(at(0x5000_0030)).object, Some(at(0x5000_0011)));
}

/// A snapshot of JavaScriptCore with two named edges.
const JSC: &str = "{\"version\":3,\"type\":\"Inspector\",\"nodes\":[0,0,0,0,10,100,1,0,20,32,2,0,30,24,3,0,31,24,3,0],\
    \"nodeClassNames\":[\"<root>\",\"GlobalObject\",\"Map\",\"Session\"],\"edges\":[0,10,0,0,10,20,1,0,20,30,0,0,10,31,1,1],\
    \"edgeTypes\":[\"Internal\",\"Property\",\"Index\",\"Variable\"],\"edgeNames\":[\"cache\",\"first\"]}";

#[test]
fn snapshots_of_javascriptcore() {
    let expected = facts_of(JSC.as_bytes());
    truncate(JSC.as_bytes(), &expected, 1000);
    for (from, to, message) in [
        (",\"Session\"]", "]", "2 names are not in the file"),
        ("\"edgeNames\":[\"cache\",", "\"edgeNames\":[", "1 names are not in the file"),
        ("\"edges\":", "\"edgez\":", "sections that are missing: edges"),
        ("10,20,1,0", "10,29,1,0", "1 edges of nodes that are not in the file"),
        ("]}", "]},", "truncated or damaged"),
        ("],\"edgeTypes", "] x\"edgeTypes", "truncated or damaged"),
    ] {
        let text = JSC.replace(from, to);
        assert_ne!(text, JSC);
        let dump = open(text.as_bytes()).expect("a heap");
        let note = dump.facts.heap.worst_note().unwrap_or_else(|| panic!("{to}: nothing is said"));
        assert!(note.message.contains(message), "{}", note.message);
    }
}
