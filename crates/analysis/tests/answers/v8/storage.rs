//! The engine's storage of a property is the same reference as the property: cuts, paths and incoming references count
//! one.

use heaplens_analysis::cuts::{Cut, WhatIf, what_if};
use heaplens_analysis::paths::finder::Finder;
use heaplens_analysis::paths::ignored::IgnoredReferences;
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_analysis::references::{Direction, references};
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::{Address, ObjectId, Strength};
use heaplens_testkit::heaps;
use heaplens_testkit::random::Random;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::sketch_conversion::snapshot;
use heaplens_testkit::v8::snapshot::Snapshot as Made;
use heaplens_testkit::v8::storage::PropertyStorage;
use heaplens_testkit::v8::write::write;

fn open(made: &Made) -> Dump {
    open_as(made, &Form::node20())
}

fn open_as(made: &Made, form: &Form) -> Dump {
    crate::open_bytes(write(made, form).as_bytes(), &OpenOptions::default())
}

fn object(dump: &Dump, made: &Made, node: usize) -> ObjectId {
    dump.facts.heap.at(Address(made.nodes[node].id)).expect("a node of the file")
}

fn cut(dump: &Dump, from: ObjectId, to: ObjectId) -> WhatIf {
    what_if(dump.data(), &[Cut::Reference { from, to }], &Task::new()).expect("not cancelled")
}

/// Paths to an object, each as ids and names of references.
fn all_paths(dump: &Dump, object: ObjectId) -> Vec<Vec<(String, Option<String>)>> {
    let options = PathOptions::default().count(8).max_listed_at_end(100);
    let actual = paths(dump.data(), object, options, &Task::new()).expect("not cancelled");
    actual.into_iter().map(|path| path.steps.into_iter().map(|step| (step.id, step.reference)).collect()).collect()
}

/// Incoming references of an object: id of the referrer, and name; and the number of referrers.
fn incoming(dump: &Dump, object: ObjectId) -> (Vec<(String, String)>, u64) {
    let heap = &*dump.facts.heap;
    let actual = references(dump.data(), object, Direction::Incoming, 1_000, &Task::new());
    let actual = actual.expect("not cancelled");
    (actual.rows.into_iter().map(|row| (heap.id_text(row.object), row.name.text)).collect(), actual.objects)
}

/// The root, and a global object with an object `owner` of a kind.
fn small(kind: &'static str) -> (Made, usize, usize) {
    let mut made = Made::default();
    let root = made.add("synthetic", "", 1, 0);
    let machine = made.add("synthetic", "(GC roots)", 3, 0);
    let global = made.add("object", "global", 5, 10);
    let owner = made.add(kind, "Owner", 7, 20);
    made.number(root, "element", 1, machine);
    made.name(root, "shortcut", "0: global", global);
    made.number(machine, "element", 1, global);
    made.name(global, "property", "owner", owner);
    (made, global, owner)
}

/// Adds a value with parts to a node: 100 bytes in all.
fn value(made: &mut Made, id: u64) -> usize {
    let (held, part) = (made.add("object", "Held", id, 60), made.add("object", "Part", id + 2, 40));
    made.name(held, "property", "part", part);
    held
}

/// The reference from one node to another is one: cutting it frees the value, and it is the only path.
fn check_single(made: &Made, (from, to): (usize, usize), name: &str) {
    for form in [Form::node20(), Form::chromium()] {
        let dump = open_as(made, &form);
        let (from, held) = (object(&dump, made, from), object(&dump, made, to));
        let answer = cut(&dump, from, held);
        assert_eq!((answer.freed.shallow, answer.references), (Bytes(100), 1), "{name}: {answer}");
        assert_eq!((answer.still_held.shallow, answer.other_references), (Bytes(0), 0), "{name}: {answer}");
        let actual = all_paths(&dump, held);
        assert_eq!(actual.len(), 1, "{name}: {actual:?}");
        assert_eq!(actual[0].last().and_then(|step| step.1.as_deref()), Some(name));
        let id = dump.facts.heap.id_text(from);
        assert_eq!(incoming(&dump, held), (vec![(id, name.to_owned())], 1));
        // A cut of an object counts the references to it once each.
        let complete = what_if(dump.data(), &[Cut::Object(held)], &Task::new()).expect("not cancelled");
        assert_eq!((complete.freed.shallow, complete.references), (Bytes(100), 1), "{name}");
    }
}

#[test]
fn a_property_of_each_form_is_one_reference() {
    for kind in ["object", "closure"] {
        for storage in [PropertyStorage::Array, PropertyStorage::Dictionary, PropertyStorage::Cells] {
            let (mut made, _, owner) = small(kind);
            let (held, other) = (value(&mut made, 21), value(&mut made, 31));
            made.name(owner, "property", "held", held);
            made.name(owner, "property", "other", other);
            made.store_properties(owner, storage);
            check_single(&made, (owner, held), "held");
        }
    }
}

