//! Entries of the collections of each format: a dump compared with itself has none added or removed, and one compared
//! with a later dump that has one entry more has exactly this one added. Addresses, and ids of other processes, differ,
//! and so does the order of the entries in tables. What cannot be compared is neither added nor removed.

use std::fmt::Write as _;

use heaplens_analysis::diff::entries::entries;
use heaplens_analysis::diff::{Entries, Pair};
use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;
use heaplens_testkit::java_collections::{self, LISTS, MAPS, NUMBERED, SETS};
use heaplens_testkit::notation;
use heaplens_testkit::random::Random;

use super::opened::{compared, held_by, made_up, pair, side};

/// Entries in the baseline.
const MANY: usize = 9;

/// Compares two collections.
pub(super) fn compare(pair: Pair<'_>, before: ObjectId, after: ObjectId) -> Entries {
    let actual = compared(pair);
    entries(pair, &actual.matches, before, after, 100, &Task::new()).expect("not cancelled").expect("a collection")
}

/// Entries kept, added, removed, and those of either dump that were not compared.
pub(super) fn counts(of: &Entries) -> [u64; 5] {
    [of.in_both, of.added, of.removed, of.not_compared_before, of.not_compared_after]
}

/// Keys of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    Strings,
    Numbers,
    /// Told apart by a number in them.
    Objects,
    /// Nothing tells them apart.
    Locks,
    /// Statics of their class.
    Constants,
    /// Primitives in an array.
    Primitives,
}

impl Keys {
    /// Label of a key, or its number.
    fn label(self, at: usize) -> String {
        if self == Self::Primitives { (at + 70).to_string() } else { format!("key{at}") }
    }

    fn object(self, at: usize) -> String {
        match self {
            Self::Strings => format!("key{at} = \"user-{at}\""),
            Self::Numbers => format!("key{at} = java.lang.Integer value={}", at + 1000),
            Self::Objects => format!("key{at} = shop.Key number={}", at + 1000),
            Self::Constants => {
                format!("key{at} = shop.Colour ordinal={at}\nclass shop.Colour\n static C{at}: object = key{at}")
            }
            Self::Locks => format!("key{at} = java.lang.Object"),
            Self::Primitives => String::new(),
        }
    }

    /// A key as text.
    fn text(self, at: usize) -> String {
        match self {
            Self::Strings => format!("\"user-{at}\""),
            Self::Numbers => (at + 1000).to_string(),
            Self::Objects => "shop.Key".to_owned(),
            Self::Locks => "java.lang.Object".to_owned(),
            Self::Constants => "shop.Colour".to_owned(),
            Self::Primitives => (at + 70).to_string(),
        }
    }
}

/// A heap with a collection that has the entries `order`, by number; `moved` shifts all addresses.
fn heap(class: &str, keys: Keys, order: &[usize], moved: usize) -> Dump {
    let mut text = java_collections::DECLARATIONS.to_owned();
    text.push_str(
        "class java.lang.Integer
           field value: int
         class shop.Key
           field number: int
         class shop.Value
           field number: int
         class shop.Colour
           field ordinal: int
         class shop.Store
           static all: object = all
         root shop.Store class
         root shop.Colour class
        ",
    );
    for at in 0..moved {
        let _ = writeln!(text, "moved{at} = \"filler {at}\"\nroot moved{at} global");
    }
    for &at in order {
        let _ = writeln!(text, "{}\nvalue{at} = shop.Value number={}", keys.object(at), at + 500);
    }
    let all: Vec<(String, String)> = order.iter().map(|&at| (keys.label(at), format!("value{at}"))).collect();
    text.push_str(&java_collections::collection(class, "all", &all));
    made_up(&notation::read(&text).unwrap_or_else(|why| panic!("{class}: {why}")))
}

/// The collection.
fn all(dump: &Dump) -> ObjectId {
    held_by(side(dump), "shop.Store.all")
}

fn check(class: &str, keys: Keys, is_list: bool, random: &mut Random) {
    let name = &format!("{class} of {keys:?}");
    let order: Vec<usize> = (0..MANY).collect();
    let mut more: Vec<usize> = order.clone();
    if !is_list {
        random.shuffle(&mut more);
    }
    more.insert(random.below(MANY as u32 + 1) as usize, MANY);
    let (one, same, two) = (heap(class, keys, &order, 0), heap(class, keys, &order, 0), heap(class, keys, &more, 40));
    let unchanged = compare(pair(&one, &same), all(&one), all(&same));
    assert_eq!(counts(&unchanged), [MANY as u64, 0, 0, 0, 0], "{name} and itself");
    let grown = compare(pair(&one, &two), all(&one), all(&two));
    assert_eq!(counts(&grown), [MANY as u64, 1, 0, 0, 0], "{name} and one more: {more:?}, {:?}", grown.new);
    if !is_list {
        assert_eq!(grown.new[0].key, keys.text(MANY), "{name}");
    }
    let shrunk = compare(pair(&two, &one), all(&two), all(&one));
    assert_eq!(counts(&shrunk), [MANY as u64, 0, 1, 0, 0], "{name} and one less");
}

#[test]
fn one_entry_more_is_one_entry_added() {
    let mut random = Random::new(66);
    for _round in 0..3 {
        for keys in [Keys::Strings, Keys::Numbers, Keys::Objects, Keys::Constants] {
            for class in MAPS.iter().chain(&SETS) {
                check(class, keys, false, &mut random);
            }
            for class in LISTS {
                check(class, keys, true, &mut random);
            }
        }
        for class in NUMBERED {
            check(class, Keys::Primitives, class.ends_with("List"), &mut random);
        }
    }
}

/// Nothing tells objects without fields apart.
#[test]
fn objects_without_values_are_not_compared() {
    let (one, two) = (
        heap("java.util.HashSet", Keys::Locks, &[0, 1, 2], 0),
        heap("java.util.HashSet", Keys::Locks, &[3, 4, 5, 6], 40),
    );
    let actual = compare(pair(&one, &two), all(&one), all(&two));
    assert_eq!(counts(&actual), [0, 0, 0, 3, 4]);
    let none = heap("java.util.HashSet", Keys::Locks, &[], 40);
    assert_eq!(counts(&compare(pair(&one, &none), all(&one), all(&none))), [0, 0, 3, 0, 0]);
}

/// Nulls and other values are elements as well, and equal strings of which there is one more.
#[test]
fn elements_that_are_no_objects_are_compared() {
    let heap = |elements: &str, size| {
        let text = format!(
            "{}\nclass shop.Store\n static all: object = all\nroot shop.Store class\na = \"a\"\nb = \"a\"\nc = \"a\"\n\
             all = java.util.ArrayList elementData=array size={size}\narray = java.lang.Object[] {elements} null\n",
            java_collections::DECLARATIONS
        );
        made_up(&notation::read(&text).expect("a heap"))
    };
    let (one, two) = (heap("a null null b", 4), heap("a null null null b c", 6));
    assert_eq!(counts(&compare(pair(&one, &two), all(&one), all(&two))), [4, 2, 0, 0, 0]);
}
