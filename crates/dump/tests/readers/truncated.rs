//! Real dumps, truncated in the middle. JDK 17 writes GC roots after all objects: the first half has none, and all classes
//! become roots. JDK 25 writes them first: the first half has all roots, but not all objects that they refer to.

use std::collections::BTreeSet;
use std::io::Read;

use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions, open_with};
use heaplens_heap::{RootKind, Severity};
use heaplens_testkit::fixtures;

/// First `percent` percent of a fixture, uncompressed.
fn cut(name: &str, hundredths: usize) -> Dump {
    open_truncated(name, hundredths, &OpenOptions::default())
}

fn open_truncated(name: &str, hundredths: usize, options: &OpenOptions) -> Dump {
    let path = fixtures::path(&format!("{name}.hprof.gz"));
    let packed = std::fs::read(path).expect("a fixture");
    let mut complete = Vec::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut complete).expect("it is complete");
    let end = complete.len() / 100 * hundredths;
    let file = crate::temporary_file(&complete[..end]);
    let dump = open_with(file.path(), options, &Task::new());
    dump.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Parse warnings about lost data.
fn losses(dump: &Dump) -> Vec<String> {
    let notes = dump.facts.heap.notes.iter().filter(|note| note.severity == Severity::DataLost);
    notes.map(|note| note.message.clone()).collect()
}

fn root_kinds(dump: &Dump) -> BTreeSet<RootKind> {
    dump.facts.heap.roots.all().iter().map(|root| root.kind).collect()
}

/// Share of the heap's bytes in the dominator tree.
fn shown(dump: &Dump) -> f64 {
    let heap = &dump.facts.heap;
    let all: u64 = heap.objects().map(|object| heap.shallow(object).0).sum();
    dump.analysis.shown.shallow.0 as f64 / all as f64
}

/// The share depends on which owners were written before the truncation: the leak's map may be missing, and with it the
/// path to all sessions. Such unreachable objects are shown on request.
fn shows_something(dump: &Dump, name: &str, hundredths: usize) {
    assert!(shown(dump) > 0.1, "{name}, {hundredths} %: only {:.2} of the bytes are shown", shown(dump));
    let mut options = OpenOptions::default();
    options.rules.keep_unreachable = true;
    let all = shown(&open_truncated(name, hundredths, &options));
    assert!(all > 0.999, "{name}, {hundredths} %: {all:.3} of the bytes are shown when all are to be");
}

#[test]
fn without_roots_classes_become_roots_with_a_note() {
    for name in ["facts-jdk17", "leak-after", "leak-after-nocoops"] {
        for hundredths in [60, 75, 90] {
            let dump = cut(name, hundredths);
            let text = losses(&dump);
            assert!(text.iter().any(|note| note.contains("no GC roots") && note.contains("all classes")), "{text:?}");
            assert!(text.iter().any(|note| note.contains("truncated inside")), "{text:?}");
            assert_eq!(root_kinds(&dump), BTreeSet::from([RootKind::Unknown]), "{name}");
            let mut classes = dump.facts.heap.classes.iter().filter_map(|(_, class)| class.object);
            assert!(classes.all(|class| dump.analysis.is_reachable(class)), "{name}");
            shows_something(&dump, name, hundredths);
        }
    }
}

/// The leak is still found: its owner is a class.
#[test]
fn the_leak_is_found_in_a_truncated_dump() {
    let dump = cut("leak-after", 80);
    let heap = &dump.facts.heap;
    let first = dump.analysis.dominator_children(None).max_by_key(|&object| dump.analysis.retained(object).0);
    let class = first.and_then(|object| heap.classes.of_object(object)).expect("the first row is a class");
    assert_eq!(&*heap.classes.get(class).name, "desk.SessionCache");
}

#[test]
fn roots_that_come_before_the_objects_are_kept() {
    for name in ["facts-jdk25", "leak-after-jdk25"] {
        for hundredths in [60, 75, 90] {
            let dump = cut(name, hundredths);
            let (text, kinds) = (losses(&dump), root_kinds(&dump));
            assert!(!text.iter().any(|note| note.contains("no GC roots")), "{text:?}");
            assert!(text.iter().any(|note| note.contains("truncated inside")), "{text:?}");
            assert!(kinds.contains(&RootKind::SystemClass) && kinds.contains(&RootKind::JniGlobal), "{kinds:?}");
            // A thread whose object is missing is not a root.
            assert!(kinds.contains(&RootKind::Thread) || hundredths < 75, "{kinds:?}");
            shows_something(&dump, name, hundredths);
        }
    }
}