#[test]
fn an_element_of_each_form_is_one_reference() {
    for is_sparse in [false, true] {
        let (mut made, _, owner) = small("object");
        made.nodes[owner].name = "Array".into();
        let (held, other) = (value(&mut made, 21), value(&mut made, 31));
        made.number(owner, "element", 0, held);
        made.number(owner, "element", 7, other);
        made.store_elements(owner, is_sparse);
        check_single(&made, (owner, held), "[0]");
    }
}

#[test]
fn an_accessor_is_one_reference() {
    let (mut made, _, owner) = small("object");
    let held = value(&mut made, 21);
    made.name(owner, "property", "held", held);
    made.store_accessor(owner, 0);
    check_single(&made, (owner, held), "get held");
}

#[test]
fn a_prototype_is_one_reference_of_its_function_and_one_of_each_instance() {
    let (mut made, global, owner) = small("closure");
    let held = value(&mut made, 21);
    let map = made.add("object shape", "system / Map", 41, 0);
    made.name(owner, "property", "prototype", held);
    made.name(owner, "internal", "initial_map", map);
    made.name(map, "internal", "prototype", held);
    check_single(&made, (owner, held), "prototype");
    let instance = made.add("object", "Owner", 43, 8);
    made.name(global, "property", "instance", instance);
    made.name(instance, "property", "__proto__", held);
    made.name(instance, "internal", "map", map);
    let dump = open(&made);
    let (owner, held) = (object(&dump, &made, owner), object(&dump, &made, held));
    let answer = cut(&dump, owner, held);
    assert_eq!((answer.freed.objects, answer.other_references), (0, 1), "{answer}");
    assert_eq!(answer.other_holders[0].reference.as_deref(), Some("__proto__"));
}

#[test]
fn shared_elements_are_a_reference_of_each_array() {
    let (mut made, global, one) = small("object");
    let (two, held) = (made.add("object", "Array", 11, 20), value(&mut made, 21));
    made.name(global, "property", "two", two);
    made.number(one, "element", 0, held);
    made.store_elements(one, false);
    let store = made.nodes.len() - 1;
    made.number(two, "element", 0, held);
    made.name(two, "internal", "elements", store);
    let dump = open(&made);
    let [one, two, store, held] = [one, two, store, held].map(|node| object(&dump, &made, node));
    assert_eq!(all_paths(&dump, held).len(), 2);
    assert_eq!(incoming(&dump, held).1, 2);
    let answer = cut(&dump, one, held);
    assert_eq!((answer.freed.objects, answer.references, answer.other_references), (0, 1, 1), "{answer}");
    assert_eq!(answer.other_holders[0].cut, Cut::Reference { from: two, to: held });
    // The storage stands for both.
    let answer = cut(&dump, store, held);
    assert_eq!((answer.freed.shallow, answer.references, answer.other_references), (Bytes(100), 2, 0), "{answer}");
}

#[test]
fn what_else_holds_a_storage_counts() {
    let (mut made, _, owner) = small("object");
    let held = value(&mut made, 21);
    made.number(owner, "element", 0, held);
    made.store_elements(owner, false);
    let store = made.nodes.len() - 1;
    // The engine is at work on the elements; without objects of a page, references of the engine retain.
    made.number(1, "element", 2, store);
    made.nodes[0].edges.retain(|edge| edge.kind != "shortcut");
    let dump = open(&made);
    let [owner, store, held] = [owner, store, held].map(|node| object(&dump, &made, node));
    let answer = cut(&dump, owner, held);
    assert_eq!((answer.freed.objects, answer.other_references), (0, 1), "{answer}");
    assert_eq!(answer.other_holders[0].cut, Cut::Reference { from: store, to: held });
    assert_eq!((all_paths(&dump, held).len(), incoming(&dump, held).1), (2, 2));
}

#[test]
fn a_storage_without_the_property_is_shown() {
    let (mut made, _, owner) = small("object");
    let held = value(&mut made, 21);
    made.name(owner, "property", "held", held);
    made.store_properties(owner, PropertyStorage::Array);
    made.nodes[owner].edges.retain(|edge| edge.kind != "property");
    let dump = open(&made);
    let [held, store] = [held, made.nodes.len() - 1].map(|node| object(&dump, &made, node));
    assert_eq!((all_paths(&dump, held).len(), incoming(&dump, held).1), (1, 1));
    assert_eq!(cut(&dump, store, held).freed.shallow, Bytes(100));
}

#[test]
fn an_entry_of_a_map_is_another_reference_than_a_property() {
    let (mut made, _, owner) = small("object");
    let held = value(&mut made, 21);
    let table = made.add("array", "", 41, 0);
    made.name(owner, "property", "held", held);
    made.store_properties(owner, PropertyStorage::Array);
    made.name(owner, "internal", "table", table);
    made.name(table, "internal", "6", held);
    let dump = open(&made);
    let [owner, table, held] = [owner, table, held].map(|node| object(&dump, &made, node));
    let answer = cut(&dump, owner, held);
    assert_eq!((answer.freed.objects, answer.other_references), (0, 1), "{answer}");
    assert_eq!(answer.other_holders[0].cut, Cut::Reference { from: table, to: held });
    assert_eq!(incoming(&dump, held).1, 2);
}

