//! Names without addresses and owners, where objects are listed and looked at.

use super::*;

#[test]
fn a_name_is_copied_from_the_inspector_and_the_owner_stands_in_the_table() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // The planted holder comes first; below it is its map.
    let text = copied(&mut h, |h| h.get_by_label("Copy the name desk.SessionCache.class").click());
    assert_eq!(text, "desk.SessionCache.class");
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowRight);
    settle(&mut h);
    h.get_by_label("Copy the name desk.SessionCache.ENTRIES");
    h.get_by_label_contains("Owner");
}
