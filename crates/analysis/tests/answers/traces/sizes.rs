//! Retained size of leaking objects in bytes as in Shark: fields and elements, no headers, each object once.

use super::{found_with, report_of};

#[test]
fn retained_bytes_are_those_of_shark() {
    let of = |fields: &str, values: &str, more: &str| {
        let heap = format!(
            "class Leaking\n{fields}\nclass GcRoot\n  static leaking: object = leaking\n  static other: object = other\n\
             leaking = Leaking {values}\nroot GcRoot class\nother = java.lang.Object\n{more}"
        );
        let report = report_of(&heap, &["leaking"]);
        (report.leaks[0].retained().0, report.leaks[0].traces[0].objects)
    };
    let integer =
        "class java.lang.Integer\n  field value: int\none = java.lang.Integer value=1\ntwo = java.lang.Integer";
    assert_eq!(of("", "", ""), (0, 1));
    assert_eq!(of("  field n: long", "n=1", ""), (8, 1));
    assert_eq!(of("  field f: object", "f=chars", "chars = char[] 52 50"), (8, 2));
    assert_eq!(of("  field f: object", "f=text", "text = \"42\""), (16, 2));
    assert_eq!(of("  field f: object", "f=one", integer), (8, 2));
    let boxes = format!("{integer}\nboxes = java.lang.Integer[] one two");
    assert_eq!(of("  field f: object", "f=boxes", &boxes), (20, 2));
    let objects = "a = java.lang.Object\nb = java.lang.Object\nall = java.lang.Object[] a b";
    assert_eq!(of("  field f: object", "f=all", objects), (12, 4));
    assert_eq!(of("  field f: object", "f=other", ""), (4, 1));
}

#[test]
fn retained_bytes_include_inherited_fields() {
    let of = |heap: &str| {
        let report =
            report_of(&format!("class GcRoot\n  static it: object = leaking\nroot GcRoot class\n{heap}"), &["leaking"]);
        (report.leaks[0].retained().0, report.leaks[0].traces[0].objects)
    };
    let forty = "
        class Two
          field text: object
        class Forty
          field two: object
        class Leaking
          field forty: object
        text = \"42\"
        two = Two text=text
        forty = Forty two=two
        leaking = Leaking forty=forty";
    assert_eq!(of(forty), (24, 4));
    let inherited = "
        class Parent
          field long: long
        class Child extends Parent
          field int: int
        class Leaking
          field child: object
        child = Child int=1
        leaking = Leaking child=child";
    assert_eq!(of(inherited), (16, 2));
    let everything = "
        class Fiber
          field life: object
        class Towel
          field fiber: object
        class Leaking
          field life: object
          field universe: object
        class Other
          static towel: object = towel
          static universe: object = text
        class Life
          field it: object
        root Other class
        text = \"42\"
        life = Life it=text
        fiber = Fiber life=life
        towel = Towel fiber=fiber
        own = Life it=text
        leaking = Leaking life=life universe=own";
    // Shark up to 2.14 approximated dominators, and reported 24.
    assert_eq!(of(everything), (12, 2));
}

#[test]
fn nothing_is_counted_twice() {
    let bytes = |heap: &str, watched: &[&str]| -> Vec<u64> {
        report_of(heap, watched).leaks.iter().map(|leak| leak.retained().0).collect()
    };
    let shared = "
        class Leaking1
          field text: object
        class Leaking2
          field text: object
        text = \"42\"
        first = Leaking1 text=text
        second = Leaking2 text=text
        class GcRoot
          static a: object = first
          static b: object = second
        root GcRoot class";
    assert_eq!(bytes(shared, &["first", "second"]), [16, 4]);
    let family = "
        class Child
          field long: long
        class Parent
          field int: int
          field child: object
        class GrandParent
          field short: short
          field child: object
        child = Child long=1
        parent = Parent child=child
        grand = GrandParent child=parent
        class GcRoot
          static it: object = grand
        root GcRoot class";
    assert_eq!(bytes(family, &["grand", "parent", "child"]), [22]);
    let held = "
        class Child
          field text: object
        class Parent
          field child: object
        class Holder
          field child: object
        text = \"42\"
        child = Child text=text
        parent = Parent child=child
        holder = Holder child=child
        class GcRoot
          static a: object = parent
          static b: object = holder
        root GcRoot class";
    assert_eq!(bytes(held, &["parent", "child"]), [4, 16]);
}

#[test]
fn local_variables_belong_to_their_thread() {
    let heap = "
        class java.lang.Thread
          field name: object
        name = \"worker\"
        thread = java.lang.Thread name=name
        numbers = long[] 1 2 3
        class GcRoot
          static it: object = thread
        root GcRoot class
        root thread thread 7
        root numbers frame 7 0";
    let report = found_with(heap, &["thread"], "");
    // The reference to its name, the name with its characters, three numbers.
    assert_eq!(report.leaks[0].retained().0, 4 + (4 + 4 + 12) + 24);
}
