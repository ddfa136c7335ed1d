//! Ages of objects and of entries: a column of tables of objects, and facts in the inspector and in findings.

use super::*;

/// Its clock is known: the sessions were added last.
const KNOWN: &str = "leaks/two-indexes-jdk17-after.hprof.gz";
/// Its clock is not known.
const UNKNOWN: &str = "leak-after.hprof.gz";

/// Objects of a class, from its first one.
fn objects_of(name: &str, class: &str) -> Harness<'static, App> {
    let mut h = window(&[fixture(name)]);
    go_to(&mut h, &format!("#{class}"));
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Objects));
    h.set_size(egui::vec2(1900.0, 900.0));
    settle(&mut h);
    h
}

#[test]
fn objects_are_sorted_by_age_newest_first() {
    let mut h = objects_of(KNOWN, "shop.web.Session");
    let chosen = |h: &Harness<'_, App>| h.state().location().and_then(|location| location.object);
    let mut ends = Vec::new();
    for _ in 0..2 {
        click(&mut h, "Sort by Age");
        settle(&mut h);
        press(&mut h, Key::Home);
        ends.push(chosen(&h).expect("the first object"));
    }
    // This heap has the order of addresses.
    let &[newest, oldest] = ends.as_slice() else { panic!("two orders: {ends:?}") };
    assert!(newest > oldest, "{newest:?} was allocated after {oldest:?}");
    assert!(has(&h, "Age: 8"), "of the oldest session, 82 % of all objects are older");
    // The command prints the same rows.
    let command = copied(&mut h, |h| h.key_press(Key::C));
    assert!(command.contains("--sort age --reverse"), "{command}");
}

#[test]
fn the_inspector_says_when_entries_were_added() {
    let mut h = window(&[fixture(KNOWN)]);
    h.state_mut().go_to_object("shop.web.TokenIndex.byToken").expect("it exists");
    settle(&mut h);
    assert!(has(&h, "Age of entries: most are newer than 84 % of objects"));
    press(&mut h, Key::F);
    // The objects of the first finding are in two maps: the evidence says when they were allocated.
    assert!(has(&h, "Finding 1: TokenIndex.byToken + UserIndex.byUser"));
    settle(&mut h);
    assert!(has(&h, "its objects are among the newest of the heap: most were allocated after 71 %"));
    // A finding about one structure shows what the inspector shows of it.
    click(&mut h, "Finding 3: Products.BY_CODE");
    assert!(has(&h, "Age of entries: most are newer than 57 % and older than 35 % of objects"));
}

#[test]
fn an_age_that_the_dump_does_not_tell_is_not_known() {
    let mut h = window(&[fixture(UNKNOWN)]);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    assert!(has(&h, "Age: not known") && has(&h, "Age of entries: not known"));
    // An object without entries has an age of its own alone.
    h.state_mut().go_to_object("desk.SessionCache.class").expect("it exists");
    settle(&mut h);
    assert!(has(&h, "Age: not known") && !has(&h, "Age of entries"));
}

#[test]
fn the_column_of_ages_is_there_where_the_window_is_wide_enough() {
    let mut h = objects_of(KNOWN, "shop.web.Session");
    assert!(has(&h, "Sort by Age"));
    h.set_size(egui::vec2(900.0, 600.0));
    settle(&mut h);
    assert!(!has(&h, "Sort by Age") && has(&h, "Sort by Retained size"));
}
