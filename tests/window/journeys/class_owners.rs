//! Who holds the objects of a class: the column of the histogram, its filter, and the way from an owner to its object.

use super::*;

#[test]
fn the_histogram_names_who_holds_the_bytes() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    settle(&mut h);
    assert!(has(&h, "Held by"), "the column follows the classes");
    assert!(has(&h, "Session.page 87"), "the arrays of a session have its field");
    // A class of the runtime is listed by the field that holds it.
    press(&mut h, Key::Slash);
    type_text(&mut h, "SessionCache");
    settle(&mut h);
    assert!(has(&h, "java.util.HashMap$Node 2,238 objects") && has(&h, "desk.Session 1,200 objects"));
    assert!(!has(&h, "java.util.TreeMap$Entry 250 objects"));
    // An owner leads to what its member holds.
    click(&mut h, "SessionCache.ENTRIES 100");
    let location = h.state().location().expect("a location");
    assert_eq!(location.view, View::Dominators);
    assert_eq!(chosen_class(&h), "java.util.HashMap");
}

#[test]
fn a_narrow_histogram_has_sizes_rather_than_owners() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    h.set_size(egui::vec2(700.0, 600.0));
    settle(&mut h);
    assert!(!has(&h, "Held by") && has(&h, "Shallow size") && has(&h, "Retained size"));
}
