//! Entries of the collections of JavaScript in two snapshots, of one process and of two.

use heaplens_analysis::diff::{MatchMethod, MatchStatus};
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId};
use heaplens_session::OpenOptions;
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::collections::{Heap, KeyForm};
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::write::write;

use super::collections::{compare, counts};
use super::opened::{compared, pair};

/// Entries in the baseline.
const MANY: usize = 7;
/// Difference between the ids of two processes: most ids are in both heaps, for other objects.
const OTHER_PROCESS: u64 = 2;

/// Collections that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Map,
    Set,
    Cache,
}

/// A snapshot with a collection that has some entries, and the row of the collection.
fn snapshot(class: Class, form: KeyForm, order: &[usize], [shift, fresh]: [u64; 2], seed: u64) -> (Dump, ObjectId) {
    let mut random = Random::new(seed);
    let mut heap = Heap::new(shift, fresh);
    for filler in 0..60 {
        let kind = if filler % 3 == 0 { "closure" } else { "string" };
        let node = heap.node(kind, &format!("filler {filler}"), 101 + filler * 2, 32);
        heap.made.name(heap.global, "property", format!("filler{filler}"), node);
    }
    // A longer text shows that the keys are not cut: their size alone is also that of a string with its text elsewhere.
    let long = heap.node("string", &"long ".repeat(12), 301, 16 + 64);
    heap.made.name(heap.global, "property", "long", long);
    // A number is a fresh node in each snapshot, once for each value.
    let entries: Vec<_> = order.iter().map(|&entry| (heap.key(form, entry), heap.value(entry))).collect();
    let node = match class {
        Class::Map => heap.native("Map", "all", &entries),
        Class::Set => heap.native("Set", "all", &entries),
        Class::Cache => {
            let mut slots: Vec<u32> = (0..order.len() as u32 * 2).collect();
            random.shuffle(&mut slots);
            heap.cache("all", &entries, &slots)
        }
    };
    let id = heap.made.nodes[node].id;
    // V8 writes nodes in the order of their addresses.
    let mut nodes: Vec<usize> = (1..heap.made.nodes.len()).collect();
    random.shuffle(&mut nodes);
    nodes.insert(0, 0);
    let made = heap.made.in_order(&nodes);
    let dump = crate::open_bytes(write(&made, &Form::node20()), &OpenOptions::default());
    let object = dump.facts.heap.at(Address(id)).expect("it was written");
    (dump, object)
}

fn cases() -> impl Iterator<Item = (Class, KeyForm)> {
    let classes = [Class::Map, Class::Set, Class::Cache];
    let all = classes.into_iter().flat_map(|class| KeyForm::ALL.map(|form| (class, form)));
    // Without nodes, a set has no elements. A cache has other nodes in its slots.
    all.filter(|&(class, form)| class == Class::Map || form != KeyForm::BareSmallInteger)
}

/// Entries of the target: those of the baseline in another order, and one more.
fn more(seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..=MANY).collect();
    Random::new(seed).shuffle(&mut order);
    order
}

#[test]
fn a_snapshot_has_the_entries_of_itself() {
    let order: Vec<usize> = (0..MANY).collect();
    for (class, form) in cases() {
        let of = || snapshot(class, form, &order, [0, 90_001], 7);
        let ((one, before), (two, after)) = (of(), of());
        let actual = compare(pair(&one, &two), before, after);
        assert_eq!(counts(&actual), [MANY as u64, 0, 0, 0, 0], "{class:?} with {form:?}");
    }
}

