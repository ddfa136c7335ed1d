//! Snapshots of JavaScript engines in the window: the same journeys as with a dump of a Java heap.

use super::*;

const FINAL: &str = "node/desk-final.heapsnapshot.gz";

#[test]
fn a_snapshot_says_what_its_memory_is() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Overview));
    for part in ["What the memory is", "Strings", "Code", "Detached nodes: "] {
        assert!(has(&h, part), "{part}");
    }
    // What only a Java heap has is not offered.
    for part in ["Class loaders", "Finalizers", "Not said by the dump"] {
        assert!(!has(&h, part), "{part}");
    }
}

#[test]
fn the_planted_leaks_of_a_program_are_found_and_named() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    press(&mut h, Key::F);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Leaks));
    for planted in [".sessions holds", ".routes holds", ".feed._events.price holds"] {
        assert!(has(&h, planted), "{planted}");
    }
    // From the first to where it accumulates in the tree.
    press(&mut h, Key::Enter);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Dominators));
    assert_eq!(chosen_class(&h), "Array");
    assert!(has(&h, "GC root: Snapshot Root"));
}

#[test]
fn objects_are_found_by_their_numbers_and_show_their_edges() {
    let mut h = empty();
    drop_files(&mut h, &[FINAL]);
    press(&mut h, Key::Num2);
    assert!(has(&h, "Session 400 objects"), "the histogram");
    assert!(has(&h, "Distance"));
    go_to(&mut h, "#Session");
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Objects));
    assert_eq!(chosen_class(&h), "Session");
    let object = h.state().place().and_then(|place| place.object).expect("a session");
    let dump = h.state().place().map(|place| place.dump);
    let tab = h.state().tabs().iter().find(|tab| Some(tab.key) == dump).expect("its tab");
    let id = tab.answers().expect("an open dump").heap.id_text(object);
    assert!(id.starts_with('@'), "{id}");
    press(&mut h, Key::Num3);
    go_to(&mut h, &id);
    assert_eq!(h.state().place().and_then(|place| place.object), Some(object));
    assert!(has(&h, "internal"), "edges say what they are");
}

#[test]
fn snapshots_of_one_process_are_compared_by_number() {
    let mut h = empty();
    drop_files(&mut h, &["node/desk-baseline.heapsnapshot.gz", FINAL]);
    assert_eq!(h.state().place().map(|p| p.view), Some(View::Growth));
    assert!(has(&h, ".sessions: +400 Session"), "what grew");
}
