//! References of the engine to objects of the page: they retain an object as soon as the page does not own it.

use heaplens_analysis::cuts::{Cut, SmallestCut, WhatIf, excluded_references, smallest_cut, what_if};
use heaplens_base::storage::MemoryBudget;
use heaplens_base::{Bytes, Task};
use heaplens_dump::{Dump, OpenOptions};
use heaplens_heap::reach::Holder;
use heaplens_heap::{Address, ObjectId};
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::v8::write::write;

const ROOT: usize = 0;
const GLOBAL: u64 = 5;
const HANDLE: u64 = 7;
const HELD: u64 = 9;
const PART: u64 = 11;

/// A global variable with an object of 60 bytes, whose part has 40; the engine has a handle to the node `to`.
fn snapshot(to: u64) -> Snapshot {
    let mut made = Snapshot::default();
    made.add("synthetic", "", 1, 0);
    let machine = made.add("synthetic", "(GC roots)", 3, 0);
    let global = made.add("object", "global", GLOBAL, 10);
    let handle = made.add("hidden", "system / Handle", HANDLE, 5);
    let held = made.add("object", "Held", HELD, 60);
    let part = made.add("object", "Part", PART, 40);
    made.number(ROOT, "element", 1, machine);
    made.name(ROOT, "shortcut", "0: global", global);
    made.number(machine, "element", 1, global);
    made.number(machine, "element", 2, handle);
    made.name(global, "property", "held", held);
    made.name(held, "property", "part", part);
    made.name(handle, "internal", "value", if to == HELD { held } else { part });
    made
}

fn open(made: &Snapshot) -> Dump {
    crate::open_bytes(write(made, &Form::node20()).as_bytes(), &OpenOptions::default())
}

fn object(dump: &Dump, id: u64) -> ObjectId {
    dump.facts.heap.at(Address(id)).expect("a node of the file")
}

fn reference(dump: &Dump, from: u64, to: u64) -> Cut {
    Cut::Reference { from: object(dump, from), to: object(dump, to) }
}

/// Effect of the cuts; retained sizes of all nodes in the heap after them.
fn after(dump: &Dump, cuts: &[Cut]) -> (WhatIf, Vec<(u64, u64)>) {
    let task = &Task::new();
    let answer = what_if(dump.data(), cuts, task).expect("not cancelled");
    let excluded = excluded_references(dump.data(), cuts, task).expect("not cancelled");
    let after = dump.without(&excluded, &MemoryBudget::default(), task).expect("a heap");
    let of = |&id: &u64| (id, after.retained_size(object(&after, id)).0);
    let sizes: Vec<_> = [GLOBAL, HANDLE, HELD, PART].iter().map(of).collect();
    assert_eq!(answer.freed.shallow, answer.of.shallow - after.analysis.shown.shallow);
    (answer, sizes)
}

#[test]
fn an_object_with_a_handle_is_not_freed() {
    let dump = open(&snapshot(HELD));
    assert_eq!(dump.retained_size(object(&dump, HELD)), Bytes(100));
    assert_eq!(dump.retained_size(object(&dump, HANDLE)), Bytes(5));
    let (answer, sizes) = after(&dump, &[reference(&dump, GLOBAL, HELD)]);
    assert_eq!(
        (answer.freed.objects, answer.still_held.shallow, answer.other_references),
        (0, Bytes(100), 1),
        "{answer}"
    );
    let holder = &answer.other_holders[0];
    assert_eq!(holder.holder, Holder::Object(object(&dump, HANDLE)));
    assert_eq!(holder.reference.as_deref(), Some("<value>"));
    assert_eq!(sizes, [(GLOBAL, 10), (HANDLE, 105), (HELD, 100), (PART, 40)]);
    // Without that one, too, it is.
    let (answer, sizes) = after(&dump, &[reference(&dump, GLOBAL, HELD), holder.cut.clone()]);
    assert_eq!((answer.freed.shallow, answer.other_references), (Bytes(100), 0), "{answer}");
    assert_eq!(sizes, [(GLOBAL, 10), (HANDLE, 5), (HELD, 0), (PART, 0)]);
    // Alone, it changes nothing.
    let (answer, _) = after(&dump, &[reference(&dump, HANDLE, HELD)]);
    assert_eq!((answer.freed.objects, answer.references), (0, 1), "{answer}");
}

#[test]
fn a_part_with_a_handle_is_not_freed() {
    let dump = open(&snapshot(PART));
    for cuts in [vec![reference(&dump, GLOBAL, HELD)], vec![Cut::Object(object(&dump, HELD))]] {
        let (answer, sizes) = after(&dump, &cuts);
        assert_eq!((answer.freed.shallow, answer.freed.objects), (Bytes(60), 1), "{answer}");
        assert_eq!(sizes, [(GLOBAL, 10), (HANDLE, 45), (HELD, 0), (PART, 40)]);
    }
    // A heap after other cuts is cut again.
    let (answer, _) = after(&dump, &[Cut::Object(object(&dump, HELD)), Cut::Object(object(&dump, PART))]);
    assert_eq!((answer.freed.shallow, answer.freed.objects), (Bytes(100), 2), "{answer}");
}

#[test]
fn no_removal_of_the_program_frees_what_has_a_handle() {
    let smallest = |dump: &Dump, id| smallest_cut(dump.data(), object(dump, id), &Task::new()).expect("not cancelled");
    let dump = open(&snapshot(HELD));
    assert_eq!(smallest(&dump, HELD), SmallestCut::HeldByEngine);
    let dump = open(&snapshot(PART));
    assert_eq!(smallest(&dump, HELD), SmallestCut::References(vec![reference(&dump, GLOBAL, HELD)]));
    assert_eq!(smallest(&dump, PART), SmallestCut::HeldByEngine);
}

#[test]
fn tables_of_strings_and_what_is_in_use_for_the_moment_hold_nothing() {
    for table in ["(Internalized strings)", "(External strings)", "(Stack roots)", "(Handle scope)"] {
        let mut made = snapshot(PART);
        let handle = made.nodes.iter().position(|node| node.id == HANDLE).expect("the handle");
        (made.nodes[handle].kind, made.nodes[handle].name) = ("synthetic", table.into());
        let dump = open(&made);
        let (answer, sizes) = after(&dump, &[reference(&dump, GLOBAL, HELD)]);
        assert_eq!((answer.freed.shallow, answer.freed.objects), (Bytes(100), 2), "{answer}");
        assert_eq!(sizes, [(GLOBAL, 10), (HANDLE, 5), (HELD, 0), (PART, 0)]);
    }
}

#[test]
fn an_identity_map_of_the_engine_holds_nothing() {
    let mut made = snapshot(PART);
    let node = |made: &Snapshot, id: u64| made.nodes.iter().position(|node| node.id == id).expect("a node");
    let (handle, held) = (node(&made, HANDLE), node(&made, HELD));
    (made.nodes[handle].kind, made.nodes[handle].name) = ("synthetic", "(Strong roots)".into());
    made.name(handle, "internal", "36 / IdentityMapBase", held);
    let dump = open(&made);
    let (answer, _) = after(&dump, &[reference(&dump, GLOBAL, HELD), reference(&dump, HANDLE, PART)]);
    assert_eq!((answer.freed.shallow, answer.freed.objects), (Bytes(100), 2), "{answer}");
}
