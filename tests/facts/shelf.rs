//! One of each collection of the JDK, and one of each thing that stands for a
//! value: the engine must open and name them as the program that made them did.

use heaplens::heap::contents::{Logical, LogicalKind, Value};
use heaplens::heap::ids::ObjectId;

use super::fixture::{FIXTURES, Fixture, unquoted};

/// What a collection is to its user.
fn logical(it: &Fixture, object: ObjectId) -> Option<Logical> {
    it.dump.facts.contents.logical(&it.dump.facts.heap, object, 0..u64::MAX)
}

fn label(it: &Fixture, object: ObjectId) -> Option<String> {
    it.dump.facts.contents.label(&it.dump.facts.heap, object)
}

/// A key or value as the program wrote it.
fn shown(it: &Fixture, value: Value) -> String {
    match value.object() {
        Some(object) => label(it, object).unwrap_or_else(|| format!("(a {})", it.class_of(object))),
        None => value.to_string(),
    }
}

/// In the form of a truth.
fn written(it: &Fixture, logical: &Logical) -> String {
    let entry = |entry: &heaplens::heap::contents::LogicalEntry| {
        let value = shown(it, entry.value);
        entry.key.map_or_else(|| value.clone(), |key| format!("{}={value}", shown(it, key)))
    };
    logical.entries.iter().map(entry).collect::<Vec<_>>().join("|")
}

/// Entries in the order of the JDK's own iterator, of hash tables too.
#[test]
fn collections_hold_what_was_put_in_and_in_what_order() {
    let mut wrong = Vec::new();
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, said) in it.truths("collection") {
            let mut words = said.splitn(3, ' ');
            let kind = match words.next() {
                Some("map") => LogicalKind::Map,
                Some("set") => LogicalKind::Set,
                // A queue has an order, and may hold a thing twice.
                Some("list" | "queue") => LogicalKind::List,
                other => panic!("{name}: {field} is a {other:?}"),
            };
            let size: u64 = words.next().and_then(|size| size.parse().ok()).expect("a size");
            let entries = words.next().unwrap_or_default();
            let held = it.held_by(&format!("facts.Shelf.{field}"));
            let Some(found) = logical(&it, held) else {
                wrong.push(format!("{name}: {field}, a {}, is not opened", it.class_of(held)));
                continue;
            };
            let text = written(&it, &found);
            if (found.kind, found.size, &*text) != (kind, size, entries) {
                wrong.push(format!("{name}: {field}: {:?} of {}: {text}, not {said}", found.kind, found.size));
            }
            // The beginning alone is the beginning of the whole.
            let beginning = it.dump.facts.contents.logical(&it.dump.facts.heap, held, 0..2).expect("as before");
            if beginning.size != size || beginning.entries[..] != found.entries[..found.entries.len().min(2)] {
                wrong.push(format!("{name}: {field} begins {}", written(&it, &beginning)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_are_called_what_they_stand_for() {
    let mut wrong = Vec::new();
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, said) in it.truths("value") {
            let (_, text) = said.split_once(' ').expect("a class and a text");
            let found = label(&it, it.held_by(field));
            if found.as_deref() != Some(&unquoted(text)) {
                wrong.push(format!("{name}: {field} is called {found:?}, not {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
