//! Dumps of a program with known contents (`fixtures/java/Facts.java`), compared with the program's own log. A fact is a
//! line of `fixtures/facts-*.truth.txt`; a check covers all lines of a kind, so that new fixtures and lines need no
//! change here. This file reads fields directly; the files in `facts/` check results of analyses.

mod answers;
mod fixture;
mod held;
mod shelf;
mod threads;
mod waste;

use heaplens_heap::{ObjectId, RootKind, Value};

use fixture::{FIXTURES, Fixture, unquoted, words};

/// Normalizes the name of a hidden class, which contains an address in a format specific to the dump.
fn plain(class: &str) -> &str {
    class.split(['/', '+']).next().unwrap_or(class)
}

/// All kinds of lines are checked, here or in the files of `facts/`.
#[test]
fn no_kind_of_fact_is_forgotten() {
    let checked = [
        "buffer",
        "class",
        "collection",
        "direct",
        "duplicate",
        "finalizer",
        "group",
        "loader",
        "loaders",
        "lock",
        "monitor",
        "pool",
        "property",
        "reference",
        "thread",
        "threadlocal",
        "threads",
        "value",
        "waste",
    ];
    for name in FIXTURES {
        assert_eq!(Fixture::open(name).kinds().into_iter().collect::<Vec<_>>(), checked, "{name}");
    }
}

#[test]
fn static_fields_hold_objects_of_the_logged_class() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let fields = it.truths("class").into_iter();
        let values = it.truths("value").into_iter().filter_map(|(field, text)| Some((field, text.split_once(' ')?.0)));
        for (field, class) in fields.chain(values) {
            assert_eq!(plain(it.class_of(it.held_by(field))), plain(class), "{name}: {field}");
        }
    }
}

#[test]
fn strings_are_read_back() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let strings: Vec<(&str, &str)> = (it.truths("value").into_iter())
            .filter_map(|(field, text)| Some((field, text.strip_prefix("java.lang.String ")?)))
            .collect();
        assert_eq!(strings.len(), 2, "one in Latin-1 and one in UTF-16");
        for (field, text) in strings {
            assert_eq!(it.text(it.held_by(field)), unquoted(text), "{name}: {field}");
        }
    }
}

/// Each thread is in a method of the program and has its own local variables.
#[test]
fn threads_show_their_frames_and_locals() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let (heap, analysis) = (&*it.dump.facts.heap, &*it.dump.analysis);
        for (thread, text) in it.truths("thread") {
            let (object, text) = (it.thread(thread), words(text));
            assert!(heap.roots.of(object).iter().any(|root| root.kind == RootKind::Thread), "{name}: {thread}");
            let (frame, stack) = (format!("{}(", text["frame"]), it.stack(object));
            assert!(stack.iter().any(|line| line.starts_with(&frame)), "{name}: {thread} in {frame}: {stack:?}");
            let rows = it.instances(text["local"]);
            let own = rows.iter().filter(|&&row| analysis.dominates(object, row)).count();
            assert_eq!(own.to_string(), text["count"], "{name}: {thread} holds {}", text["local"]);
            let locals = heap.references(object).iter();
            let locals = locals.filter_map(|&row| ObjectId::from_raw(row));
            let reports = locals.filter(|&local| it.class_of(local) == "byte[]");
            let lengths: Vec<String> = reports.map(|array| it.length(array).to_string()).collect();
            assert!(lengths.iter().any(|length| length == text["bytes"]), "{name}: {thread}: {lengths:?}");
        }
    }
}

#[test]
fn threads_have_the_priority_they_were_given() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        // Virtual threads have neither.
        let platform = it.truths("thread").into_iter().filter(|(thread, _)| !thread.contains("virtual"));
        for (thread, text) in platform {
            let thread = it.thread(thread);
            // Since JDK 19 they are in a separate object.
            let holder = it.follow(thread, "holder").unwrap_or(thread);
            let text = words(text);
            let priority = text["priority"].parse().expect("a number");
            assert_eq!(it.field(holder, "priority"), Some(Value::Int(priority)), "{name}");
            assert_eq!(it.field(holder, "daemon"), Some(Value::Bool(text["daemon"] == "true")), "{name}");
        }
    }
}

#[test]
fn a_class_that_two_loaders_defined_is_two_classes() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (class, message) in it.truths("loaders") {
            let message = words(message);
            let loaders: Vec<_> = it.classes(class).iter().filter_map(|(_, class)| class.loader).collect();
            let mut names: Vec<String> =
                loaders.iter().map(|&loader| it.text(it.follow(loader, "name").expect("it has a name"))).collect();
            names.sort_unstable_by(|a, b| b.cmp(a));
            assert_eq!(names.join(","), message["loaders"], "{name}");
            assert!(loaders.iter().all(|&loader| it.class_of(loader) == message["class"]), "{name}");
            // The old loader is retained by one instance of its class.
            let left_over = it.held_by("facts.Plugins.leftOver");
            let old = loaders.iter().find(|&&loader| it.dump.analysis.dominates(left_over, loader));
            let old = old.and_then(|&loader| it.follow(loader, "name")).map(|text| it.text(text));
            assert_eq!(old.as_deref(), Some("plugin-old"), "{name}: what {class} leads to");
        }
    }
}

#[test]
fn lists_of_waste_have_the_planted_objects() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, text) in it.truths("waste") {
            let (all, text) = (it.list(it.held_by(field)), words(text));
            assert_eq!(all.len().to_string(), text["count"], "{name}: {field}");
            for object in all {
                assert_eq!(it.class_of(object), text["class"], "{name}: {field}");
                if let Some(length) = text.get("length") {
                    assert_eq!(it.length(object).to_string(), *length, "{name}: {field}");
                }
                if let Some(size) = text.get("size") {
                    let size: i32 = size.parse().expect("a number");
                    assert_eq!(it.field(object, "size"), Some(Value::Int(size)), "{name}: {field}");
                }
                if let Some(capacity) = text.get("capacity") {
                    let array = it.follow(object, "elementData").or_else(|| it.follow(object, "table"));
                    assert_eq!(array.map_or(0, |a| it.length(a)).to_string(), *capacity, "{name}: {field}");
                }
            }
        }
    }
}

#[test]
fn direct_buffers_have_the_capacity_they_were_given() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let capacity = |buffer| match it.field(buffer, "capacity") {
            Some(Value::Int(capacity)) => capacity.to_string(),
            other => panic!("{name}: a capacity of {other:?}"),
        };
        for (field, text) in it.truths("direct").into_iter().chain(it.truths("buffer")) {
            let (held, text) = (it.held_by(field), words(text));
            if let Some(capacities) = text.get("capacities") {
                let all: Vec<String> = it.list(held).into_iter().map(capacity).collect();
                assert_eq!(all.join(","), *capacities, "{name}: {field}");
            } else {
                assert_eq!(capacity(held), text["capacity"], "{name}: {field}");
            }
        }
    }
}
