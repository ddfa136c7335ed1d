//! Journeys with verdicts: the user marks a class, an object or a field as expected or leaking, sees the mark in every
//! view, and removes it.

use super::*;

fn options(file: &Path) -> OpenOptions {
    OpenOptions { verdicts_file: Some(file.to_owned()), ..OpenOptions::default() }
}

fn say(h: &mut Harness<'_, App>, why: &str) {
    press(h, Key::V);
    type_text(h, why);
    press(h, Key::Enter);
}

#[test]
fn a_verdict_on_a_class_applies_to_its_accumulation() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("verdicts.txt");
    let mut h = window_with(&[fixture("leak-after.hprof.gz")], options(&file));
    look_at(&mut h, View::Histogram);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::V);
    h.get_by_label("Class: desk.Session");
    type_text(&mut h, "one for each user");
    press(&mut h, Key::Enter);
    h.get_by_label("desk.Session 1,200 objects, expected");
    let written = std::fs::read_to_string(&file).expect("the verdicts");
    assert!(written.ends_with("\nexpected  desk.Session  # one for each user\n"), "{written}");
    press(&mut h, Key::F);
    h.get_by_label_contains("Finding 1: OrderDesk.orders");
    // Expected findings come last.
    press(&mut h, Key::End);
    h.get_by_label_contains("Expected: 1, ");
    // The overview shows it, too, and links to it.
    press(&mut h, Key::Num1);
    h.get_by_label_contains("Holders: OrderDesk.orders holds");
    assert!(h.query_by_label_contains(": SessionCache.ENTRIES holds").is_none());
    let expected = "desk.SessionCache.ENTRIES one for each user 5.4 MB";
    h.get_by_label_contains(expected).scroll_to_me();
    settle(&mut h);
    click(&mut h, expected);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Leaks));
    // Taken back, it is a leak again.
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut h);
    h.get_by_label_contains("Finding 1: SessionCache.ENTRIES");
    assert!(h.query_by_label_contains("Expected: 1, ").is_none());
    assert!(!std::fs::read_to_string(&file).expect("the verdicts").contains("one for each user"));
}

#[test]
fn a_verdict_on_an_object_marks_it_in_every_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("verdicts.txt");
    let mut h = window_with(&[fixture("leak-before.hprof.gz")], options(&file));
    go_to(&mut h, "desk.SessionCache.ENTRIES");
    press(&mut h, Key::V);
    // Object, class, and holding field: the user selects the target.
    h.get_by_label("Object: desk.SessionCache.ENTRIES");
    h.get_by_label("Class: java.util.HashMap");
    type_text(&mut h, "nobody ever leaves");
    h.get_by_label("Leaking").click();
    settle(&mut h);
    h.get_by_label("Save").click();
    settle(&mut h);
    h.get_by_label("Your verdict on desk.SessionCache.ENTRIES: leaking, nobody ever leaves");
    let marked = |h: &Harness<'_, App>| h.query_all_by_label_contains(", leaking").count();
    assert!(marked(&h) > 0, "its row is marked");
    // The next dump: the finding, its children, and the list of all verdicts.
    let mut h = window_with(&[fixture("leak-after.hprof.gz")], options(&file));
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    assert!(marked(&h) > 0, "it is marked in the next dump");
    press(&mut h, Key::F);
    h.get_by_label_contains("Your rule desk.SessionCache.ENTRIES marks it as leaking: nobody ever leaves");
    h.key_press_modifiers(Modifiers::SHIFT, Key::V);
    settle(&mut h);
    h.get_by_label("Leaking: desk.SessionCache.ENTRIES nobody ever leaves");
    h.get_by_label("Delete desk.SessionCache.ENTRIES").click();
    settle(&mut h);
    h.get_by_label_contains("No verdicts yet: press V");
    press(&mut h, Key::Escape);
    assert!(h.query_by_label_contains("Your rule").is_none());
    assert!(!std::fs::read_to_string(&file).expect("the verdicts").contains("nobody ever leaves"));
}

#[test]
fn a_verdict_on_a_path_step_is_stored_by_field() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    go_to(&mut h, "desk.SessionCache.ENTRIES.table");
    // Keys select a path step: first the last one, the table; then the one before it, a static.
    press(&mut h, Key::F2);
    press(&mut h, Key::V);
    h.get_by_label("Field that holds it: java.util.HashMap.table").click();
    settle(&mut h);
    press(&mut h, Key::Escape);
    press(&mut h, Key::ArrowUp);
    press(&mut h, Key::V);
    h.get_by_label("Object: desk.SessionCache.ENTRIES");
    assert!(h.query_by_label_contains("Field that holds it").is_none(), "it is called as the object is");
    press(&mut h, Key::Escape);
    // From the menu of an object, without navigating there.
    press(&mut h, Key::F3);
    let row = h.get_all_by_role(egui::Role::TreeItem).find(|row| {
        let label = row.accesskit_node().label().unwrap_or_default();
        label.starts_with("java.lang.Class desk.SessionCache") || label.starts_with("class desk.SessionCache")
    });
    row.expect("the class").click_secondary();
    settle(&mut h);
    click(&mut h, "Set verdict…");
    h.get_by_label("Class: desk.SessionCache");
    type_text(&mut h, "by hand");
    press(&mut h, Key::Enter);
    press(&mut h, Key::F);
    press(&mut h, Key::End);
    h.get_by_label_contains("Your rule desk.SessionCache marks it as expected: by hand");
}

#[test]
fn consecutive_verdicts_are_all_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("verdicts.txt");
    let mut h = window_with(&[fixture("leak-after.hprof.gz")], options(&file));
    press(&mut h, Key::F);
    say(&mut h, "first");
    say(&mut h, "second");
    let written = std::fs::read_to_string(&file).expect("the verdicts");
    let lines: Vec<&str> = written.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert_eq!(lines.len(), 1, "the finding stays the one that is looked at: {written}");
    assert!(lines[0].starts_with("leaking   desk.SessionCache.ENTRIES") && lines[0].ends_with("second"), "{written}");
    h.get_by_label("Verdicts: 1…").click();
    settle(&mut h);
    h.get_by_label("Change…").click();
    settle(&mut h);
    h.get_by_label("Rule: desk.SessionCache.ENTRIES");
    press(&mut h, Key::Escape);
}
