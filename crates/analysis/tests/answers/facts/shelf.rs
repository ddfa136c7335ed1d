//! One of each collection of the JDK, and one of each class with a readable value: the engine must read and label them
//! as the program logged.

use heaplens_heap::{LogicalCollection, LogicalKind, ObjectId, Value};

use super::fixture::{FIXTURES, Fixture, unquoted};

/// A collection as its user sees it.
fn logical(it: &Fixture, object: ObjectId) -> Option<LogicalCollection> {
    it.dump.facts.contents.logical(&it.dump.facts.heap, object, 0..u64::MAX)
}

/// A key or value as the program wrote it.
fn key_or_value(it: &Fixture, value: Value) -> String {
    match value.object() {
        // A class of the program: only its `toString` gives its label.
        Some(key) if it.class_of(key) == "facts.CollidingKey" => it.text(it.follow(key, "name").expect("a name")),
        Some(object) => it.label(object).unwrap_or_else(|| format!("(a {})", it.class_of(object))),
        None => value.to_string(),
    }
}

/// In the form of a truth.
fn written(it: &Fixture, logical: &LogicalCollection) -> String {
    let entry = |entry: &heaplens_heap::LogicalEntry| {
        let value = key_or_value(it, entry.value);
        entry.key.map_or_else(|| value.clone(), |key| format!("{}={value}", key_or_value(it, key)))
    };
    logical.entries.iter().map(entry).collect::<Vec<_>>().join("|")
}

/// Entries in the order of the JDK's own iterator, of hash tables too.
#[test]
fn collections_have_their_elements_in_order() {
    let mut wrong = Vec::new();
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, message) in it.truths("collection") {
            let mut words = message.splitn(3, ' ');
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
            let Some(actual) = logical(&it, held) else {
                wrong.push(format!("{name}: {field}, a {}, is not opened", it.class_of(held)));
                continue;
            };
            let text = written(&it, &actual);
            // These have no order: each start of the JVM draws one, on purpose.
            let drawn = ["java.util.ImmutableCollections$SetN", "java.util.ImmutableCollections$MapN"];
            let in_order = |text: &str| {
                let mut all: Vec<String> = text.split('|').map(str::to_owned).collect();
                if drawn.contains(&it.class_of(held)) {
                    all.sort_unstable();
                }
                all
            };
            if (actual.kind, actual.size, in_order(&text)) != (kind, size, in_order(entries)) {
                wrong.push(format!("{name}: {field}: {:?} of {}: {text}, not {message}", actual.kind, actual.size));
            }
            // A partial read is the beginning of the complete one.
            let beginning = it.dump.facts.contents.logical(&it.dump.facts.heap, held, 0..2).expect("as before");
            if beginning.size != size || beginning.entries[..] != actual.entries[..actual.entries.len().min(2)] {
                wrong.push(format!("{name}: {field} begins {}", written(&it, &beginning)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Labels known only to the code of a class, or derived from a whole object graph, are checked by their parts.
#[test]
fn values_have_readable_labels() {
    let mut wrong = Vec::new();
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, message) in it.truths("value") {
            let (class, text) = message.split_once(' ').expect("a class and a text");
            let (object, text) = (it.held_by(field), unquoted(text));
            let named = it.label(object);
            let (actual, text) = match field.rsplit('.').next() {
                Some("lambda") => {
                    assert_eq!(named.as_deref(), Some("lambda in facts.Values"), "{name}: whose it is");
                    (it.follow(object, "arg$1").map(|captured| it.text(captured)), text)
                }
                Some("hidden") => {
                    assert_eq!(named.as_deref(), Some("hidden class of facts.Hidden"), "{name}: whose it is");
                    (it.field(object, "number").map(|number| number.to_string()), text)
                }
                Some("nested") => {
                    assert_eq!(named.as_deref(), Some("[2]"), "{name}: its length");
                    (Some(nested(&it, Value::Object(object))), text)
                }
                // A single character is quoted: it could be a space or a mark.
                _ if class == "java.lang.Character" => (named, format!("'{text}'")),
                _ => (named, text),
            };
            if actual.as_deref() != Some(&*text) {
                wrong.push(format!("{name}: {field} is called {actual:?}, not {message}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Arrays within arrays, as `Arrays.deepToString` writes them.
fn nested(it: &Fixture, value: Value) -> String {
    match value {
        Value::Object(object) if it.class_of(object).ends_with("[]") => {
            let elements: Vec<String> = it.elements(object).into_iter().map(|value| nested(it, value)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Char(unit) => String::from_utf16_lossy(&[unit]),
        value => key_or_value(it, value),
    }
}
