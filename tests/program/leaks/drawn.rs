//! Findings of small programs written as notation: distinguishing leaks, evidence on entries, memory of the runtime.

use std::fmt::Write as _;
use std::path::PathBuf;

use heaplens_analysis::leaks::{LeakQuery, all_cuts};
use heaplens_base::{Bytes, Task};
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::find_leaks;
use heaplens_session::{LeakRules, OpenOptions};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use serde_json::Value;
use tempfile::TempDir;

/// A dump written from the notation in `text`.
fn dump(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drawn.hprof");
    let sketch = notation::read(text).unwrap_or_else(|why| panic!("{why}"));
    std::fs::write(&path, write(&sketch, Form::MODERN)).expect("written");
    (folder, path)
}

fn findings(text: &str) -> Vec<Value> {
    let (_folder, path) = dump(text);
    super::findings(&path, &[])
}

fn named<'a>(findings: &'a [Value], name: &str) -> &'a Value {
    let all: Vec<&Value> = findings.iter().map(|finding| &finding["name"]).collect();
    findings.iter().find(|finding| finding["name"] == name).unwrap_or_else(|| panic!("{name} among {all:?}"))
}

/// `count` objects of `class` with a payload each in an array with unused capacity, labelled `label` and a number.
fn list(text: &mut String, (label, class): (&str, &str), count: usize, fields: impl Fn(usize) -> String) {
    let entries = (0..count).fold(String::new(), |all, at| all + &format!(" {label}{at}"));
    let _ = writeln!(text, "{label} = java.lang.Object[]{entries} null null");
    for at in 0..count {
        let _ = writeln!(text, "{label}{at} = {class} bytes={label}bytes{at}{}", fields(at));
        let _ = writeln!(text, "{label}bytes{at} = byte[]{}", " 1".repeat(200));
    }
}

/// A program with five holders of objects of one class, after `count` rounds. Other objects come before them, so that
/// all addresses differ.
fn five_leaks_of_one_class(count: usize) -> String {
    let mut text = String::from(
        "class a.Item\n field bytes: object\n\
         class a.First\n static all: object = one\n static more: object = two\nroot a.First class\n\
         class a.Second\n static all: object = three\nroot a.Second class\n\
         class a.Box\n field kept: object\n\
         class a.Third\n static box: object = box\n static other: object = otherbox\nroot a.Third class\n\
         box = a.Box kept=four\notherbox = a.Box kept=five\n",
    );
    let _ = writeln!(text, "filler = long[]{}\nroot filler global", " 7".repeat(count * 3));
    for (at, label) in ["one", "two", "three", "four", "five"].into_iter().enumerate() {
        list(&mut text, (label, "a.Item"), count + at, |_| String::new());
    }
    text
}

#[test]
fn leaks_of_one_class_are_distinguished_in_every_dump() {
    let names = ["a.First.all", "a.First.more", "a.Second.all", "a.Third.box", "a.Third.other"];
    let fingerprints = |count: usize| -> Vec<String> {
        let findings = findings(&five_leaks_of_one_class(count));
        let of = |name: &&str| {
            let is_it = |finding: &&Value| finding["name"].as_str().is_some_and(|actual| actual.starts_with(name));
            let actual: Vec<&Value> = findings.iter().filter(is_it).collect();
            assert_eq!(actual.len(), 1, "{name}: {actual:?}");
            assert_eq!(actual[0]["accumulates"]["class"], "a.Item", "{name}");
            actual[0]["fingerprint"].as_str().expect("a fingerprint").to_owned()
        };
        names.iter().map(of).collect()
    };
    let (before, after) = (fingerprints(20), fingerprints(57));
    assert_eq!(before, after, "the same leak in the next dump");
    let mut different = before.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), names.len(), "{before:?}");
}

