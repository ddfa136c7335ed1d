//! Undo and redo of everything that is kept, in the order of time.

use heaplens::ui::tab::Tab;

use super::*;

fn undo(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(h);
}

fn redo(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(h);
}

#[test]
fn stars_and_removals_are_undone_in_the_order_of_time() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    let starred = |h: &Harness<'_, App>| has(h, "Remove star");
    press(&mut h, Key::M);
    assert!(starred(&h));
    press(&mut h, Key::X);
    assert!(has(&h, "1 removal"));
    undo(&mut h);
    assert!(!has(&h, "1 removal") && has(&h, "Undone: removal"));
    assert!(starred(&h));
    undo(&mut h);
    assert!(!starred(&h));
    redo(&mut h);
    assert!(starred(&h));
    redo(&mut h);
    assert!(has(&h, "1 removal"));
}

#[test]
fn a_note_is_one_step_and_its_field_follows() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    press(&mut h, Key::M);
    press(&mut h, Key::N);
    for letter in ["a", "b", "c"] {
        type_text(&mut h, letter);
    }
    let note = |h: &Harness<'_, App>| h.query_by_label("Note").and_then(|node| node.value());
    assert_eq!(note(&h).as_deref(), Some("abc"));
    press(&mut h, Key::Escape);
    undo(&mut h);
    assert!(has(&h, "Undone: note"));
    assert_eq!(note(&h), None, "the field closes without a note");
    redo(&mut h);
    assert!(has(&h, "Redone: note"));
    assert_eq!(note(&h).as_deref(), Some("abc"));
    undo(&mut h);
    undo(&mut h);
    assert!(has(&h, "Undone: star") && !has(&h, "Remove star"));
}

#[test]
fn removals_of_a_closed_dump_are_undone_in_its_reopened_tab() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    press(&mut h, Key::X);
    assert!(has(&h, "1 removal"));
    press(&mut h, Key::M);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    undo(&mut h);
    // The tab is back, and its removal when that is found in it.
    wait_for_label(&mut h, "1 removal");
    undo(&mut h);
    assert!(has(&h, "Undone: star"));
    undo(&mut h);
    assert!(has(&h, "Undone: removal") && !has(&h, "1 removal"));
}

#[test]
fn a_reopened_tab_is_where_it_was_and_has_its_filter() {
    let mut h = opening(&[fixture("leak-before.hprof.gz"), fixture("facts-jdk17.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    let names = |h: &Harness<'_, App>| h.state().tabs().iter().map(Tab::name).collect::<Vec<_>>();
    let before = names(&h);
    h.key_press_modifiers(Modifiers::COMMAND, Key::PageUp);
    settle(&mut h);
    h.state_mut().show(View::Histogram);
    settle(&mut h);
    press(&mut h, Key::Slash);
    type_text(&mut h, "desk");
    press(&mut h, Key::Enter);
    let filter = |h: &Harness<'_, App>| h.query_all_by_label_contains("Filter by class").find_map(|node| node.value());
    assert_eq!(filter(&h).as_deref(), Some("desk"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::T);
    settle(&mut h);
    assert_eq!(names(&h), before);
    assert_eq!(filter(&h).as_deref(), Some("desk"));
}

#[test]
fn a_reopened_dump_counts_once_in_a_comparison() {
    let mut h = window(&[fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")]);
    assert!(h.state().tabs().last().is_some_and(|tab| tab.comparing().is_some()) && !has(&h, "Over time"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::PageUp);
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::T);
    settle(&mut h);
    assert!(!has(&h, "Press B to compare with"));
    h.key_press_modifiers(Modifiers::COMMAND, Key::PageDown);
    settle(&mut h);
    press(&mut h, Key::Num9);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
    assert!(h.state().tabs().iter().any(|tab| tab.comparing().is_some()) && !has(&h, "Over time"));
}

#[test]
fn a_key_that_needs_an_object_says_so() {
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    press(&mut h, Key::M);
    assert!(has(&h, "Star or unstar object: select an object first"));
}

#[test]
fn a_closed_tab_comes_back_with_its_view() {
    let mut h = window(&[fixture("leak-before.hprof.gz")]);
    h.state_mut().show(View::Threads);
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert!(h.state().tabs().is_empty() && has(&h, "Closed leak-before.hprof.gz"));
    click(&mut h, "Undo");
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Threads));
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::T);
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Threads));
}

#[test]
fn a_closed_comparison_comes_back() {
    let mut h = window(&[fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")]);
    let tabs = h.state().tabs().len();
    let view = h.state().location().map(|location| location.view);
    h.key_press_modifiers(Modifiers::COMMAND, Key::W);
    settle(&mut h);
    assert_eq!(h.state().tabs().len(), tabs - 1);
    h.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::T);
    settle(&mut h);
    assert_eq!(h.state().tabs().len(), tabs);
    assert_eq!(h.state().location().map(|location| location.view), view);
}

#[test]
fn the_tour_leads_through_its_dump() {
    let mut h = empty();
    click(&mut h, "Take the tour");
    assert!(has(&h, "Tour, 1 of 6: The largest holder"));
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Overview));
    for view in [View::Leaks, View::Dominators, View::Histogram, View::Dominators, View::Overview] {
        h.get_by_label("Next").click();
        settle(&mut h);
        assert_eq!(h.state().location().map(|location| location.view), Some(view));
    }
    h.get_by_label("Done").click();
    settle(&mut h);
    assert!(!has(&h, "Tour, "));
}

#[test]
fn growth_of_a_class_lists_its_new_objects() {
    let mut h = window(&[fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num9);
    growth::look_at_table(&mut h, "Classes");
    press(&mut h, Key::Slash);
    type_text(&mut h, "desk.Session");
    press(&mut h, Key::Enter);
    let class = h.state().location().and_then(|location| location.class);
    assert!(class.is_some(), "the row of the class is selected");
    press(&mut h, Key::Enter);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Objects));
    assert!(has(&h, "Listed: New objects") && !has(&h, "1,200 objects"));
    click(&mut h, "Listed: New objects");
    click(&mut h, "All objects");
    assert!(has(&h, "1,200 objects"));
}

#[test]
fn objects_without_a_class_are_all_objects() {
    let mut h = window_of_overview();
    h.state_mut().show(View::Objects);
    settle(&mut h);
    assert!(has(&h, "all classes"));
    // The cursor moves through objects of all classes, and the list stays.
    let first = chosen_class(&h);
    press(&mut h, Key::End);
    assert_ne!(chosen_class(&h), first);
    assert!(has(&h, "all classes"));
    press(&mut h, Key::L);
    assert!(!has(&h, "all classes"), "the objects of the class of the selected one");
    h.get_by_label("All classes").click();
    settle(&mut h);
    assert!(has(&h, "all classes"));
}

/// A window on the overview, in which nothing was selected yet.
fn window_of_overview() -> Harness<'static, App> {
    let mut h = opening(&[fixture("leak-after.hprof.gz")], OpenOptions::default());
    settle(&mut h);
    h
}
