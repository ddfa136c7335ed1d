//! Numbers in findings: a collection of n entries is said to hold n, whatever its implementation, and a part is never
//! more than its whole.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use heaplens_analysis::leaks::rules::LeakRules;
use heaplens_analysis::leaks::{LeakQuery, find_leaks};
use heaplens_analysis::overview::{FindingSubject, holders};
use heaplens_base::{Bytes, Task};
use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_tables::export::report::words::sentence;
use heaplens_testkit::heaps::random;
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// Classes of the collections, with the fields that matter.
const CLASSES: &str = "
    class a.Item
      field bytes: object
    class a.Link
      field next: object
      field item: object
    class java.util.ArrayList
      field elementData: object
      field size: int
    class java.util.LinkedList
      field first: object
      field last: object
      field size: int
    class java.util.LinkedList$Node
      field item: object
      field next: object
      field prev: object
    class java.util.concurrent.atomic.AtomicInteger
      field value: int
    class java.util.concurrent.LinkedBlockingQueue
      field capacity: int
      field count: object
      field head: object
      field last: object
    class java.util.concurrent.LinkedBlockingQueue$Node
      field item: object
      field next: object
    class java.util.concurrent.ConcurrentLinkedQueue
      field head: object
      field tail: object
    class java.util.concurrent.ConcurrentLinkedQueue$Node
      field item: object
      field next: object
    class java.util.HashMap
      field table: object
      field size: int
    class java.util.HashMap$Node
      field key: object
      field value: object
      field next: object
    class java.util.TreeMap
      field root: object
      field size: int
    class java.util.TreeMap$Entry
      field key: object
      field value: object
      field left: object
      field right: object
      field parent: object
    ";

const KINDS: [&str; 9] =
    ["array", "arrayList", "linkedList", "links", "blockingQueue", "linkedQueue", "oneBucket", "buckets", "treeMap"];

/// A collection of `count` items in the static `kind` of class `a.Holder`, in notation.
fn collection(text: &mut String, kind: &str, count: usize) {
    let items = |from: usize| (from..count).fold(String::new(), |all, at| all + &format!(" {kind}{at}"));
    // The node after another, if there is one.
    let node = |at: usize| if at < count { format!("{kind}Node{at}") } else { "null".to_owned() };
    let _ = match kind {
        "array" => writeln!(text, "array = java.lang.Object[]{} null", items(0)),
        "arrayList" => writeln!(
            text,
            "arrayList = java.util.ArrayList elementData=elements size={count}\n\
             elements = java.lang.Object[]{} null null",
            items(0)
        ),
        "linkedList" => {
            writeln!(text, "linkedList = java.util.LinkedList first={} last={} size={count}", node(0), node(count - 1))
        }
        "links" => writeln!(text, "links = a.Link next={} item=null", node(0)),
        "blockingQueue" => writeln!(
            text,
            "blockingQueue = java.util.concurrent.LinkedBlockingQueue capacity=999999 count=count head=dummy last={}\n\
             count = java.util.concurrent.atomic.AtomicInteger value={count}\n\
             dummy = java.util.concurrent.LinkedBlockingQueue$Node item=null next={}",
            node(count - 1),
            node(0)
        ),
        "linkedQueue" => writeln!(
            text,
            "linkedQueue = java.util.concurrent.ConcurrentLinkedQueue head={} tail={}",
            node(0),
            node(count - 1)
        ),
        "oneBucket" => writeln!(
            text,
            "oneBucket = java.util.HashMap table=bucket size={count}\n\
             bucket = java.util.HashMap$Node[] null {} null null",
            node(0)
        ),
        "buckets" => {
            let nodes = (0..count).fold(String::new(), |all, at| all + &format!(" null bucketsNode{at}"));
            writeln!(
                text,
                "buckets = java.util.HashMap table=table size={count}\ntable = java.util.HashMap$Node[]{nodes}"
            )
        }
        _ => writeln!(text, "treeMap = java.util.TreeMap root={} size={count}", node(0)),
    };
    for at in 0..count {
        let (item, next) = (format!("{kind}{at}"), node(at + 1));
        let _ = writeln!(text, "{item} = a.Item bytes={kind}Bytes{at}\n{kind}Bytes{at} = byte[]{}", " 1".repeat(300));
        let _ = match kind {
            "linkedList" => {
                let prev = if at == 0 { "null".to_owned() } else { node(at - 1) };
                writeln!(text, "{kind}Node{at} = java.util.LinkedList$Node item={item} next={next} prev={prev}")
            }
            "links" => writeln!(text, "{kind}Node{at} = a.Link item={item} next={next}"),
            "blockingQueue" => {
                writeln!(text, "{kind}Node{at} = java.util.concurrent.LinkedBlockingQueue$Node item={item} next={next}")
            }
            "linkedQueue" => writeln!(
                text,
                "{kind}Node{at} = java.util.concurrent.ConcurrentLinkedQueue$Node item={item} next={next}"
            ),
            "oneBucket" => {
                writeln!(text, "{kind}Node{at} = java.util.HashMap$Node key={item} value={item} next={next}")
            }
            "buckets" => writeln!(text, "{kind}Node{at} = java.util.HashMap$Node key={item} value={item} next=null"),
            // A binary tree in the order of a heap.
            "treeMap" => {
                let parent = if at == 0 { "null".to_owned() } else { node((at - 1) / 2) };
                let (left, right) = (node(2 * at + 1), node(2 * at + 2));
                writeln!(
                    text,
                    "{kind}Node{at} = java.util.TreeMap$Entry key={item} value={item} left={left} right={right} \
                     parent={parent}"
                )
            }
            _ => Ok(()),
        };
    }
}

