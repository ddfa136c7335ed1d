//! Questions about all objects of a class or about selected objects, from the menus of rows.

use egui::accesskit::Role;

use super::*;

/// Opens the menu of the row with this label and chooses an entry.
fn choose(h: &mut Harness<'_, App>, row: &str, entry: &str) {
    h.get_all_by_label_contains(row).next().expect(row).click_secondary();
    settle(h);
    // The name of an item ends with its key.
    h.get_all_by_label_contains(entry).last().expect(entry).click();
    settle(h);
}

fn view(h: &Harness<'_, App>) -> Option<View> {
    h.state().location().map(|location| location.view)
}

#[test]
fn the_menu_of_a_class_leads_to_its_paths_and_related_objects() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    choose(&mut h, "desk.Session 1,200 objects", "Merged paths without weak references");
    assert_eq!(view(&h), Some(View::Paths));
    assert!(has(&h, "References to follow: Strong only") && has(&h, "1,200 Session"));
    look_at(&mut h, View::Histogram);
    choose(&mut h, "desk.Session 1,200 objects", "Merged paths with all references");
    assert!(has(&h, "References to follow: All references"));
    for (entry, relation, row) in [
        ("Retained set by class", "Relation: Retained set", "byte[]"),
        ("Immediate dominators", "Relation: Immediate dominators", "java.util.HashMap$Node"),
        ("Referrers by class", "Relation: Referrers", "desk.Session$Cart"),
        ("Referenced objects by class", "Relation: Referenced objects", "desk.Customer"),
    ] {
        look_at(&mut h, View::Histogram);
        choose(&mut h, "desk.Session 1,200 objects", entry);
        assert_eq!(view(&h), Some(View::Related), "{entry}");
        assert!(has(&h, relation) && has(&h, "of Session") && has(&h, row), "{entry}");
    }
    look_at(&mut h, View::Histogram);
    h.get_all_by_label_contains("desk.Session 1,200 objects").next().expect("the class").click_secondary();
    settle(&mut h);
    let name = copied(&mut h, |h| h.get_all_by_label_contains("Copy class name").last().expect("an item").click());
    assert_eq!(name, "desk.Session");
}

#[test]
fn rows_of_classes_have_the_menu_in_every_view() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    // Collections by class, and the classes of a package.
    look_at(&mut h, View::Collections);
    choose(&mut h, "java.util.LinkedList", "List objects of this class");
    assert_eq!(view(&h), Some(View::Objects));
    assert!(has(&h, "Breadcrumb: java.util.LinkedList"));
}

#[test]
fn a_retained_set_can_ignore_references_that_are_cut() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().go_to_object("desk.OrderDesk.customers").expect("it exists");
    settle(&mut h);
    look_at(&mut h, View::Dominators);
    go_to(&mut h, "Retained set by class");
    assert!(!has(&h, "desk.Order$Line"), "orders are held by their list");
    // Without the list of orders, customers alone hold them.
    h.state_mut().go_to_object("desk.OrderDesk.orders").expect("it exists");
    settle(&mut h);
    press(&mut h, Key::X);
    go_to(&mut h, "Related objects");
    assert!(has(&h, "Without removed references") && has(&h, "desk.Order$Line"));
    // The copied command asks the same.
    let is_row = |node: &egui_kittest::Node<'_>| {
        node.accesskit_node().label().is_some_and(|label| label.starts_with("desk.Order$Line"))
    };
    h.query_all_by_role(Role::TreeItem).find(is_row).expect("the class").click();
    settle(&mut h);
    let text = copied(&mut h, |h| h.key_press(Key::C));
    assert!(text.contains(" related ") && text.contains("--without "), "{text}");
    click(&mut h, "Without removed references");
    assert!(!has(&h, "desk.Order$Line"));
}

#[test]
fn the_menu_of_a_link_asks_about_its_object() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.state_mut().go_to_object("desk.SessionCache.ENTRIES").expect("it exists");
    settle(&mut h);
    // A breadcrumb of another object than the selected one.
    choose(&mut h, "Breadcrumb: class desk.SessionCache", "Retained set by class");
    assert_eq!(view(&h), Some(View::Related));
    assert!(has(&h, "of Class 0x"), "the set is the class object, not the selected map");
}

#[test]
fn related_objects_follow_the_class_selected_last() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    look_at(&mut h, View::Histogram);
    choose(&mut h, "desk.Session 1,200 objects", "Retained set by class");
    assert!(has(&h, "of Session"));
    look_at(&mut h, View::Histogram);
    click(&mut h, "desk.Customer 400 objects");
    look_at(&mut h, View::Related);
    assert!(has(&h, "of Customer"));
}
