//! Path journeys: alternative paths, ignored references, merged paths.

use super::*;

/// The steps of the path on screen.
fn steps(h: &Harness<'_, App>) -> Vec<String> {
    h.query_all_by_label_contains("Step ").filter_map(|n| n.accesskit_node().label()).collect()
}

/// Clicks the row whose label begins with `start`, not its disclosure button.
fn click_row(h: &mut Harness<'_, App>, start: &str) {
    let starts = |n: &egui_kittest::Node<'_>| n.accesskit_node().label().is_some_and(|l| l.starts_with(start));
    h.query_all_by_label_contains(start).find(starts).expect(start).click();
    settle(h);
}

#[test]
fn the_next_path_leads_through_another_holder_and_back() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = steps(&h);
    assert!(first.len() > 1, "{first:?}");
    click(&mut h, "Next path");
    let next = steps(&h);
    assert_ne!(first, next);
    assert_eq!(
        first.last().map(|s| s.split_once(": ").map(|s| s.1.to_owned())),
        next.last().map(|s| s.split_once(": ").map(|s| s.1.to_owned()))
    );
    click(&mut h, "Previous path");
    assert_eq!(steps(&h), first);
}

#[test]
fn an_ignored_reference_is_skipped_until_restored() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::ArrowRight);
    press(&mut h, Key::ArrowDown);
    let held = steps(&h);
    assert!(!held.is_empty());
    // The map is held by the static alone: without it there is no path.
    click(&mut h, "Ignore reference");
    assert!(steps(&h).is_empty(), "{:?}", steps(&h));
    click(&mut h, "Stop ignoring SessionCache → HashMap");
    assert_eq!(steps(&h), held);
    // Weaker references change nothing where a strong path is the shortest.
    click(&mut h, "References to follow: Strong only");
    click(&mut h, "All references");
    h.get_by_label_contains("References to follow: All references");
    assert!(!steps(&h).is_empty());
}

#[test]
fn merged_paths_of_a_class_meet_at_its_holder() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Slash);
    h.get_by_role(egui::Role::TextInput).type_text("desk.Session$Cart");
    settle(&mut h);
    press(&mut h, Key::Enter);
    click(&mut h, "desk.Session$Cart");
    press(&mut h, Key::Num5);
    assert_eq!(h.state().location().map(|p| p.view), Some(View::Paths));
    click(&mut h, "Rows: By class and field");
    click(&mut h, "By object");
    // The tree is expanded down to the first branch: the holder, its map, the map's table.
    assert!(h.query_all_by_label_contains("class desk.SessionCache").next().is_some());
    click_row(&mut h, ".ENTRIES java.util.HashMap");
    let object = h.state().location().and_then(|p| p.object).expect("the map");
    let dump = h.state().tabs()[0].open_dump().expect("an open dump");
    assert_eq!(&*dump.heap.class(object).name, "java.util.HashMap");
    press(&mut h, Key::ArrowLeft);
    assert!(h.query_all_by_label_contains(".table java.util.HashMap$Node[]").next().is_none());
    press(&mut h, Key::ArrowRight);
    assert!(h.query_all_by_label_contains(".table java.util.HashMap$Node[]").next().is_some());
    // Merged by class, all carts are one row.
    click(&mut h, "Rows: By object");
    click(&mut h, "By class and field");
    h.get_by_label_contains("Rows: By class and field");
    let text = {
        click_row(&mut h, "Thread desk.SessionReaper");
        copied(&mut h, |h| h.event(egui::Event::Copy))
    };
    assert!(text.contains("\nMerged paths\n") && text.lines().count() > 4, "{text}");
}

#[test]
fn accumulating_classes_are_listed_beside_merged_paths() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num5);
    if !has(&h, "Min. retained size: ≥ 1 %") {
        click(&mut h, "Classes");
    }
    click_row(&mut h, "desk.Session, 1,200 objects");
    h.get_by_label_contains("1,200 Session");
    // The list has the keys now: the class below is the next.
    let before = h.query_all_by_label_contains("ENTRIES").count();
    press(&mut h, Key::ArrowUp);
    assert!(h.query_by_label_contains("1,200 Session").is_none() && before > 0);
    click(&mut h, "Min. objects: Any number");
    click(&mut h, "≥ 1,000");
    assert!(has(&h, "desk.Session, 1,200 objects") && !has(&h, "desk.Customer, 400 objects"));
    // Pressed again, the button leaves the tree unchanged.
    h.get_by_label("Classes").click();
    settle(&mut h);
    assert!(!has(&h, "Min. retained size: ≥ 1 %"));
}

/// Found by random input: the list was hidden in the frame that requested it.
#[test]
fn hiding_a_list_cancels_its_loading() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().show(View::Paths);
    let turn = |h: &mut Harness<'_, App>| h.get_by_role_and_label(egui::Role::Button, "Classes").click();
    for _ in 0..3 {
        h.step();
        turn(&mut h);
    }
    settle(&mut h);
    let is_listed = |h: &Harness<'_, App>| has(h, "Sort by Class") || has(h, "Min. retained size");
    let before = is_listed(&h);
    turn(&mut h);
    settle(&mut h);
    assert_ne!(is_listed(&h), before);
}
