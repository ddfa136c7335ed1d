//! Threads: state, objects held by each frame, thread locals, locks, pools and groups.

use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_analysis::threads::{FrameRow, ThreadRow, stack, threads};
use heaplens_base::Task;
use heaplens_heap::{LogicalCollection, LogicalKind, ObjectId, RootKind, ThreadState, Value};

use super::fixture::{FIXTURES, Fixture, unquoted, words};

fn all(it: &Fixture) -> Vec<ThreadRow> {
    threads(it.dump.data(), &Task::new()).expect("not cancelled")
}

/// The row of a thread by its name.
fn row<'a>(it: &Fixture, rows: &'a [ThreadRow], name: &str) -> &'a ThreadRow {
    let named: Vec<&ThreadRow> = rows.iter().filter(|row| row.name.as_deref() == Some(name)).collect();
    let [row] = named[..] else { panic!("{}: {} rows are called {name}", it.name, named.len()) };
    row
}

fn frames(it: &Fixture, row: &ThreadRow) -> Vec<FrameRow> {
    stack(&*it.dump.facts.contents, &it.dump.analysis, row).frames
}

fn logical(it: &Fixture, collection: ObjectId) -> LogicalCollection {
    let actual = it.dump.facts.contents.logical(&it.dump.facts.heap, collection, 0..u64::MAX);
    actual.unwrap_or_else(|| panic!("{}: a {} is not opened", it.name, it.class_of(collection)))
}

fn objects(logical: &LogicalCollection) -> Vec<ObjectId> {
    logical.entries.iter().filter_map(|entry| entry.value.object()).collect()
}

#[test]
fn thread_rows_show_state_and_frame() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let rows = all(&it);
        for (thread, text) in it.truths("thread") {
            let (row, text) = (row(&it, &rows, thread), words(text));
            assert_eq!(row.object, Some(it.thread(thread)), "{name}: {thread}");
            assert_eq!(row.state.map(ThreadState::name), Some(text["state"]), "{name}: {thread}");
            assert_eq!(
                row.daemon.map(|daemon| daemon.to_string()).as_deref(),
                Some(text["daemon"]),
                "{name}: {thread}"
            );
            assert_eq!(row.priority.map(|n| n.to_string()).as_deref(), Some(text["priority"]), "{name}: {thread}");
            assert_eq!(row.is_virtual, thread.contains("virtual"), "{name}: {thread}");
            assert!(!row.out_of_memory, "{name}: {thread}");
        }
        let [(_, text)] = it.truths("threads")[..] else { panic!("{name}: one line says how many are virtual") };
        assert_eq!(rows.iter().filter(|row| row.is_virtual).count().to_string(), text, "{name}");
    }
}

/// A list of rows and a report, in the frame of the method that made them, and no others.
#[test]
fn frames_hold_their_own_locals() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let (rows, analysis) = (all(&it), &it.dump.analysis);
        for (thread, text) in it.truths("thread") {
            let (frames, text) = (frames(&it, row(&it, &rows, thread)), words(text));
            let method = format!("{}(", text["frame"]);
            let ours: Vec<&FrameRow> = frames.iter().filter(|frame| frame.text.starts_with(&method)).collect();
            let [frame] = ours[..] else { panic!("{name}: {thread} stands in {} such frames", ours.len()) };
            let locals = || frame.locals.iter().map(|local| local.object);
            let of_class = |class: &str| locals().filter(|&local| it.class_of(local) == class).collect::<Vec<_>>();
            let holds = |&list: &ObjectId| {
                let elements = objects(&logical(&it, list));
                elements.len().to_string() == text["count"]
                    && elements.iter().all(|&element| it.class_of(element) == text["local"])
            };
            let lists: Vec<ObjectId> = of_class("java.util.ArrayList").into_iter().filter(holds).collect();
            let [list] = lists[..] else { panic!("{name}: {thread} has {} lists of {}", lists.len(), text["local"]) };
            let arrays: Vec<ObjectId> =
                of_class("byte[]").into_iter().filter(|&array| it.length(array).to_string() == text["bytes"]).collect();
            let [array] = arrays[..] else { panic!("{name}: {thread} has {} such arrays", arrays.len()) };
            let own = analysis.retained(list) + analysis.retained(array);
            assert_eq!(frame.retained, own, "{name}: {thread}");
            assert!(frame.locals.iter().all(|local| local.kind == RootKind::JavaFrame), "{name}: {thread}");
            for other in frames.iter().filter(|other| !other.text.starts_with(&method)) {
                let theirs = other.locals.iter().any(|local| [list, array].contains(&local.object));
                assert!(!theirs, "{name}: {thread}: {} holds them too", other.text);
            }
        }
    }
}

/// A HotSpot dump does not record monitors; but a thread that owns or awaits one has it among its locals.
#[test]
fn monitors_are_listed_with_the_locals_of_their_threads() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let rows = all(&it);
        for (field, text) in it.truths("monitor") {
            let monitor = it.held_by(field);
            for (method, thread) in words(text) {
                let frames = frames(&it, row(&it, &rows, thread));
                let held = frames.iter().flat_map(|frame| &frame.locals).any(|local| local.object == monitor);
                assert!(held, "{name}: {field}: {method} {thread}");
            }
        }
    }
}

