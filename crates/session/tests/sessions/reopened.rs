//! A dump of every format is reopened from its stored analysis, and then says the same of each object; the stored
//! analysis alone opens without the dump.

use std::collections::BTreeSet;
use std::path::Path;

use heaplens_base::storage::Folder;
use heaplens_dump::Dump;
use heaplens_heap::{ObjectId, format::Format};
use heaplens_session::OpenOptions;
use heaplens_testkit::{fixtures, rawheap::Heap};

use crate::try_open;

/// Of each format a dump; of engines and runtimes whose files become snapshots too.
const FIXTURES: [&str; 11] = [
    "leak-before.hprof.gz",
    "android/phone.hprof",
    "android/shop.pftrace",
    "node/desk-baseline.heapsnapshot.gz",
    "node/recorded.heaptimeline.gz",
    "engines/bun.heapsnapshot.gz",
    "engines/jsc-debugging.json.gz",
    "engines/jsc-inspector.json.gz",
    "ibm/heapdump.20261122.120000.4711.0001.phd",
    "ibm/shop-wrong-trailer.txt",
    "hprof-text/java.hprof.txt",
];

/// What the analysis and the snapshot say of an object.
fn derived(dump: &Dump, object: ObjectId) -> String {
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let sizes = (heap.shallow(object), analysis.retained(object), heap.native(object), heap.address(object));
    let path = (analysis.shown_distance(heap, object), analysis.predecessor(heap, object), analysis.strength(object));
    let beside = heap.snapshot().map(|snapshot| {
        let edges: Vec<_> = snapshot.non_retaining_edges(object).collect();
        (edges, snapshot.non_retaining_referrers(object).to_vec(), snapshot.is_detached(object))
    });
    let edges = (heap.references(object), analysis.retainers(object));
    format!("{sizes:?} {path:?} {beside:?} {edges:?} {:?}", dump.dominator_of(object))
}

/// What is read from the file.
fn values(dump: &Dump, object: ObjectId) -> String {
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let to: BTreeSet<_> = dump.references_of(object).take(20).collect();
    let names: Vec<_> = to.into_iter().map(|to| contents.reference_names(heap, object, to, 9)).collect();
    let (fields, elements) = (contents.fields(heap, object), contents.elements(heap, object, 0..9));
    let (text, label) = (contents.text(heap, object, 300), contents.label(heap, object));
    format!("{fields:?} {elements:?} {text:?} {label:?} {names:?} {:?}", contents.stack(heap, object))
}

/// Every object for small heaps, some of large ones.
fn sample(dump: &Dump) -> impl Iterator<Item = ObjectId> {
    dump.objects().step_by(dump.objects().count() / 5_000 + 1)
}

fn compare(path: &Path, folder: &Path) -> Format {
    let name = path.display();
    let mut options = OpenOptions::default();
    options.storage.folder = Some(Folder::at(folder.join("cache")));
    let read = try_open(path, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!read.is_from_cache(), "{name}");
    read.wait_until_stored();
    let stored = try_open(path, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(stored.is_from_cache(), "{name} is read again");
    let of_heap = |dump: &Dump| {
        let heap = &dump.facts.heap;
        let snapshot = heap.snapshot().map(|snapshot| format!("{:?} {:?}", snapshot.root(), snapshot.statistics()));
        format!("{:?} {snapshot:?} {:?} {:?}", heap.notes, heap.roots.all(), dump.largest(9))
    };
    assert_eq!(of_heap(&stored), of_heap(&read), "{name}");
    for object in sample(&read) {
        assert_eq!(derived(&stored, object), derived(&read, object), "{name}: {}", read.id(object));
        assert_eq!(values(&stored, object), values(&read, object), "{name}: {}", read.id(object));
    }

    options.storage.target = Some(folder.join("alone.heaplens"));
    drop(try_open(path, &options).unwrap_or_else(|error| panic!("{name}: {error}")));
    let alone = try_open(&folder.join("alone.heaplens"), &OpenOptions::default());
    let alone = alone.unwrap_or_else(|error| panic!("{name}, its index: {error}"));
    for object in sample(&read) {
        assert_eq!(derived(&alone, object), derived(&read, object), "{name}: {}", read.id(object));
        // Unknown without the dump, but asked without harm.
        let _unknown = values(&alone, object);
    }
    read.facts.heap.origin.format
}

#[test]
fn every_format_is_reopened_from_the_stored_analysis() {
    let written = tempfile::tempdir().expect("a folder");
    let raw = written.path().join("shop.rawheap");
    std::fs::write(&raw, Heap::shop().tokens()).expect("disk space");
    let paths = FIXTURES.iter().map(|name| fixtures::path(name)).chain([raw]);
    let formats: BTreeSet<_> =
        paths.map(|path| compare(&path, tempfile::tempdir().expect("a folder").path())).collect();
    assert_eq!(formats, Format::ALL.into_iter().collect(), "every format");
}
