//! The list of views: groups, keys, and the views that a dump does not have.

use egui::accesskit::Role;

use super::*;

/// Views in the list, from top to bottom.
fn listed(h: &Harness<'_, App>) -> Vec<String> {
    let views: Vec<&str> = View::ALL.into_iter().map(View::name).collect();
    let entries = h.query_all_by_role(Role::Tab).filter_map(|node| node.accesskit_node().label());
    entries.filter(|label| views.contains(&label.as_str())).collect()
}

fn is_listed(h: &Harness<'_, App>, view: View) -> bool {
    listed(h).iter().any(|name| name == view.name())
}

#[test]
fn eight_views_are_listed_by_question_and_the_others_under_more() {
    let mut java = window(&[fixture("leak-after.hprof.gz")]);
    let questions =
        ["Overview", "Leaks", "Dominator tree", "Histogram", "Threads", "Waste", "Duplicate strings", "Query"];
    assert_eq!(listed(&java), questions);
    // A view that is not listed is there while it is shown.
    java.state_mut().show(View::Loaders);
    settle(&mut java);
    assert_eq!(listed(&java)[8..], ["Class loaders"]);
    click(&mut java, "More views");
    for title in ["Memory usage", "Leaks and growth", "Wasted memory", "Runtime", "Notes"] {
        java.get_by_role_and_label(Role::Label, title);
    }
    let all = listed(&java);
    assert_eq!(all[..8], questions);
    assert_eq!(all.iter().filter(|name| *name == "Class loaders").count(), 1);
    for view in [View::Growth, View::Detached, View::Bitmaps, View::Closures] {
        assert!(!is_listed(&java, view), "{}", view.name());
    }
    // They begin with a selection, or have nothing to say of this dump; the palette and the menu have them.
    for view in [View::Ownership, View::Route, View::Related, View::Gaps] {
        assert!(!is_listed(&java, view), "{}", view.name());
    }
    java.get_by_role_and_label(Role::Tab, "GC roots").click();
    settle(&mut java);
    assert_eq!(java.state().location().map(|location| location.view), Some(View::Roots));
}

#[test]
fn the_list_has_only_views_that_the_dump_has() {
    let mut snapshot = window(&[fixture("node/desk-final.heapsnapshot.gz")]);
    click(&mut snapshot, "More views");
    for view in [View::Threads, View::Collections, View::Loaders, View::Finalizers, View::Ownership] {
        assert!(!is_listed(&snapshot, view), "{}", view.name());
    }
    assert!(is_listed(&snapshot, View::Closures) && is_listed(&snapshot, View::Strings));

    // The format of IBM's dumps records no fields and no roots.
    let mut ibm = window(&[fixture("ibm/heapdump.20261122.120000.4711.0001.phd")]);
    click(&mut ibm, "More views");
    for view in [View::Strings, View::Collections, View::Finalizers] {
        assert!(!is_listed(&ibm, view), "{}", view.name());
    }
    assert!(is_listed(&ibm, View::Loaders) && is_listed(&ibm, View::Ownership));

    // In a comparison the leaks are a table of the growth.
    let two = window(&[fixture("leak-before.hprof.gz"), fixture("leak-after.hprof.gz")]);
    assert!(is_listed(&two, View::Growth) && !is_listed(&two, View::Leaks));
    assert_eq!(listed(&two).len(), 8);
}

#[test]
fn the_folded_list_has_an_icon_for_each_question_and_a_menu_of_the_others() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    h.key_press_modifiers(Modifiers::COMMAND, Key::B);
    settle(&mut h);
    assert_eq!(listed(&h).len(), 8);
    h.get_by_role_and_label(Role::Tab, "Duplicate strings").click();
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Strings));
    click(&mut h, "More views");
    h.get_by_role_and_label(Role::Tab, "Collections").click();
    settle(&mut h);
    assert_eq!(h.state().location().map(|location| location.view), Some(View::Collections));
    click(&mut h, "Show view names");
    h.get_by_label_contains("Fold to icons");
    // A narrow window shows icons until the user asks for names.
    let mut narrow = window(&[fixture("leak-after.hprof.gz")]);
    narrow.set_size(egui::vec2(1000.0, 640.0));
    settle(&mut narrow);
    click(&mut narrow, "Show view names");
    narrow.get_by_label_contains("Fold to icons");
}

#[test]
fn visited_locations_are_listed_and_lead_back_and_forward() {
    let mut h = window(&[fixture("leak-after.hprof.gz")]);
    for name in ["desk.SessionCache.ENTRIES", "desk.OrderDesk.orders"] {
        h.state_mut().go_to_object(name).expect("it exists");
        settle(&mut h);
    }
    click(&mut h, "Locations visited");
    h.get_by_label_contains("Dominator tree  LinkedList 0x");
    h.get_by_label_contains("Dominator tree  HashMap 0x").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "java.util.HashMap");
    click(&mut h, "Locations visited");
    h.get_by_label_contains("Dominator tree  LinkedList 0x").click();
    settle(&mut h);
    assert_eq!(chosen_class(&h), "java.util.LinkedList");
}
