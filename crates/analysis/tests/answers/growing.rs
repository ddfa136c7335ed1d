//! A collection that a method is growing when the dump is written, as in a dump of an `OutOfMemoryError`: a local variable of
//! the method has its storage, and often the collection, too.

use std::fmt::Write;

use heaplens_analysis::class_owners::ClassOwnersQuestion;
use heaplens_analysis::leaks::{Group, words};
use heaplens_base::Task;
use heaplens_dump::{Dump, OpenOptions};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

/// A list of 400 orders in a static field, with local variables of `ArrayList.grow` in the main thread.
fn with_locals(locals: &[&str]) -> Dump {
    let mut text = "class desk.Order\n  field number: int\n\
         class java.util.ArrayList\n  field size: int\n  field elementData: object\n\
         class java.lang.Thread\n  field name: object\n\
         class desk.Desk\n  static ORDERS: object = orders\nroot desk.Desk class\n\
         name = \"main\"\nmain = java.lang.Thread name=name\nroot main thread 1 trace 2\n\
         trace 2 thread 1\n  frame java.util.ArrayList.grow (I)V ArrayList.java 237\n"
        .to_owned();
    let mut all = String::new();
    for number in 0..400 {
        writeln!(text, "order{number} = desk.Order number={number}").expect("a text");
        write!(all, " order{number}").expect("a text");
    }
    writeln!(text, "table = java.lang.Object[]{all}\norders = java.util.ArrayList size=400 elementData=table")
        .expect("a text");
    for local in locals {
        writeln!(text, "root {local} frame 1 0").expect("a text");
    }
    let sketch = notation::read(&text).unwrap_or_else(|why| panic!("{why}"));
    crate::open_bytes(write(&sketch, Form::MODERN), &OpenOptions::default())
}

#[test]
fn a_growing_collection_is_told_by_the_field_that_holds_it() {
    let expected = crate::leaks_of(&with_locals(&[])).remove(0);
    for locals in [&["table"][..], &["orders"], &["table", "orders"]] {
        let dump = with_locals(locals);
        let finding = crate::leaks_of(&dump).remove(0);
        assert_eq!((finding.kind, finding.group), (expected.kind, Group::Leak), "{locals:?}");
        assert_eq!(finding.fingerprint, expected.fingerprint, "{locals:?}: the verdict on one is that on the other");
        assert_eq!(finding.label, "Desk.ORDERS", "{locals:?}");
        assert_eq!(finding.collection.as_ref().map(|collection| collection.size), Some(400), "{locals:?}");
        assert_eq!(finding.frees, expected.frees, "{locals:?}");
        let remedy = words::remedy(&finding);
        assert!(
            remedy.starts_with("Cutting desk.Desk.ORDERS frees ") && remedy.contains(", once the method"),
            "{remedy}"
        );
        let path = finding.path.as_ref().expect("a path");
        assert_eq!(path.steps[0].label.as_deref(), Some("desk.Desk"), "{locals:?}: not by the local variable");
        // What is cut frees what it says.
        let cuts: Vec<_> = finding.cut.iter().map(|cut| (cut.from, cut.to)).collect();
        assert_eq!(cuts.len(), 1 + locals.len(), "{locals:?}");
        let owners = dump.data().answer(&ClassOwnersQuestion, &Task::new()).expect("not cancelled");
        let class = dump.facts.heap.classes.named("desk.Order").expect("the class");
        let rows = owners.of(class);
        let name = rows.first().and_then(|row| owners.owner(row)).and_then(|owner| owner.name.clone());
        assert_eq!((rows.len(), name.as_deref()), (1, Some("Desk.ORDERS")), "{locals:?}");
    }
}