#[test]
fn locks_have_an_owner_and_waiting_threads() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, text) in it.truths("lock") {
            let text = words(text);
            let sync = it.follow(it.held_by(field), "sync").expect("a lock has one");
            assert_eq!(it.follow(sync, "exclusiveOwnerThread"), Some(it.thread(text["owner"])), "{name}: {field}");
            // The first node of the queue has no thread.
            let next = |&node: &ObjectId| it.follow(node, "next");
            let nodes = std::iter::successors(it.follow(sync, "head"), next).take(10);
            let waiting: Vec<ObjectId> = nodes.filter_map(|node| it.follow(node, "waiter")).collect();
            assert_eq!(waiting, [it.thread(text["waiting"])], "{name}: {field}");
        }
    }
}

#[test]
fn pools_have_threads_and_queued_tasks() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, text) in it.truths("pool") {
            let (pool, text) = (it.held_by(field), words(text));
            let workers = logical(&it, it.follow(pool, "workers").expect("workers"));
            assert_eq!(workers.kind, LogicalKind::Set, "{name}: {field}");
            let threads = objects(&workers).into_iter().map(|worker| it.follow(worker, "thread").expect("a thread"));
            let mut threads: Vec<String> = threads.map(|thread| it.label(thread).expect("a name")).collect();
            threads.sort_unstable();
            assert_eq!(threads.join(","), text["threads"], "{name}: {field}");
            let queue = logical(&it, it.follow(pool, "workQueue").expect("a queue"));
            assert_eq!(queue.size.to_string(), text["queued"], "{name}: {field}");
            assert!(objects(&queue).into_iter().all(|task| it.class_of(task) == text["task"]), "{name}: {field}");
        }
    }
}

/// Values of a thread's locals by key; null for keys that were collected.
#[test]
fn thread_locals_retain_values_after_their_key_is_cleared() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, text) in it.truths("threadlocal") {
            let text = words(text);
            let thread = it.thread(text["thread"]);
            let locals = logical(&it, it.follow(thread, "threadLocals").expect("it has some"));
            assert_eq!(locals.kind, LogicalKind::Map, "{name}");
            let alive = (field != "(gone)").then(|| it.held_by(field));
            let all = locals.entries.iter().filter_map(|entry| Some((entry.key?, entry.value.object()?)));
            let values: Vec<ObjectId> = match alive {
                Some(alive) => {
                    let lists = all.filter(|(key, _)| *key == Value::Object(alive));
                    lists.flat_map(|(_, list)| objects(&logical(&it, list))).collect()
                }
                None => all.map(|(_, value)| value).filter(|&value| it.class_of(value) == text["class"]).collect(),
            };
            assert_eq!(values.len().to_string(), text["count"], "{name}: {field}");
            for value in values {
                assert_eq!(it.class_of(value), text["class"], "{name}: {field}");
                assert!(it.dump.analysis.dominates(thread, value), "{name}: {field}");
                let wish = PathOptions::default().max_listed_at_end(50);
                let actual = paths(it.dump.data(), value, wish, &Task::new());
                let path = actual.expect("not cancelled").pop().expect("a path");
                assert_eq!(path.steps.first().map(|step| step.object), Some(thread), "{name}: {field}");
                let second = path.steps.get(1).and_then(|step| step.reference.as_deref());
                assert_eq!(second, Some("threadLocals"), "{name}: {field}");
            }
            if alive.is_none() {
                let removed = |key: Option<Value>| key == Some(Value::Null);
                let keyless = locals.entries.iter().filter(|entry| removed(entry.key)).count();
                assert!(it.has_garbage() || keyless.to_string() == text["count"], "{name}: {keyless} have no key");
            }
        }
    }
}

#[test]
fn groups_have_their_threads() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let rows = all(&it);
        for (group, text) in it.truths("group") {
            let of_group = |row: &&ThreadRow| {
                let Some(thread) = row.object else { return false };
                // Since JDK 19 it is in an object of its own.
                let holder = it.follow(thread, "holder").unwrap_or(thread);
                it.follow(holder, "group").is_some_and(|of| it.label(of).as_deref() == Some(group))
            };
            let count = rows.iter().filter(of_group).count();
            assert_eq!(count.to_string(), words(text)["threads"], "{name}: {group}");
        }
    }
}

#[test]
fn properties_are_read_back() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let properties = logical(&it, it.held_by("java.lang.System.props"));
        for (key, message) in it.truths("property") {
            let text = |value: Value| value.object().map(|object| it.text(object));
            let of_key = |key_is: Option<Value>| key_is.and_then(text).as_deref() == Some(key);
            let values: Vec<_> = properties.entries.iter().filter(|entry| of_key(entry.key)).collect();
            let [entry] = values[..] else { panic!("{name}: {key} is there {} times", values.len()) };
            assert_eq!(text(entry.value), Some(unquoted(message)), "{name}: {key}");
        }
    }
}
