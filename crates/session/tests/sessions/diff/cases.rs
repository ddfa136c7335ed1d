//! Small handwritten heaps, each a case that a naive comparison gets wrong.

use heaplens_analysis::diff::MatchStatus;
use heaplens_dump::Dump;
use heaplens_heap::{Address, ObjectId};
use heaplens_testkit::notation;
use heaplens_testkit::sketch::Sketch;

use super::laws;
use super::opened::{compared, made_up, pair};

/// Classes that the cases use, and a dozen things that are in both heaps.
const COMMON: &str = "
    class java.lang.Thread
      field name: object
    class java.util.HashMap
      field table: object
      field size: int
    class java.util.HashMap$Node
      field hash: int
      field key: object
      field value: object
      field next: object
    class shop.First
      field held: object
      static kept: object = things
    class shop.Second
      field held: object
    root shop.First class
    root shop.Second class
    things@0x1000 = int[][] a b c d e f g h i j k l
    a@0x2000 = int[] 1
    b@0x2020 = int[] 2
    c@0x2040 = int[] 3
    d@0x2060 = int[] 4
    e@0x2080 = int[] 5
    f@0x20a0 = int[] 6
    g@0x20c0 = int[] 7
    h@0x20e0 = int[] 8
    i@0x2100 = int[] 9
    j@0x2120 = int[] 10
    k@0x2140 = int[] 11
    l@0x2160 = int[] 12
";

fn heap(text: &str) -> (Sketch, Dump) {
    let sketch = notation::read(&format!("{COMMON}\n{text}")).expect("a heap");
    let dump = made_up(&sketch);
    (sketch, dump)
}

fn object((sketch, dump): &(Sketch, Dump), label: &str) -> ObjectId {
    dump.facts.heap.at(Address(sketch.id(label))).expect("it was written")
}

/// Match status of the object called `label` in both heaps; also checks the laws of a comparison.
fn match_status(before: &str, after: &str, label: &str) -> MatchStatus {
    let (one, two) = (heap(before), heap(after));
    let pair = pair(&one.1, &two.1);
    let actual = compared(pair);
    laws::hold(pair, &actual);
    laws::mirrored(pair, &actual, label);
    actual.matches.match_status_of_before(object(&one, label))
}

#[test]
fn a_thread_of_another_name_is_another_thread() {
    let with = |name: &str| {
        format!(
            "class shop.First
               static threads: object = threads
             threads = java.lang.Thread[] main thread
             main = java.lang.Thread name=main-name
             main-name = \"main\"
             thread = java.lang.Thread name=name
             name = \"{name}\"
             root main thread 1
             root thread thread 2"
        )
    };
    let fate = match_status(&with("clerk-1"), &with("clerk-2"), "thread");
    assert!(!matches!(fate, MatchStatus::Matched(..)), "{fate:?}");
}

#[test]
fn maps_of_one_size_are_not_alike() {
    let with = |class: &str, key: &str| {
        format!(
            "class {class}
               static map: object = map
             map = java.util.HashMap table=table size=1
             table = java.util.HashMap$Node[] null null node null
             node = java.util.HashMap$Node hash=7 key=key value=value
             key = \"{key}\"
             value = \"the value of {key}\""
        )
    };
    let fate = match_status(&with("shop.First", "a"), &with("shop.Second", "b"), "map");
    assert!(!matches!(fate, MatchStatus::Matched(..)), "{fate:?}");
}

/// The collector may have moved another string to the same address: the string object is equal, its text is not.
#[test]
fn a_replaced_string_is_a_new_string() {
    let with =
        |class: &str, text: &str| format!("class {class}\n static text: object = text\n text@0x3000 = \"{text}\"");
    let fate = match_status(&with("shop.First", "key-21"), &with("shop.Second", "key-89"), "text");
    assert!(!matches!(fate, MatchStatus::Matched(..)), "{fate:?}");
}

/// The value of an unchanged field may have been modified or replaced: these cannot be told apart, and it is matched.
#[test]
fn objects_in_the_same_field_match() {
    let with = |number: u32| {
        format!(
            "class shop.Order
               field number: int
             class shop.Cart
               field order: object
             class shop.First
               static list: object = list
             list = java.lang.Object[] shop.Second cart
             cart = shop.Cart order=order
             order = shop.Order number={number}"
        )
    };
    let fate = match_status(&with(17), &with(23), "order");
    assert!(matches!(fate, MatchStatus::Matched(..)), "{fate:?}");
}

/// One of two equal strings is at the other's old address: neither is added or removed.
#[test]
fn equal_strings_that_swap_places_both_match() {
    let with = |first: &str, second: &str| {
        format!(
            "class shop.First
               static one: object = one
             class shop.Second
               static two: object = two
             one{first} = \"open\"
             two{second} = \"open\""
        )
    };
    let (before, after) = (with("@0x3000", "@0x4000"), with("@0x5000", "@0x3000"));
    for label in ["one", "two"] {
        let fate = match_status(&before, &after, label);
        assert!(matches!(fate, MatchStatus::Matched(..)), "{label}: {fate:?}");
    }
}
