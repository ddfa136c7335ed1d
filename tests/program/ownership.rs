//! Inferred roots: the example of HeapRoots' manual verbatim, soft references of HPROF followed and ignored, JavaScript
//! snapshots; also paths between objects, gaps and retained sets.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use heaplens_analysis::gaps::gaps;
use heaplens_analysis::ownership::listing::{Listing, ListingOptions, automatic_threshold};
use heaplens_analysis::ownership::retained_set::{RetainedObjects, RootSource};
use heaplens_analysis::ownership::{Kind, Ownership, OwnershipOrder};
use heaplens_analysis::route::route;
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_heap::{Heap, ObjectId, SoftLinks, Strength};
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_tables::export::heaproots::Style;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::{heaps, notation};

fn open(bytes: &[u8]) -> Dump {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("disk space");
    open_and_wait(file.path(), &OpenOptions::default(), &Task::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn owners(heap: &Heap, soft: SoftLinks) -> Ownership {
    Ownership::find(heap, soft, &Task::new()).expect("not cancelled")
}

fn lines(heap: &Heap, actual: &Ownership, wish: ListingOptions) -> Vec<String> {
    let style = Style::of(heap);
    let listing = Listing::new(heap, actual, wish, &Task::new()).expect("not cancelled");
    listing.map(|line| style.line(&line)).collect()
}

/// The twelve objects of the manual ("dump from roots"), from its text and listing. References missing in the listing,
/// between K and L, into B and from G, are from the text.
const EXAMPLE: &str = "\
0x10007030 [1024] J
0x200000b0 [40000] K 0x200000c0 0x50002020
0x200000c0 [8000] L 0x200000b0
0x30000080 [10000] G 0x50004050
0x50001010 [6000] A 0x50002020
0x50002020 [4000] B 0x50004050 0x50006040 0x10007030
0x50003070 [1000] F 0x30000080
0x50003090 [504] E 0x50003070 0xe00090a0
0x50004050 [1104] C 0x50005060
0x50005060 [1032] D 0x50003090
0x50006040 [1904] I
0xe00090a0 [32] H
// EOF:  Total 'Objects',Refs(null) : 12,13(0)
";

const LISTED: &str = "\
<0> [48,000] 0x200000b0 [40,000] K
<1>   [8,000] 0x200000c0 [8,000] L
<2>     {48,000} 0x200000b0 [40,000] K
<1>   <20,600 root:0x50001010> 0x50002020 [4,000] B
<0> [26,600] 0x50001010 [6,000] A
<1>   [20,600] 0x50002020 [4,000] B
<2>     [13,672] 0x50004050 [1,104] C
<3>       [12,568] 0x50005060 [1,032] D
<4>         [11,536] 0x50003090 [504] E
<5>           [11,000] 0x50003070 [1,000] F
<6>             [10,000] 0x30000080 [10,000] G
<7>               {13,672} 0x50004050 [1,104] C
<5>           [32] 0xe00090a0 [32] H
<2>     [1,904] 0x50006040 [1,904] I
<2>     [1,024] 0x10007030 [1,024] J
";

#[test]
fn the_example_of_the_manual() {
    let dump = open(EXAMPLE.as_bytes());
    let heap = &*dump.facts.heap;
    let actual = owners(heap, SoftLinks::Follow);
    let of = |name: &str| heap.objects().find(|&object| *heap.class(object).name == *name).expect(name);
    let process = actual.process;
    assert_eq!((process.objects, process.references, process.unresolved), (12, 13, 0));
    assert_eq!((process.heap_bytes, process.address_range), (Bytes(74_600), Some(Bytes(3_489_669_264))));
    assert_eq!((process.pure_roots, process.pure_roots_reach, process.artificial_roots), (1, 10, 1));
    let descendants = [9, 8, 5, 4, 3, 1, 0, 0, 0, 0, 1, 0];
    let depths = [6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 1, 0];
    for (name, (descendants, depth)) in "ABCDEFGHIJKL".chars().zip(descendants.into_iter().zip(depths)) {
        let owned = actual.of(of(&name.to_string()));
        assert_eq!((owned.descendants, owned.max_depth), (descendants, depth), "{name}");
    }
    assert_eq!(["A", "K", "B"].map(|name| actual.kind(of(name))), [Kind::Pure, Kind::Artificial, Kind::NonRoot]);

    let all = ListingOptions { threshold: Bytes(0), depth: None, ..ListingOptions::default() };
    assert_eq!(lines(heap, &actual, all), LISTED.lines().collect::<Vec<_>>());
    let pruned: Vec<&str> = LISTED.lines().filter(|line| !line.contains(['{', 'r'])).collect();
    assert_eq!(lines(heap, &actual, ListingOptions { prune: true, ..all }), pruned);
    let shallow: Vec<&str> =
        pruned.iter().copied().filter(|line| ["<0>", "<1>"].iter().any(|level| line.starts_with(level))).collect();
    assert_eq!(lines(heap, &actual, ListingOptions { prune: true, depth: Some(1), ..all }), shallow);
    let by_depth = lines(heap, &actual, ListingOptions { by: OwnershipOrder::Depth, depth: Some(0), ..all });
    assert_eq!(by_depth, ["<0> [26,600] 0x50001010 [6,000] A", "<0> [48,000] 0x200000b0 [40,000] K"]);
    let below = lines(heap, &actual, ListingOptions { of: Some(of("F")), ..all });
    assert_eq!(below[0], "<0> [11,000] 0x50003070 [1,000] F");
    assert_eq!(below[2], "<2>     {13,672} 0x50004050 [1,104] C");

    let path = route(heap, (of("A"), of("G")), None, &Task::new()).expect("not cancelled").expect("a path");
    assert_eq!(path, ["A", "B", "C", "D", "E", "F", "G"].map(of));
    assert_eq!(route(heap, (of("G"), of("A")), None, &Task::new()).expect("not cancelled"), None);
    for (name, objects, bytes) in [("K", 2, 48_000), ("L", 1, 8_000), ("A", 1, 6_000), ("B", 9, 20_600), ("H", 1, 32)] {
        let stored = RetainedObjects::from_inferred(heap, &actual, &[of(name)], &Task::new()).expect("not cancelled");
        assert_eq!((stored.objects.len(), stored.bytes), (objects, Bytes(bytes)), "{name}");
    }
    let gaps = gaps(dump.data(), &Task::new()).expect("not cancelled").expect("addresses");
    assert_eq!((gaps.rows.len(), gaps.count, gaps.overlaps), (8, 8, 3));
    assert_eq!((gaps.bytes, gaps.rows[0].bytes), (Bytes(3_489_605_056), Bytes(2_415_929_584)));
}

/// Two objects reached only through references of `java.lang.ref`, one of them through a subclass.
const SOFT: &str = "
class java.lang.ref.Reference
  field referent: object
  field next: object
class java.lang.ref.SoftReference extends java.lang.ref.Reference
class java.lang.ref.WeakReference extends java.lang.ref.Reference
class shop.Key extends java.lang.ref.WeakReference
  field value: object
class shop.Item
  field part: object
held = java.lang.Object[] soft weak
soft = java.lang.ref.SoftReference referent=one
weak = shop.Key referent=two value=three
one = shop.Item part=three
two = shop.Item
three = shop.Item
root held global
";

#[test]
fn soft_links_are_the_referents_of_hprof() {
    let sketch = notation::read(SOFT).expect("a heap");
    let dump = open(&write(&sketch, Form::MODERN));
    let heap = &*dump.facts.heap;
    let of = |name: &str| heap.find(&format!("{:#x}", sketch.id(name))).expect(name);
    let actual = owners(heap, SoftLinks::Follow);
    assert_eq!(actual.process.softlinks_followed, 2);
    for name in ["soft", "weak", "one", "two", "three"] {
        assert_eq!(actual.owner(of(name)), of("held"), "{name}");
    }
    assert_eq!(actual.parent(of("three")), Some(of("one")));
    let actual = owners(heap, SoftLinks::Ignore);
    assert_eq!(actual.process.softlinks_followed, 0);
    assert_eq!(["one", "two", "three"].map(|name| actual.kind(of(name))), [Kind::Pure, Kind::Pure, Kind::NonRoot]);
    // Other fields of a subclass are strong references.
    let holder = if of("held") < of("one") { "weak" } else { "one" };
    assert_eq!(actual.parent(of("three")), Some(of(holder)));

    let paths = |weakest| route(heap, (of("held"), of("two")), weakest, &Task::new()).expect("not cancelled");
    assert_eq!(paths(None), Some(["held", "weak", "two"].map(of).to_vec()));
    assert_eq!((paths(Some(Strength::Soft)), paths(Some(Strength::Weak)).map(|path| path.len())), (None, Some(3)));
    // The file records its roots.
    assert_eq!(RootSource::default_for(dump.data(), &[of("one")]), RootSource::File);
    let stored = RetainedObjects::from_file(dump.data(), of("held"), &Task::new()).expect("not cancelled");
    assert_eq!(stored.objects.len() as u64, dump.analysis.dominated_count(of("held")) + 1);
    assert_eq!(stored.bytes, dump.analysis.retained(of("held")));
    let stopped = Task::new();
    stopped.cancel();
    assert!(RetainedObjects::from_file(dump.data(), of("held"), &stopped).is_err());
}

#[test]
fn totals_of_random_heaps_add_up() {
    for seed in 0..60 {
        let dump = open(&write(&heaps::random(seed, 80), Form::MODERN));
        let heap = &*dump.facts.heap;
        for soft in [SoftLinks::Follow, SoftLinks::Ignore] {
            let actual = owners(heap, soft);
            let roots = actual.roots(OwnershipOrder::Total);
            let sum: u64 = roots.iter().map(|&root| actual.of(root).total).sum();
            assert_eq!(Bytes(sum), actual.process.heap_bytes, "seed {seed}: every byte is owned once");
            let below: u64 = roots.iter().map(|&root| u64::from(actual.of(root).descendants) + 1).sum();
            assert_eq!(below, actual.process.objects, "seed {seed}: every object is owned once");
            let all = ListingOptions { threshold: Bytes(0), depth: None, prune: true, ..ListingOptions::default() };
            assert_eq!(lines(heap, &actual, all).len() as u64, below, "seed {seed}: and has one line");
            // At most the requested number of lines, and more with any lower threshold.
            for prune in [true, false] {
                let wish = ListingOptions { prune, ..all };
                let count = |threshold| lines(heap, &actual, ListingOptions { threshold, ..wish }).len();
                let threshold = automatic_threshold(heap, &actual, wish, 20, &Task::new()).expect("not cancelled");
                assert!(count(threshold) <= 20, "seed {seed}: {threshold:?}");
                let lower = threshold.0.checked_sub(1).map(|lower| count(Bytes(lower)));
                assert!(lower.is_none_or(|lines| lines > 20), "seed {seed}: {threshold:?} leaves {lower:?}");
            }
        }
    }
}

#[test]
fn a_chain_of_two_hundred_thousand_needs_no_deep_stack() {
    let mut text = String::from("// Version: a chain\n");
    for at in 1..=200_000_u32 {
        let next = if at < 200_000 { format!(" 0x{:x}", 0x1000 + 16 * (at + 1)) } else { String::new() };
        writeln!(text, "0x{:x} [16] chain/Link{next}", 0x1000 + 16 * at).expect("writing to a string");
    }
    let dump = open(text.as_bytes());
    let heap = &*dump.facts.heap;
    let actual = owners(heap, SoftLinks::Follow);
    let first = ObjectId::new(0).expect("an object");
    assert_eq!((actual.of(first).max_depth, actual.of(first).total), (199_999, 3_200_000));
    let all = ListingOptions { threshold: Bytes(0), depth: None, ..ListingOptions::default() };
    let listing = Listing::new(heap, &actual, all, &Task::new()).expect("not cancelled");
    assert_eq!(listing.count(), 200_000);
    let last = ObjectId::new(199_999).expect("an object");
    let path = route(heap, (first, last), None, &Task::new()).expect("not cancelled").expect("a path");
    assert_eq!(path.len(), 200_000);
    let stored = RetainedObjects::from_inferred(heap, &actual, &[first], &Task::new()).expect("not cancelled");
    assert_eq!(stored.objects.len(), 200_000);
}

fn answer(arguments: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_heaplens"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(["--format", "json", "--no-cache"])
        .output()
        .expect("heaplens starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("json")
}

#[test]
fn javascript_snapshots_have_inferred_roots() {
    let file = first_of("fixtures/node");
    let (all, firm) =
        (answer(&["roots", &file, "--ownership"]), answer(&["roots", &file, "--ownership", "--soft", "ignore"]));
    let number = |answer: &serde_json::Value, key: &str| answer[key].as_u64().unwrap_or_else(|| panic!("{key}"));
    assert_eq!(all["address_range_bytes"], serde_json::Value::Null);
    for answer in [&all, &firm] {
        assert_eq!(
            number(answer, "pure_roots") + number(answer, "artificial_roots"),
            answer["rows"].as_array().map_or(0, |rows| rows.len() as u64)
        );
        let sum: u64 = answer["rows"].as_array().into_iter().flatten().map(|row| number(row, "total_bytes")).sum();
        assert_eq!(sum, number(answer, "heap_bytes"));
    }
    let summary = answer(&["summary", &file]);
    assert_eq!((&all["objects"], &all["references"]), (&summary["objects"], &summary["references"]));
    assert!(number(&all, "softlinks_followed") > 0, "weak edges lead somewhere");
    assert!(number(&firm, "pure_roots") >= number(&all, "pure_roots"));
}

/// Objects of a snapshot do not refer to their class, so one search is enough.
#[test]
fn javascript_routes_are_searched_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(first_of("fixtures/node"));
    let dump = open_and_wait(&path, &OpenOptions::default(), &Task::new()).expect("a heap");
    let heap = &*dump.facts.heap;
    let (first, task) = (ObjectId::new(0).expect("an object"), Task::new());
    let leads_nowhere = |&object: &ObjectId| {
        let beside = heap.snapshot().map_or(&[][..], |snapshot| snapshot.non_retaining_targets(object));
        heap.references(object).is_empty() && beside.is_empty()
    };
    let alone = heap.objects().find(leads_nowhere).expect("one without references");
    assert_eq!(route(heap, (alone, first), None, &task).expect("not cancelled"), None);
    assert_eq!(task.progress().done, 1, "itself, once");
}

/// A node with more incoming edges than there are nodes: duplicate edges are stored once.
#[test]
fn objects_with_many_references_are_kept() {
    let mut text = String::from("// Version: x\n0x1000 [16] Held\n");
    for at in 0..2_000_u32 {
        writeln!(text, "0x{:x} [16] Holder{}", 0x2000 + 16 * at, " 0x1000".repeat(50)).expect("writing to a string");
    }
    let dump = open(text.as_bytes());
    let heap = &*dump.facts.heap;
    let actual = owners(heap, SoftLinks::Follow);
    let stored = |row| {
        let object = ObjectId::new(row).expect("an object");
        RetainedObjects::from_inferred(heap, &actual, &[object], &Task::new()).expect("not cancelled").objects.len()
    };
    assert_eq!((stored(0), stored(1), stored(2_000)), (1, 1, 1));
}

/// The first snapshot of a folder.
fn first_of(folder: &str) -> String {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("fixtures");
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.contains(".heapsnapshot"))
        .collect();
    files.sort();
    format!("{folder}/{}", files.first().expect("a snapshot"))
}
