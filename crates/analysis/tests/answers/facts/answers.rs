//! Answers about finalizers, loaders, memory outside the heap and unreachable objects, compared with the program's log.

use heaplens_analysis::finalizers::{FinalizerState, finalizers};
use heaplens_analysis::loaders::loaders;
use heaplens_analysis::native_memory::OutsideHeap;
use heaplens_analysis::unreachable::Unreachable;
use heaplens_base::Task;
use heaplens_heap::native::NativeKind;
use heaplens_heap::{ObjectId, Rules};

use super::fixture::{FIXTURES, Fixture, words};

#[test]
fn finalizers_are_counted_by_state() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let facts = &it.dump.facts;
        let rows = finalizers(it.dump.data(), &Task::new()).expect("not cancelled");
        for (class, text) in it.truths("finalizer") {
            let text = words(text);
            let states = [
                (FinalizerState::Registered, "registered"),
                (FinalizerState::Waiting, "queued"),
                (FinalizerState::Running, "running"),
            ];
            for (state, word) in states {
                let of_state = rows.iter().filter(|row| row.state == state);
                let of_state = of_state.filter(|row| *facts.heap.classes.get(row.class).name == *class);
                let actual: Vec<ObjectId> = of_state.flat_map(|row| row.objects.iter().copied()).collect();
                assert_eq!(actual.len().to_string(), text[word], "{name}: {class} {word}");
                assert!(actual.iter().all(|&object| it.class_of(object) == class), "{name}: {class} {word}");
            }
        }
    }
}

#[test]
fn leaked_loaders_are_distinguished() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let rows = loaders(it.dump.data(), &Task::new()).expect("not cancelled");
        for (class, text) in it.truths("loaders") {
            let text = words(text);
            let of_class = rows.iter().filter(|row| row.duplicates.iter().any(|duplicate| duplicate == class));
            let of_class: Vec<_> = of_class.collect();
            assert_eq!(of_class.len().to_string(), text["classes"], "{name}: {class}");
            let mut names: Vec<&str> = of_class.iter().filter_map(|row| row.name.as_deref()).collect();
            let mut expected: Vec<&str> = text["loaders"].split(',').collect();
            names.sort_unstable();
            expected.sort_unstable();
            assert_eq!(names, expected, "{name}: {class}");
            let loaders = of_class.iter().filter_map(|row| row.loader);
            assert!(loaders.clone().count() == 2 && loaders.clone().all(|l| it.class_of(l) == text["class"]), "{name}");
        }
        for (loader, text) in it.truths("loader") {
            let row = rows.iter().find(|row| row.name.as_deref() == Some(loader)).expect("a row of the name");
            let object = row.loader.expect("an object");
            let holder = it.held_by(words(text)["held-by"]);
            let by_its_own = it.dump.facts.heap.class(holder).loader == Some(object);
            // A static whose value is reached only through objects of the loader does not hold it otherwise.
            assert_eq!(row.held_otherwise(), !by_its_own, "{name}: {loader} is held by {:?}", row.holder);
            assert_eq!(by_its_own, loader == "plugin-old", "{name}: {loader}");
            assert!(by_its_own || holder == object || row.holder == Some(holder), "{name}: {loader}");
        }
    }
}

#[test]
fn direct_buffers_are_counted_without_views_of_them() {
    for name in FIXTURES {
        let it = Fixture::open(name);
        let outside = OutsideHeap::of(it.dump.data());
        let direct = outside.kinds.iter().find(|sum| sum.kind == NativeKind::DirectBuffer).expect("some own memory");
        let owned =
            it.truths("direct").into_iter().map(|(_, text)| words(text)).find(|text| text.contains_key("total"));
        let owned = owned.expect("one line lists candidates");
        assert_eq!(direct.objects.to_string(), owned["count"], "{name}");
        assert_eq!(direct.bytes.0.to_string(), owned["total"], "{name}");
    }
}

/// The program drops 150 objects (see its source).
#[test]
fn unreachable_objects_are_counted_by_class() {
    for name in FIXTURES {
        let rules = Rules { keep_unreachable: true, ..Rules::default() };
        let it = Fixture::open_by(name, rules);
        let analysis = &it.dump.analysis;
        let dead = Unreachable::find(it.dump.data(), &Task::new()).expect("not cancelled");
        let rows = dead.by_class(it.dump.data(), &Task::new()).expect("not cancelled");
        let dropped: u64 = it.classes("facts.Dropped").into_iter().map(|(class, _)| rows[class.index()].objects).sum();
        assert_eq!(dropped, if it.has_garbage() { 150 } else { 0 }, "{name}");
        let objects = it.instances("facts.Dropped");
        assert!(objects.iter().all(|&object| dead.contains(object) && analysis.is_reachable(object)), "{name}");
    }
}