#[test]
fn entries_show_their_age_and_holder() {
    let mut text = String::from(
        "class a.Order\n field bytes: object\n field created: long\n field used: long\n field number: long\n\
         class a.Orders\n static all: object = orders\nroot a.Orders class\n\
         class a.Form\n field bytes: object\n\
         class a.Form$1\n field this$0: object\n\
         class a.Events\n static listeners: object = listeners\nroot a.Events class\n",
    );
    // The dump is of 1,700,000,000,000.
    list(&mut text, ("orders", "a.Order"), 30, |at| {
        format!(" created={} used=1699999999000 number={at}", 1_699_998_200_000_u64 + 60_000 * at as u64)
    });
    let entries = (0..30).fold(String::new(), |all, at| all + &format!(" listener{at}"));
    let _ = writeln!(text, "listeners = java.lang.Object[]{entries} null");
    for at in 0..30 {
        let bytes = " 1".repeat(200);
        let _ = writeln!(text, "listener{at} = a.Form$1 this$0=form{at}\nform{at} = a.Form bytes=formbytes{at}");
        let _ = writeln!(text, "formbytes{at} = byte[]{bytes}");
    }
    let findings = findings(&text);
    let evidence = |name: &str| named(&findings, name)["for"].to_string();
    let orders = evidence("a.Orders.all");
    assert!(orders.contains("from 2023-11-14T21:43:20Z to 2023-11-14T22:12:20Z, by a.Order.created"), "{orders}");
    let listeners = evidence("a.Events.listeners");
    assert!(listeners.contains("through a.Form$1.this$0, in 30 of 30"), "{listeners}");
    assert!(!orders.contains("hangs on") && !listeners.contains("different age"), "{orders} {listeners}");
}

/// Shared memory of which the runtime retains a part: only the rest belongs to the application.
#[test]
fn memory_retained_by_the_runtime_is_not_a_leak() {
    let mut text = String::from(
        "class java.lang.Module\n field readers: object\n\
         class jdk.internal.Boot\n static first: object = first\n static second: object = second\n\
         root jdk.internal.Boot class\n\
         class a.Tool\n static first: object = tools\n static second: object = others\nroot a.Tool class\n\
         class a.Part\n field bytes: object\n",
    );
    for (labels, part) in [(["first", "second"], "module"), (["tools", "others"], "part")] {
        for label in labels {
            let entries = (0..40).fold(String::new(), |all, at| all + &format!(" {part}{at}"));
            let _ = writeln!(text, "{label} = java.lang.Object[]{entries} null");
        }
    }
    // The application's arrays hold the modules, too.
    let modules = (0..40).fold(String::new(), |all, at| all + &format!(" module{at}"));
    let _ = writeln!(
        text,
        "seen = java.lang.Object[]{modules}\nclass a.Seen\n static all: object = seen\nroot a.Seen class"
    );
    for at in 0..40 {
        // Less than a third of the heap.
        let (few, bytes) = (" 1".repeat(100), " 1".repeat(500));
        let _ = writeln!(text, "module{at} = java.lang.Module readers=moduletext{at}\nmoduletext{at} = byte[]{few}");
        let _ = writeln!(text, "part{at} = a.Part bytes=parttext{at}\nparttext{at} = byte[]{bytes}");
    }
    let findings = findings(&text);
    let holding = |class: &str| {
        let is_it = |finding: &&Value| finding["accumulates"]["class"] == class;
        let largest = findings.iter().filter(is_it).max_by_key(|finding| finding["frees"].as_u64());
        largest.unwrap_or_else(|| panic!("{class} in {findings:?}"))
    };
    let modules = holding("java.lang.Module");
    assert_eq!((&modules["group"], &modules["kind"]), (&Value::from("normal"), &Value::from("shared")));
    assert!(modules["against"].to_string().contains("independently of the application"), "{}", modules["against"]);
    let parts = holding("a.Part");
    assert_eq!((&parts["group"], &parts["name"]), (&Value::from("leak"), &Value::from("a.Tool.first + a.Tool.second")));
}

