//! Reachability strengths, and objects reached only by a finalizer or not at all.

use heaplens_heap::{ObjectId, Strength};

use super::fixture::{FIXTURES, Fixture, words};

const STRENGTHS: [Strength; 5] = [Strength::Strong, Strength::Soft, Strength::Weak, Strength::Final, Strength::Phantom];

/// The weakest references that must count for an object so held to be reached.
fn needed(text: &str) -> Strength {
    match text {
        "strong" => Strength::Strong,
        "soft" => Strength::Soft,
        "weak" => Strength::Weak,
        "final" => Strength::Final,
        "phantom" => Strength::Phantom,
        other => panic!("no strength is called {other:?}"),
    }
}

#[test]
fn weak_references_count_only_if_followed() {
    for name in FIXTURES {
        for weakest in STRENGTHS {
            let it = Fixture::open_up_to(name, weakest);
            for (field, text) in it.truths("reference") {
                let text = words(text);
                let there: usize = text[if it.has_garbage() { "all" } else { "live" }].parse().expect("a number");
                let mut objects = it.instances(text["class"]);
                // Some objects with a finalizer are still held and have not been dropped.
                let stored = if text["strength"] == "final" { kept_finalizables(&it) } else { Vec::new() };
                objects.retain(|object| !stored.contains(object));
                assert_eq!(objects.len(), there, "{name}: {} of {field}", text["class"]);
                let reached = objects.iter().filter(|&&object| it.dump.analysis.is_reachable(object)).count();
                let expected = if needed(text["strength"]) <= weakest { there } else { 0 };
                assert_eq!(reached, expected, "{name}: {} of {field} up to {}", text["class"], weakest.name());
            }
        }
    }
}

fn kept_finalizables(it: &Fixture) -> Vec<ObjectId> {
    it.list(it.held_by("facts.Finalizers.KEPT"))
}

#[test]
fn referents_are_cleared_or_set_as_the_program_left_them() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (field, text) in it.truths("reference") {
            let (held, text) = (it.held_by(field), words(text));
            if it.class_of(held) != "java.util.ArrayList" || field.ends_with("KEPT") && !field.contains("_TO_") {
                continue;
            }
            let referents = it.list(held).into_iter().filter_map(|reference| it.follow(reference, "referent"));
            let referents: Vec<ObjectId> = referents.collect();
            assert_eq!(referents.len().to_string(), text[if it.has_garbage() { "all" } else { "live" }], "{field}");
            assert!(referents.iter().all(|&it_is| it.class_of(it_is) == text["class"]), "{name}: {field}");
        }
    }
}

#[test]
fn a_blocked_finalizer_delays_the_others() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        for (class, text) in it.truths("finalizer") {
            let text = words(text);
            // A waiting finalizer is in the queue and is marked as queued.
            let finalizers = it.instances("java.lang.ref.Finalizer").into_iter();
            let of_class = finalizers.filter(|&f| it.follow(f, "referent").is_some_and(|r| it.class_of(r) == class));
            let (queued, registered): (Vec<ObjectId>, Vec<ObjectId>) =
                of_class.partition(|&f| it.follow(f, "queue").is_some_and(|q| it.class_of(q).ends_with("$Null")));
            let stack = it.stack(it.thread("Finalizer"));
            let running = stack.iter().filter(|line| line.starts_with(&format!("{class}.finalize("))).count();
            // The running one was taken from the queue, or is marked as no longer in it.
            let waiting = queued.len().saturating_sub(running);
            let counts = (registered.len().to_string(), waiting.to_string(), running.to_string());
            let expected = ["registered", "queued", "running"].map(|word| text[word].to_owned());
            assert_eq!(<[String; 3]>::from(counts), expected, "{name}: {class}, {stack:?}");
        }
    }
}

#[test]
fn unreachable_objects_are_only_in_dumps_of_all_objects() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let dropped = it.instances("facts.Dropped");
        assert_eq!(dropped.len(), if it.has_garbage() { 150 } else { 0 }, "{name}");
        assert!(dropped.iter().all(|&object| !it.dump.analysis.is_reachable(object)), "{name}");
        assert!(dropped.iter().all(|&object| it.dump.analysis.retained(object).0 == 0), "{name}");
    }
}