#[test]
fn one_entry_more_in_one_process_is_one_added() {
    let order: Vec<usize> = (0..MANY).collect();
    for seed in 1..4 {
        for (class, form) in cases() {
            let name = format!("{class:?} with {form:?}");
            let (one, before) = snapshot(class, form, &order, [0, 90_001], seed);
            let (two, after) = snapshot(class, form, &more(seed), [0, 95_001], seed + 10);
            let actual = compare(pair(&one, &two), before, after);
            assert_eq!(counts(&actual), [MANY as u64, 1, 0, 0, 0], "{name}: {:?}", actual.new);
            if matches!(form, KeyForm::Flat | KeyForm::Joined | KeyForm::Flattened) {
                assert_eq!(actual.new[0].key, format!("{:?}", Heap::key_text(MANY)), "{name}");
            }
            if form == KeyForm::BareSmallInteger {
                assert_eq!(actual.new[0].key, "(unrecorded key) → Value", "{name}");
            }
            let back = compare(pair(&two, &one), after, before);
            assert_eq!(counts(&back), [MANY as u64, 0, 1, 0, 0], "{name}, swapped");
        }
    }
}

/// Ids say nothing there: recorded keys are compared by content, the others are not compared. Values below small integers
/// are matched by their position.
#[test]
fn keys_that_are_not_recorded_are_not_compared_between_processes() {
    let order: Vec<usize> = (0..MANY).collect();
    for (class, form) in cases() {
        let name = format!("{class:?} with {form:?}");
        let (one, before) = snapshot(class, form, &order, [0, 90_001], 5);
        let (two, after) = snapshot(class, form, &more(5), [OTHER_PROCESS, 95_001], 9);
        let actual = compare(pair(&one, &two), before, after);
        let expected = match form {
            _ if form.is_recorded() => [MANY as u64, 1, 0, 0, 0],
            KeyForm::BareSmallInteger => [MANY as u64, 1, 0, 0, 0],
            _ => [0, 0, 0, MANY as u64, MANY as u64 + 1],
        };
        assert_eq!(counts(&actual), expected, "{name}: {:?} {:?}", actual.new, actual.removed_entries);
    }
}

/// Another process numbers other objects alike: strings differ, although most ids are of one class in both.
#[test]
fn two_processes_are_told_apart_by_their_strings() {
    let heap = |offset: u64| {
        let mut heap = Heap::new(0, 90_001);
        for at in 0..400 {
            let node = heap.node("string", &format!("text {:03}", at + offset), 101 + at * 2, 24);
            heap.made.name(heap.global, "property", format!("text{at}"), node);
        }
        crate::open_bytes(write(&heap.made, &Form::node20()), &OpenOptions::default())
    };
    let by_id = |offset| {
        let (one, two) = (heap(0), heap(offset));
        let actual = compared(pair(&one, &two));
        let matched = |object| actual.matches.match_status_of_after(object);
        let is_by_id = |&object: &ObjectId| matches!(matched(object), MatchStatus::Matched(_, MatchMethod::Id));
        two.facts.heap.objects().filter(is_by_id).count()
    };
    assert_eq!((by_id(0), by_id(50)), (402, 0));
}

/// Native nodes of the embedder get other ids in each snapshot: they are not replaced by others.
#[test]
fn ids_of_one_snapshot_prove_nothing() {
    let heap = |first: u64, natives: u64| {
        let mut heap = Heap::new(0, 90_001);
        for at in 0..60 {
            let node = heap.node("string", &format!("text {at:03}"), 101 + at * 2, 24);
            heap.made.name(heap.global, "property", format!("text{at}"), node);
        }
        let environment = heap.node("native", "Node / Environment", first, 64);
        heap.made.name(heap.global, "property", "environment", environment);
        for at in 0..natives {
            let node = heap.node("native", "Node / Queue", first + 2 + at * 2, 64);
            heap.made.number(environment, "element", at as u32, node);
        }
        crate::open_bytes(write(&heap.made, &Form::node20()), &OpenOptions::default())
    };
    let (one, two) = (heap(1_000, 3), heap(2_000, 3));
    let actual = compared(pair(&one, &two));
    for object in two.facts.heap.objects() {
        let status = actual.matches.match_status_of_after(object);
        assert_ne!(status, MatchStatus::Alone, "{}", two.facts.heap.class(object).name);
    }
    assert_eq!(actual.growth.alone.after_objects, 0);
}