/// A full queue does not grow, but shows that it is not being emptied.
#[test]
fn a_full_queue_is_reported() {
    let entries = (0..32).fold(String::new(), |all, at| all + &format!(" job{at}"));
    let mut text = format!(
        "class java.util.concurrent.ArrayBlockingQueue\n field items: object\n field takeIndex: int\n field putIndex: int\n \
         field count: int\nclass a.Job\n field bytes: object\n\
         class a.Work\n static queue: object = queue\nroot a.Work class\n\
         queue = java.util.concurrent.ArrayBlockingQueue items=items takeIndex=0 putIndex=0 count=32\n\
         items = java.lang.Object[]{entries}\n"
    );
    for at in 0..32 {
        let _ = writeln!(text, "job{at} = a.Job bytes=bytes{at}\nbytes{at} = byte[]{}", " 1".repeat(100));
    }
    let findings = findings(&text);
    let queue = named(&findings, "a.Work.queue");
    assert_eq!((&queue["group"], &queue["kind"]), (&Value::from("bounded"), &Value::from("queue")));
    assert!(queue["for"].to_string().contains("the queue is full: 32 elements wait"), "{}", queue["for"]);
}

/// Threads differ by number: cutting all of them takes every one, and no other.
#[test]
fn threads_of_one_name_are_cut_together() {
    let mut text = String::from(
        "class java.lang.Thread\n field name: object\n field load: object\n\
         class a.Load\n field bytes: object\n",
    );
    for at in 0..40 {
        let _ =
            writeln!(text, "name{at} = \"refresh-{at}\"\nthread{at} = java.lang.Thread name=name{at} load=load{at}");
        let _ = writeln!(text, "load{at} = a.Load bytes=bytes{at}\nbytes{at} = byte[]{}", " 1".repeat(2_000));
        let _ = writeln!(text, "root thread{at} thread {}", at + 1);
    }
    text += "other = java.lang.Thread name=main\nmain = \"main\"\nroot other thread 99\n";
    let (_folder, path) = dump(&text);
    let task = Task::new();
    let open = open_and_wait(&path, &OpenOptions::default(), &task).unwrap_or_else(|error| panic!("{error}"));
    let namer = open.namer(&task).expect("not cancelled");
    let rules = LeakRules::default();
    let actual = find_leaks(LeakQuery { namer, with_ages: true, rules: &rules, min_bytes: Bytes(10_000) }, &task)
        .expect("not cancelled");
    let names: Vec<&str> = actual.iter().map(|finding| &*finding.name).collect();
    let threads = actual.iter().find(|finding| finding.name == "thread \"refresh-*\"");
    let threads = threads.unwrap_or_else(|| panic!("{names:?}"));
    let cuts = all_cuts(namer, threads, &task).expect("not cancelled");
    assert_eq!(cuts.len(), 40);
}

#[test]
fn the_array_of_a_list_that_copies_it_is_not_of_fixed_capacity() {
    let mut text = "\
        class java.util.concurrent.CopyOnWriteArrayList\n field array: object\n\
        class java.util.concurrent.CopyOnWriteArrayList$COWIterator\n field snapshot: object\n\
        class a.Bus\n static listeners: object = listeners\n\
        class a.Listener\n field data: object\n\
        listeners = java.util.concurrent.CopyOnWriteArrayList array=array\n\
        iterator = java.util.concurrent.CopyOnWriteArrayList$COWIterator snapshot=array\n\
        root a.Bus class\nroot iterator frame 1 0\n"
        .to_owned();
    // An iterator holds the array, too, so the list does not dominate it.
    let all = (0..60).fold(String::new(), |all, at| all + &format!(" listener{at}"));
    let _ = writeln!(text, "array = java.lang.Object[]{all}");
    for at in 0..60 {
        let bytes = " 1".repeat(400);
        let _ = writeln!(text, "listener{at} = a.Listener data=data{at}\ndata{at} = byte[]{bytes}");
    }
    let findings = findings(&text);
    let finding = named(&findings, "a.Bus.listeners.array");
    assert_eq!(finding["group"], "leak", "{finding}");
    let evidence = finding["evidence"].as_array().expect("a list");
    assert!(evidence.iter().all(|key| key != "fixed capacity"), "{finding}");
}
