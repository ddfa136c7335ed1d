//! Each view of a tab has a selection of its own: panes and status bar speak of that of the view on screen.

use super::*;

fn object(h: &Harness<'_, App>) -> Option<heaplens_heap::ObjectId> {
    h.state().location().and_then(|location| location.object)
}

fn back(h: &mut Harness<'_, App>) {
    h.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    settle(h);
}

/// Three classes from `desk.Session` on, by size.
fn select_three_classes(h: &mut Harness<'_, App>) {
    press(h, Key::Num2);
    click(h, "desk.Session 1,200 objects");
    for _ in 0..2 {
        h.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    }
    settle(h);
}

/// Clicks a row, not the triangle that expands it.
fn select_row(h: &mut Harness<'_, App>, label: &str) {
    let is_row = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| !label.starts_with("Expand "))
    };
    h.get_all_by_label_contains(label).find(is_row).expect(label).click();
    settle(h);
}

/// Part of the status bar with the number of selected objects.
fn counted(h: &Harness<'_, App>) -> String {
    // A read-only text has a value, not a label.
    let mut texts = h.get_all_by_label_contains("  ·  shallow ").filter_map(|node| node.accesskit_node().value());
    let text = texts.next().expect("the status bar");
    text.split("  ·  ").next().unwrap_or_default().to_owned()
}

#[test]
fn selections_of_other_views_do_not_affect_held_by() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let first = object(&h).expect("the first row of the tree");
    press(&mut h, Key::Num8);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Strings));
    assert_ne!(object(&h), Some(first), "a view that was never shown selects a row of its own");
    press(&mut h, Key::Home);
    press(&mut h, Key::ArrowRight);
    // The first row below a string shows the holders of its copies.
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowDown);
    let string = object(&h).expect("a string");
    press(&mut h, Key::Num3);
    assert_eq!(object(&h), Some(first), "the tree has the selection it had");
    press(&mut h, Key::Num8);
    assert_eq!(object(&h), Some(string), "and so have the strings");
    // An explicit navigation takes the object along.
    press(&mut h, Key::D);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Dominators));
    assert_eq!(object(&h), Some(string));
}

#[test]
fn classes_selected_in_the_histogram_are_counted_there_and_nowhere_else() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    select_three_classes(&mut h);
    let three = counted(&h);
    assert_ne!(three, "1,200 objects", "three classes have more");
    press(&mut h, Key::Num3);
    assert_eq!(counted(&h), "1 object", "the row of the tree");
    back(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
    assert_eq!(counted(&h), three);
    // Changed since, and restored by going back.
    press(&mut h, Key::Num3);
    press(&mut h, Key::Num2);
    assert_eq!(counted(&h), three, "the key of the view restores it as well");
    press(&mut h, Key::Num3);
    press(&mut h, Key::Num2);
    press(&mut h, Key::Home);
    assert_ne!(counted(&h), three);
    back(&mut h);
    back(&mut h);
    back(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
    assert_eq!(counted(&h), three);
}

#[test]
fn threads_waste_and_leaks_keep_their_selections_apart() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    let tree = object(&h);
    press(&mut h, Key::Num6);
    assert_ne!(object(&h), tree, "threads select one of their own");
    select_row(&mut h, "java.lang.Thread report-writer");
    let thread = object(&h).expect("the thread");
    press(&mut h, Key::Num7);
    assert_eq!((h.state().location().map(|location| location.view), object(&h)), (Some(View::Waste), None));
    press(&mut h, Key::F);
    let finding = object(&h).expect("Leaks selects its first finding");
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    for (key, selected) in [(Key::Num6, Some(thread)), (Key::Num3, tree), (Key::Num7, None), (Key::F, Some(finding))] {
        press(&mut h, key);
        assert_eq!(object(&h), selected, "{key:?}");
    }
    // A row without an object leaves the panes empty.
    press(&mut h, Key::End);
    press(&mut h, Key::ArrowUp);
    assert_eq!(object(&h), None, "waste is all over the heap");
    h.get_by_label("Nothing is selected");
}

#[test]
fn a_comparison_keeps_the_selection_of_growth() {
    let mut h = empty();
    drop_files(&mut h, &["leak-before.hprof.gz", "leak-after.hprof.gz"]);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Growth));
    let owner = object(&h).expect("the largest growth");
    press(&mut h, Key::Num2);
    press(&mut h, Key::Num3);
    let first = object(&h).expect("the first row of the tree");
    go_to(&mut h, "desk.OrderDesk.orders");
    let second = object(&h);
    assert_ne!(second, Some(first));
    press(&mut h, Key::Num9);
    assert_eq!(object(&h), Some(owner));
    press(&mut h, Key::Num3);
    assert_eq!(object(&h), second);
}

#[test]
fn lists_of_a_class_take_the_class_selected_last() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "desk.Session 1,200 objects");
    press(&mut h, Key::Num1);
    press(&mut h, Key::Num4);
    assert_eq!(chosen_class(&h), "desk.Session");
    press(&mut h, Key::Num5);
    h.get_all_by_label_contains("1,200 Session").next().expect("the merged paths of the class");
}

#[test]
fn the_histogram_marks_the_class_of_the_selected_object() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    press(&mut h, Key::Num2);
    click(&mut h, "java.lang.String ");
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Histogram));
    press(&mut h, Key::ArrowDown);
    press(&mut h, Key::ArrowUp);
    let class = h.state().location().and_then(|location| location.class);
    assert!(class.is_some() && class == class_of(&h, "java.util.HashMap"), "arrows start at the class of the object");
}

fn class_of(h: &Harness<'_, App>, name: &str) -> Option<heaplens_heap::ClassId> {
    h.state().tabs().iter().find_map(|tab| tab.open_dump()?.heap.classes.named(name))
}