/// The findings of a dump of at least `min_bytes` bytes.
fn check(dump: &Dump, min_bytes: Bytes, task: &Task) -> Vec<heaplens_analysis::LeakFinding> {
    let namer = dump.namer(task).expect("not cancelled");
    find_leaks(LeakQuery { namer, with_ages: true, rules: &LeakRules::default(), min_bytes }, task)
        .expect("not cancelled")
}

fn open(bytes: &[u8], task: &Task) -> Dump {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("heaplens-counts-{}-{}.hprof", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, bytes).expect("written");
    let dump = open_and_wait(&path, &OpenOptions::default(), task).unwrap_or_else(|error| panic!("{error}"));
    // Where a mapped file cannot be removed, the system does it later.
    let _ = std::fs::remove_file(&path);
    dump
}

/// Dumps of Java, Android, Node.js and IBM's virtual machines.
fn dumps() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut dumps = Vec::new();
    for folder in ["", "leaks", "android", "node", "ibm"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.to_string_lossy().into_owned();
            if [".hprof", ".hprof.gz", ".heapsnapshot.gz", ".phd"].iter().any(|end| name.ends_with(end)) {
                dumps.push(path);
            }
        }
    }
    dumps.sort();
    assert!(dumps.len() > 20);
    dumps
}

#[test]
fn every_collection_holds_as_many_as_it_has() {
    let task = &Task::new();
    for count in [20, 60, 350] {
        let mut text = CLASSES.to_owned() + "class a.Holder\n";
        for kind in KINDS {
            let _ = writeln!(text, " static {kind}: object = {kind}");
        }
        text += "root a.Holder class\n";
        KINDS.iter().for_each(|kind| collection(&mut text, kind, count));
        let sketch = notation::read(&text).unwrap_or_else(|why| panic!("{why}"));
        let dump = open(&write(&sketch, Form::MODERN), task);
        let actual = check(&dump, Bytes(1_000), task);
        for kind in KINDS {
            let name = format!("a.Holder.{kind}");
            let all: Vec<&str> = actual.iter().map(|finding| &*finding.name).collect();
            let finding = actual.iter().find(|finding| finding.name == name);
            let finding = finding.unwrap_or_else(|| panic!("{name} of {count} among {all:?}"));
            let holds = finding.accumulated.as_ref().expect("a class");
            // The first link of a hand-made list has no item.
            let expected = if kind == "links" { ("a.Link", count + 1) } else { ("a.Item", count) };
            let message = (&*holds.class, holds.objects, holds.freed, holds.of_all);
            assert_eq!((message.0, message.1), (expected.0, expected.1 as u64), "{name} of {count}");
            assert_eq!(message.2, message.1, "{name} of {count}");
        }
    }
}

