//! Names in heaps of costly shapes: cached parts of names change no name, and the names of all objects do not take the
//! square of their number.

use std::fmt::Write as _;
use std::sync::Arc;

use heaplens_base::Task;
use heaplens_heap::ObjectId;

use super::Named;

/// The names of all objects in one index equal those of some of them in an index of their own.
fn names_are_those_of_a_new_index(named: &Named, step: usize) {
    let heap = &*named.dump.facts.heap;
    let names: Vec<Option<String>> = heap.objects().map(|object| named.name(object)).collect();
    for row in (0..names.len()).step_by(step) {
        let object = ObjectId::new(row).expect("a row");
        let anew = named.dump.with_answers(Arc::default(), None);
        let namer = anew.namer(&Task::new()).expect("not cancelled");
        assert_eq!(namer.name(object, &Task::new()).expect("not cancelled"), names[row], "{object:?}");
    }
}

/// Every list is a collection inside another one, so that no name ended far from a collection.
#[test]
fn nested_lists_have_the_same_names_one_by_one_and_together() {
    const DEPTH: usize = 4_000;
    let mut sketch = "class java.util.ArrayList
           field elementData: object
           field size: int
         class a.Holder
           static it: object = list0
         root a.Holder class\n"
        .to_owned();
    for at in 0..DEPTH {
        let _ = writeln!(sketch, "list{at} = java.util.ArrayList elementData=array{at} size=1");
        let _ = writeln!(sketch, "array{at} = java.lang.Object[] list{}", at + 1);
    }
    let _ = writeln!(sketch, "list{DEPTH} = java.lang.Object");
    names_are_those_of_a_new_index(&Named::sketched(&sketch), 997);
}

#[test]
fn a_deep_chain_with_irregular_steps_has_the_same_names() {
    const DEPTH: usize = 6_000;
    let mut sketch = "class a.Node
           field left: object
           field right: object
         class a.Holder
           static it: object = node0
         root a.Holder class\n"
        .to_owned();
    for at in 0..DEPTH {
        let side = if (at * at / 7) % 3 == 0 { "left" } else { "right" };
        let _ = writeln!(sketch, "node{at} = a.Node {side}=node{}", at + 1);
    }
    let _ = writeln!(sketch, "node{DEPTH} = a.Node");
    names_are_those_of_a_new_index(&Named::sketched(&sketch), 997);
}

/// The references of a wide object are sorted after some questions: the answers stay the same.
#[test]
fn references_of_wide_objects_keep_their_names() {
    const WIDTH: usize = 700;
    let mut sketch = "class a.Base\n field f0: object\n field own: object\n".to_owned();
    let _ = writeln!(sketch, "class a.Wide extends a.Base");
    (0..WIDTH).for_each(|at| {
        let _infallible = writeln!(sketch, "  field f{at}: object");
    });
    let _ = writeln!(sketch, "class a.Holder\n  static it: object = wide\n  static all: object = array");
    (0..WIDTH).for_each(|at| {
        let _infallible = writeln!(sketch, "  static s{at}: object = leaf{}", at % 600);
    });
    let _ = writeln!(sketch, "root a.Holder class");
    (0..600).for_each(|at| {
        let _infallible = writeln!(sketch, "leaf{at} = java.lang.Object");
    });
    sketch.push_str("wide = a.Wide own=leaf3");
    (0..WIDTH).for_each(|at| {
        let _infallible = write!(sketch, " f{at}=leaf{}", at % 600);
    });
    sketch.push_str("\narray = java.lang.Object[] null");
    (0..WIDTH).for_each(|at| {
        let _infallible = write!(sketch, " leaf{}", at * 7 % 600);
    });
    sketch.push('\n');
    let named = Named::sketched(&sketch);
    let heap = &*named.dump.facts.heap;
    let holder = named.resolve("a.Holder.class");
    let holders = [holder, named.resolve("a.Holder.it"), named.resolve("a.Holder.all")];
    let leaves: Vec<ObjectId> = [0, 3, 99, 599].map(|at| named.resolve(&format!("a.Holder.s{at}"))).into();
    for from in holders {
        let fresh = heaplens_dump::open_with(
            crate::temporary_file(heaplens_testkit::hprof::write(
                &heaplens_testkit::notation::read(&sketch).expect("a heap"),
                heaplens_testkit::hprof::Form::MODERN,
            ))
            .path(),
            &heaplens_dump::OpenOptions::default(),
            &Task::new(),
        )
        .expect("a dump");
        // The first questions of a new dump read all references.
        let scanned: Vec<_> =
            leaves.iter().map(|&to| fresh.facts.contents.reference_names(heap, from, to, 9)).collect();
        for _ in 0..3 {
            let sorted: Vec<_> =
                leaves.iter().map(|&to| named.dump.facts.contents.reference_names(heap, from, to, 9)).collect();
            assert_eq!(sorted, scanned, "{from:?}");
        }
        assert!(scanned.iter().all(|names| !names.is_empty()));
    }
}