/// Cutting a reference frees exactly what the same heap lacks if it is written without the reference, and what else
/// holds the value is as in the heap that has no storage.
#[test]
fn cutting_a_reference_frees_what_the_heap_written_without_it_lacks() {
    let (mut freed, mut held, mut stored_cuts) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let sketch = heaps::random(seed, 40);
        let plain = snapshot(&sketch, |id| 8 + id % 8);
        let mut made = plain.clone();
        let stored = made.store_all(&mut random);
        let dump = open(&made);
        let sum = |dump: &Dump| dump.analysis.shown;
        for _ in 0..12 {
            let any = random.below(made.nodes.len() as u32) as usize;
            let from = if random.one_in(2) && !stored.is_empty() { random.pick(&stored).owner } else { any };
            let edges: Vec<usize> =
                made.nodes[from].edges.iter().filter(|edge| edge.kind != "weak").map(|edge| edge.to).collect();
            // The program can change references of its own objects.
            if edges.is_empty() || made.nodes[from].kind != "object" {
                continue;
            }
            let to = *random.pick(&edges);
            if to == from {
                continue;
            }
            let answer = cut(&dump, object(&dump, &made, from), object(&dump, &made, to));
            let without = open(&made.without(from, to, &stored).collected());
            let (all, left) = (sum(&dump), sum(&without));
            assert_eq!(answer.freed.objects, all.objects - left.objects, "seed {seed}: {from} to {to}: {answer}");
            assert_eq!(answer.freed.shallow.0, all.shallow.0 - left.shallow.0, "seed {seed}: {from} to {to}");
            stored_cuts += u32::from(stored.iter().any(|edge| edge.owner == from && edge.to == to));
            freed += u32::from(answer.freed.objects > 0);
            held += u32::from(answer.other_references > 0);
        }
    }
    assert!(freed > 100 && held > 100 && stored_cuts > 100, "{freed}, {held}, {stored_cuts}");
}

/// Paths, alternatives, incoming references and what still holds a value are those of the heap without storage.
#[test]
fn a_heap_with_storage_answers_as_the_heap_without_it() {
    let mut references_compared = 0;
    for seed in 300..400 {
        let mut random = Random::new(seed);
        let plain = snapshot(&heaps::random(seed, 40), |id| 8 + id % 8);
        let mut made = plain.clone();
        for owner in 0..plain.nodes.len() {
            if plain.nodes[owner].kind == "object" {
                made.store_properties(owner, *random.pick(&heaplens_testkit::v8::storage::PROPERTY_STORAGES));
                made.store_elements(owner, random.one_in(2));
            }
        }
        let (without, with) = (open(&plain), open(&made));
        let pair = |node: usize| (object(&without, &plain, node), object(&with, &made, node));
        let choices = |dump: &Dump, object: ObjectId| {
            let ignoring = IgnoredReferences::default();
            let finder = Finder::new(dump.data(), Strength::Strong, &ignoring);
            finder.choices(object, None, &Task::new()).expect("not cancelled")
        };
        for node in 2..plain.nodes.len() {
            let (one, two) = pair(node);
            assert_eq!(all_paths(&without, one), all_paths(&with, two), "seed {seed}: paths to {node}");
            assert_eq!(incoming(&without, one), incoming(&with, two), "seed {seed}: referrers of {node}");
            assert_eq!(choices(&without, one), choices(&with, two), "seed {seed}: alternatives of {node}");
            for edge in &plain.nodes[node].edges {
                let (to_one, to_two) = pair(edge.to);
                let (one, two) = (cut(&without, one, to_one), cut(&with, two, to_two));
                let counts =
                    |of: &WhatIf| (of.references, of.freed.shallow, of.still_held.shallow, of.other_references);
                assert_eq!(counts(&one), counts(&two), "seed {seed}: {node} to {}", edge.to);
                references_compared += 1;
            }
        }
    }
    assert!(references_compared > 3_000, "{references_compared}");
}

/// A global variable with an array of 3,000 objects: one reference is cut, from the global object or the array's holder.
#[test]
fn a_finding_cuts_the_property_once() {
    let (mut made, global, owner) = small("object");
    made.nodes[owner].name = "Array".into();
    for at in 0..3_000_u32 {
        let id = 1_001 + 4 * u64::from(at);
        let (held, part) = (made.add("object", "Held", id, 400), made.add("object", "Part", id + 2, 40));
        made.name(held, "property", "part", part);
        made.number(owner, "element", at, held);
    }
    made.store_elements(owner, false);
    made.store_properties(global, PropertyStorage::Cells);
    let dump = open(&made);
    let [global, owner] = [global, owner].map(|node| object(&dump, &made, node));
    let findings = crate::leaks_of(&dump);
    let first = findings.first().expect("a finding");
    let cuts: Vec<_> = first.cut.iter().map(|cut| (cut.from, cut.to, cut.reference.as_str(), cut.times)).collect();
    assert_eq!(cuts, [(global, owner, "owner", 1)], "{first:?}");
    assert!(first.frees >= Bytes(3_000 * 440), "{first:?}");
}