/// Entries that others hold, too, are entries, but are not freed with the collection; an entry that is in it twice is one.
#[test]
fn shared_and_repeated_entries_are_no_part_of_what_is_freed() {
    let mut text = CLASSES.to_owned()
        + "class a.Holder\n static list: object = list\n static other: object = other\nroot a.Holder class\n";
    let items = (0..300).fold(String::new(), |all, at| all + &format!(" item{at}"));
    let _ = writeln!(text, "list = java.util.ArrayList elementData=elements size=310");
    let _ = writeln!(text, "elements = java.lang.Object[]{items}{} null", " item7".repeat(10));
    let _ = writeln!(text, "other = java.lang.Object[] item3 item4 item5");
    for at in 0..300 {
        let _ = writeln!(text, "item{at} = a.Item bytes=bytes{at}\nbytes{at} = byte[]{}", " 1".repeat(100));
    }
    let task = &Task::new();
    let sketch = notation::read(&text).unwrap_or_else(|why| panic!("{why}"));
    let dump = open(&write(&sketch, Form::MODERN), task);
    let actual = check(&dump, Bytes(1_000), task);
    let list = actual.iter().find(|finding| finding.name == "a.Holder.list").expect("the list");
    let holds = list.accumulated.as_ref().expect("a class");
    assert_eq!((holds.objects, holds.freed, holds.of_all), (300, 297, 300), "{holds:?}");
    assert_eq!(list.collection.as_ref().map(|list| list.size), Some(310));
    let overview = holders(&dump.analysis, &actual);
    let message: Vec<String> = overview.findings.iter().map(sentence).collect();
    assert!(message.iter().any(|message| message.starts_with("Holder.list holds 300 a.Item: ")), "{message:?}");
}

/// In every fixture and in random heaps: a part is not more than its whole, and no finding more than the heap.
#[test]
fn a_part_is_never_more_than_its_whole() {
    let (task, mut looked_at) = (&Task::new(), 0);
    let mut check_all = |dump: &Dump, what: &str| {
        let actual = check(dump, Bytes((dump.analysis.shown.shallow.0 / 500).max(1)), task);
        for finding in &actual {
            let what = format!("{what}: {} {finding:?}", finding.name);
            assert!(finding.frees <= finding.total, "{what}");
            assert!(finding.objects <= dump.analysis.shown.objects, "{what}");
            let Some(holds) = &finding.accumulated else { continue };
            assert!(holds.freed <= finding.objects && holds.freed <= holds.of_all, "{what}");
            assert!(holds.objects <= holds.of_all && holds.objects > 0, "{what}");
            looked_at += 1;
        }
        for finding in holders(&dump.analysis, &actual).findings {
            let FindingSubject::Holder(holder) = &finding.about else { continue };
            let text = sentence(&finding);
            if let Some((_, part)) = text.split_once(" objects, including ") {
                let digits: String = part.chars().take_while(|c| c.is_ascii_digit() || *c == ',').collect();
                let part: u64 = digits.replace(',', "").parse().expect("a number");
                assert!(part <= holder.dominated, "{what}: {text}");
            }
        }
    };
    for path in dumps() {
        let dump = open_and_wait(&path, &OpenOptions::default(), task).expect("it opens");
        check_all(&dump, &path.to_string_lossy());
    }
    for seed in 0..60 {
        let dump = open(&write(&random(seed, 400), Form::MODERN), task);
        check_all(&dump, &format!("random heap {seed}"));
    }
    assert!(looked_at > 200, "{looked_at}");
}
